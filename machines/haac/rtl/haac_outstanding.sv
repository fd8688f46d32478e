// SPDX-License-Identifier: MIT OR Apache-2.0

// An engine's live writes without an acknowledgement, and the parity of their halves.
//
// | port    | width | meaning                                                              |
// |---------|-------|----------------------------------------------------------------------|
// | clear_i | 1     | forgets all writes                                                   |
// | gnt_i   | 1     | a live write is granted                                              |
// | odd_i   | 1     | the lowest bit of the half of that write's output                    |
// | ack_i   | 1     | the oldest write is acknowledged: its instruction is finished        |
// | odd_o   | 1     | the same bit of the oldest write                                     |
// | full_o  | 1     | no more may be granted, as registered                                |
//
// Latency: a write granted in c may be acknowledged in c + 1. Stalls: requests wait while full_o,
// which never happens if Depth is above memory's latency.

module haac_outstanding #(
  parameter int unsigned Depth = 256
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic gnt_i,
  input  logic odd_i,
  input  logic ack_i,
  output logic odd_o,
  output logic full_o
);

  localparam int unsigned Width = $clog2(Depth + 1);

  logic unused_empty, unused_full, full_q;
  logic [Width-1:0] level;

  fifo #(
    .Width(1), .Depth(Depth)
  ) u_halves (
    .clk_i, .rst_ni, .clear_i, .push_i(gnt_i), .data_i(odd_i), .pop_i(ack_i), .data_o(odd_o),
    .level_o(level), .empty_o(unused_empty), .full_o(unused_full)
  );

  // Whether the queue will be full, without a sum, since gnt_i comes late.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else if (clear_i) full_q <= 1'b0;
    else full_q <= gnt_i == ack_i ? level == Width'(Depth) : gnt_i && level == Width'(Depth - 1);
  end

  assign full_o = full_q;

endmodule
