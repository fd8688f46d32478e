// SPDX-License-Identifier: MIT OR Apache-2.0

// The paper's states (section 5.4): GETKEYS and CONSTLABELS (here `Setup`); then, for each netlist
// cycle, DFF and GARBLE (one state here, `Garble`), MASKS, and RSTCOUNTERS.
//
// | port      | width | meaning                                                                 |
// |-----------|-------|-------------------------------------------------------------------------|
// | start_i   | 1     | a run starts in the next cycle                                          |
// | clear_i   | 1     | ends the run, and starts none                                           |
// | cycles_i  | 32    | netlist cycles; constant during a run                                   |
// | idle_i    | 1     | all slots of the netlist have been taken, and all labels written        |
// | drained_i | 1     | all tables and output labels of the netlist cycle have left, and all    |
// |           |       | its input labels were made                                              |
// | busy_o    | 1     | a run is in progress                                                    |
// | garble_o  | 1     | pipelines may take slots in this cycle                                  |
// | restart_o | 1     | fetch the netlist's first slots                                         |
// | load_o    | 1     | a netlist cycle starts in the next cycle                                |
// | cycle_o   | 32    | the number of that netlist cycle, from the next cycle on                |
//
// Latency: SetupCycles before the first netlist cycle, MaskCycles + 2 after each.
// Stalls: drained_i.

module fase_paper_control
  import fase_paper_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic        clear_i,
  input  logic [31:0] cycles_i,
  input  logic        idle_i,
  input  logic        drained_i,
  output logic        busy_o,
  output logic        garble_o,
  output logic        restart_o,
  output logic        load_o,
  output logic [31:0] cycle_o
);

  typedef enum logic [2:0] {Idle, Setup, Garble, Masks, ResetCounters} state_e;

  state_e state_q, state_d;
  logic [3:0] count_q;
  logic last;

  assign busy_o    = state_q != Idle;
  assign garble_o  = state_q == Garble;
  assign restart_o = start_i || (garble_o && idle_i);
  assign load_o    = state_d == Garble && state_q != Garble;
  assign last      = cycle_o + 1'b1 >= cycles_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: ;
      Setup: if (32'(count_q) == SetupCycles - 1) state_d = cycles_i == '0 ? Idle : Garble;
      Garble: if (idle_i) state_d = Masks;
      Masks: if (32'(count_q) >= MaskCycles - 1 && drained_i) state_d = ResetCounters;
      ResetCounters: state_d = last ? Idle : Garble;
      default: state_d = Idle;
    endcase
    if (start_i) state_d = Setup;
    if (clear_i) state_d = Idle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      count_q <= '0;
    end else begin
      state_q <= state_d;
      // The counter saturates, because a state may wait for idle_i or drained_i for a long time.
      if (state_d != state_q || start_i) count_q <= '0;
      else if (count_q != '1) count_q <= count_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) cycle_o <= '0;
    else if (state_q == ResetCounters) cycle_o <= cycle_o + 1'b1;
  end

endmodule
