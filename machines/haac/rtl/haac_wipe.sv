// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts the cycles in which an engine's label queues are wiped: after a reset and each clear_i.
//
// | port     | width | meaning                                 |
// |----------|-------|-----------------------------------------|
// | clear_i  | 1     | wiping (re)starts in the next cycle     |
// | wiping_o | 1     | wiping                                  |
// | last_o   | 1     | the last cycle of wiping                |
//
// Latency: Cycles cycles. Stalls: none.

module haac_wipe #(
  parameter int unsigned Cycles = 32,
  localparam int unsigned Width = $clog2(Cycles + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  output logic wiping_o,
  output logic last_o
);

  logic [Width-1:0] left_q;

  assign wiping_o = left_q != '0;
  assign last_o   = left_q == Width'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       left_q <= Width'(Cycles);
    else if (clear_i)  left_q <= Width'(Cycles);
    else if (wiping_o) left_q <= left_q - 1'b1;
  end

endmodule
