// SPDX-License-Identifier: MIT OR Apache-2.0

// Writes an engine's tables from the start of their stream to its end, in bursts of two.
//
// | port    | width     | meaning                                                         |
// |---------|-----------|-----------------------------------------------------------------|
// | start_i | 1         | restarts at base_i                                              |
// | base_i  | AddrWidth | address of the first burst, a multiple of 64                    |
// | space_o | 1         | another burst may be pushed                                     |
// | push_i, burst_i | 1, 512 | pushes a burst                                             |
// | req_o   | 1         | a burst waits to be sent                                        |
// | addr_o, data_o | AddrWidth, 512 | its address and its data                            |
// | ack_i   | 1         | the burst is sent                                               |
//
// Latency: a burst pushed in c can be sent in c + 1. Stalls: space_o.

module haac_table_writer #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned Depth     = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  logic [AddrWidth-1:0] base_i,
  output logic                 space_o,
  input  logic                 push_i,
  input  logic [511:0]         burst_i,
  output logic                 req_o,
  output logic [AddrWidth-1:0] addr_o,
  output logic [511:0]         data_o,
  input  logic                 ack_i
);

  logic [AddrWidth-1:0] addr_q;
  logic [$clog2(Depth+1)-1:0] level;
  logic empty, full;

  fifo #(.Width(512), .Depth(Depth)) u_fifo (
    .clk_i, .rst_ni, .clear_i(start_i), .push_i, .data_i(burst_i), .pop_i(ack_i),
    .data_o, .level_o(level), .empty_o(empty), .full_o(full)
  );

  assign space_o = !full;
  assign req_o  = !empty;
  assign addr_o = addr_q;

  always_ff @(posedge clk_i) begin
    if (start_i)    addr_q <= base_i;
    else if (ack_i) addr_q <= addr_q + AddrWidth'(64);
  end

  logic unused;
  assign unused = ^level;

endmodule
