// SPDX-License-Identifier: MIT OR Apache-2.0

// A stage of an engine: an instruction with its operands' latches, or a gap and its cause.
//
// | port             | width         | meaning                                                |
// |------------------|---------------|--------------------------------------------------------|
// | run_i            | 1             | clock enable: if 0, nothing changes                    |
// | clear_i          | 1             | empties the stage and wipes its latches                |
// | take_i           | 1             | takes the previous stage's output at the end of the cycle |
// | before_…_i       |               | that output: valid, cause of a gap, gate, operands, labels |
// | won_i, port_…_i  | 2, 2 x 2      | accesses won by its operands in this cycle (bit 0: a)  |
// | pop_i, head_i    | 2, 128        | operands that take the head of the out-of-range queue  |
// | rd_…_i, bus_…_i  |               | as in haac_operand                                     |
// | valid_o, cause_o | 1, 4          | holds an instruction; cause of the gap otherwise       |
// | gate_o, a_o, b_o |               | as registered                                          |
// | a_now_o …        |               | operands and labels with this cycle's arrivals         |
// | forwarded_o      | 2             | operands whose label came over the bus                 |
// | again_o          | 2             | operands whose access counts no more: see haac_operand |
//
// Latency: one cycle. Stalls: until take_i the stage keeps its contents and still takes arriving
// labels.

module haac_stage
  import haac_isa_pkg::*;
  import haac_engine_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 4096,
  // Whether operands take results from the bus.
  parameter bit          Forward      = 1'b1,
  // Read ports that can deliver operands a and b here.
  parameter logic [3:0]  ReadPortsA   = 4'b0101,
  parameter logic [3:0]  ReadPortsB   = 4'b1111,
  // Whether operands take labels from the out-of-range queue here.
  parameter bit          Pops         = 1'b1,
  localparam int unsigned Results     = 2 * Engines
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                                 clear_i,
  input  logic                                 run_i,

  input  logic                                 take_i,
  input  logic                                 before_valid_i,
  input  cause_e                               before_cause_i,
  input  gate_t                                before_gate_i,
  input  operand_t                             before_a_i,
  input  operand_t                             before_b_i,
  input  logic [LabelWidth-1:0]                before_a_label_i,
  input  logic [LabelWidth-1:0]                before_b_label_i,

  input  logic [1:0]                           won_i,
  input  logic [1:0]                           port_a_i,
  input  logic [1:0]                           port_b_i,
  input  logic [1:0]                           pop_i,
  input  logic [LabelWidth-1:0]                head_i,
  input  logic [3:0]                           rd_hit_i,
  input  logic [3:0][LabelWidth-1:0]           rd_label_i,
  input  logic [Results-1:0]                   bus_valid_i,
  input  logic [Results-1:0][AddressWidth-1:0] bus_addr_i,
  input  logic [Results-1:0][LabelWidth-1:0]   bus_label_i,

  output logic                                 valid_o,
  output cause_e                               cause_o,
  output gate_t                                gate_o,
  output operand_t                             a_o,
  output operand_t                             b_o,
  output operand_t                             a_now_o,
  output operand_t                             b_now_o,
  output logic [LabelWidth-1:0]                a_label_o,
  output logic [LabelWidth-1:0]                b_label_o,
  output logic [1:0]                           forwarded_o,
  output logic [1:0]                           again_o
);

  logic valid_q;
  cause_e cause_q;
  gate_t gate_q;
  operand_t a_q, b_q;
  logic [LabelWidth-1:0] a_label_q, b_label_q;
  logic [1:0] forwarded, again;

  haac_operand #(
    .Engines(Engines), .WindowLabels(WindowLabels), .Forward(Forward),
    .ReadPorts(ReadPortsA), .Pops(Pops)
  ) u_a (
    .operand_i(a_q), .label_i(a_label_q), .won_i(won_i[0]), .port_i(port_a_i),
    .pop_i(pop_i[0]), .head_i, .rd_hit_i, .rd_label_i, .bus_valid_i, .bus_addr_i, .bus_label_i,
    .operand_o(a_now_o), .label_o(a_label_o), .forwarded_o(forwarded[0]),
    .again_o(again[0])
  );

  haac_operand #(
    .Engines(Engines), .WindowLabels(WindowLabels), .Forward(Forward),
    .ReadPorts(ReadPortsB), .Pops(Pops)
  ) u_b (
    .operand_i(b_q), .label_i(b_label_q), .won_i(won_i[1]), .port_i(port_b_i),
    .pop_i(pop_i[1]), .head_i, .rd_hit_i, .rd_label_i, .bus_valid_i, .bus_addr_i, .bus_label_i,
    .operand_o(b_now_o), .label_o(b_label_o), .forwarded_o(forwarded[1]),
    .again_o(again[1])
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      cause_q <= CauseInstructions;
    end else if (clear_i) begin
      valid_q <= 1'b0;
      cause_q <= CauseInstructions;
    end else if (run_i && take_i) begin
      valid_q <= before_valid_i;
      cause_q <= before_cause_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_label_q <= '0;
      b_label_q <= '0;
    end else if (run_i) begin
      a_label_q <= take_i ? before_a_label_i : a_label_o;
      b_label_q <= take_i ? before_b_label_i : b_label_o;
    end
    if (run_i) begin
      if (take_i) gate_q <= before_gate_i;
      a_q <= take_i ? before_a_i : a_now_o;
      b_q <= take_i ? before_b_i : b_now_o;
    end
  end

  assign valid_o     = valid_q;
  assign cause_o     = cause_q;
  assign gate_o      = gate_q;
  assign a_o         = a_q;
  assign b_o         = b_q;
  assign forwarded_o = valid_q ? forwarded : '0;
  assign again_o     = again;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i && valid_q) begin
      // A read returns results that were on the bus before its access; the bus delivers later ones.
      assert (!((forwarded[0] || again[0]) && a_q.phase == PhaseData && rd_hit_i[a_q.port])
          && !((forwarded[1] || again[1]) && b_q.phase == PhaseData && rd_hit_i[b_q.port]))
        else $error("haac_stage: a label from the window and from the bus");
      assert (!(a_q.there && a_q.phase == PhaseData && rd_hit_i[a_q.port])
          && !(b_q.there && b_q.phase == PhaseData && rd_hit_i[b_q.port]))
        else $error("haac_stage: a label from the window after one from the bus");
      assert ((a_q.phase != PhaseData || ReadPortsA[a_q.port])
          && (b_q.phase != PhaseData || ReadPortsB[b_q.port]))
        else $error("haac_stage: a word from a read port that is not connected here");
    end
  end
`endif

endmodule
