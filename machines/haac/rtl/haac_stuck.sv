// SPDX-License-Identifier: MIT OR Apache-2.0

// Detects that a run cannot go on, and gives the reason.
//
// | port        | width       | meaning                                                          |
// |-------------|-------------|------------------------------------------------------------------|
// | run_i       | 1           | the machine runs                                                 |
// | moves_i     | 1           | progress was made in this cycle, or requests are pending         |
// | cause_i     | Engines x 4 | why engines do not issue                                         |
// | words_i     | 1           | out-of-range addresses wait for labels not yet written           |
// | stuck_o     | 1           | no progress for Patience cycles                                  |
// | code_o, stream_o, engine_o |  | the error: a stream is too short, or the cause is unknown    |
//
// Latency: Patience cycles, more than any single step takes. Without a pending request nothing can
// arrive. So an engine that still waits for a label or a table has a stream that is too short.

module haac_stuck
  import haac_isa_pkg::*;
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines  = 4,
  parameter bit          Garbler  = 1'b1,
  parameter int unsigned Patience = 1024
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic                               run_i,
  input  logic                               moves_i,
  input  logic [Engines-1:0][CauseWidth-1:0] cause_i,
  input  logic                               words_i,
  output logic                               stuck_o,
  output error_e                             code_o,
  output stream_e                            stream_o,
  output logic [7:0]                         engine_o
);

  localparam int unsigned Width = $clog2(Patience + 1);

  logic [Width-1:0] still_q;

  assign stuck_o = run_i && still_q == Width'(Patience);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 still_q <= '0;
    else if (!run_i || moves_i)  still_q <= '0;
    else if (!stuck_o)           still_q <= still_q + 1'b1;
  end

  always_comb begin
    code_o   = ErrorStuck;
    stream_o = StreamNone;
    engine_o = '0;
    for (int unsigned n = 0; n < Engines; n++) begin
      if (cause_i[Engines-1-n] == CauseOorEmpty && !words_i) begin
        code_o   = ErrorShort;
        stream_o = StreamOorAddresses;
        engine_o = 8'(Engines - 1 - n);
      end
      if (cause_i[Engines-1-n] == CauseTable && !Garbler) begin
        code_o   = ErrorShort;
        stream_o = StreamTables;
        engine_o = 8'(Engines - 1 - n);
      end
    end
  end

endmodule
