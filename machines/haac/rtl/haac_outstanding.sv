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

  logic unused_empty;
  logic [$clog2(Depth + 1)-1:0] unused_level;

  fifo #(
    .Width(1), .Depth(Depth)
  ) u_halves (
    .clk_i, .rst_ni, .clear_i, .push_i(gnt_i), .data_i(odd_i), .pop_i(ack_i), .data_o(odd_o),
    .level_o(unused_level), .empty_o(unused_empty), .full_o
  );

endmodule
