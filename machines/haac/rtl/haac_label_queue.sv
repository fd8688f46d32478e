// SPDX-License-Identifier: MIT OR Apache-2.0

// Requests for single labels that the memory side has accepted and not sent yet: reads of
// out-of-range labels, or writes of live ones.
//
// | port     | width     | meaning                                                        |
// |----------|-----------|----------------------------------------------------------------|
// | clear_i  | 1         | empties the queue, and begins to wipe the labels               |
// | base_i   | AddrWidth | address of the label of wire 0, a multiple of 64               |
// | space_o  | 1         | another request may be pushed                                  |
// | push_i   | 1         | a request for the wire addr_i, with label_i if it is a write   |
// | req_o    | 1         | a request waits to be sent                                     |
// | addr_o   | AddrWidth | its address in memory                                          |
// | label_o  | 128       | its label                                                      |
// | ack_i    | 1         | the request is sent                                            |
// | wiping_o | 1         | labels are being wiped; nothing may be pushed                  |
//
// Latency: a request pushed in c can be sent in c + 1. Stalls: space_o.

module haac_label_queue #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned Depth     = 16,
  // 1: writes, with labels; 0: reads.
  parameter bit          Writes    = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  input  logic [AddrWidth-1:0] base_i,
  output logic                 space_o,
  input  logic                 push_i,
  input  logic [30:0]          addr_i,
  input  logic [127:0]         label_i,
  output logic                 req_o,
  output logic [AddrWidth-1:0] addr_o,
  output logic [127:0]         label_o,
  input  logic                 ack_i,
  output logic                 wiping_o
);

  localparam int unsigned LevelWidth = $clog2(Depth + 1);

  logic [30:0] head;
  logic empty, full, last;
  logic [LevelWidth-1:0] level;

  assign addr_o = base_i + AddrWidth'({head, 4'd0});
  assign space_o = !full && !wiping_o;
  assign req_o  = !empty && !wiping_o;

  if (Writes) begin : gen_writes
    haac_wipe #(.Cycles(Depth + 1)) u_wipe (.clk_i, .rst_ni, .clear_i, .wiping_o, .last_o(last));

    fifo #(.Width(31 + 128), .Depth(Depth)) u_fifo (
      .clk_i, .rst_ni, .clear_i(clear_i || last),
      .push_i(wiping_o ? !full : push_i), .data_i(wiping_o ? '0 : {addr_i, label_i}),
      .pop_i(ack_i), .data_o({head, label_o}), .level_o(level), .empty_o(empty), .full_o(full)
    );
  end else begin : gen_reads
    assign {wiping_o, last, label_o} = '0;

    fifo #(.Width(31), .Depth(Depth)) u_fifo (
      .clk_i, .rst_ni, .clear_i, .push_i, .data_i(addr_i), .pop_i(ack_i), .data_o(head),
      .level_o(level), .empty_o(empty), .full_o(full)
    );
    logic unused_label;
    assign unused_label = ^{label_i, last};
  end

  logic unused_level;
  assign unused_level = ^level;

endmodule
