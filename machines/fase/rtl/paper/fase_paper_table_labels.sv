// SPDX-License-Identifier: MIT OR Apache-2.0

// The label memory of several pipelines: a live-value table with two read and two write ports per
// pipeline (section 5.5).
//
// | port    | width                | meaning                                                    |
// |---------|----------------------|------------------------------------------------------------|
// | wipe_i  | 1                    | writes 0 to word wipe_word_i; the caller steps through all |
// | read_i  | Reads                | reads word_i for the next cycle                            |
// | word_i  | Reads x AddressWidth |                                                            |
// | label_o | Reads x 128          | the label; held until the next read                        |
// | give_i  | Reads                | writes give_label_i to give_word_i                         |
// | space_o | 1                    | always 1: a slot can be taken                              |
// | wrote_o | Reads                | a label is written to word wrote_word_o                    |
// | idle_o  | 1                    | always 1: no label waits to be written                     |
//
// Latency: 1 cycle. Stalls: nothing.

module fase_paper_table_labels #(
  parameter int unsigned Depth = 8192,
  parameter int unsigned Ports = 4,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                                clk_i,
  input  logic                                wipe_i,
  input  logic [AddressWidth-1:0]             wipe_word_i,
  input  logic [Ports-1:0]                    read_i,
  input  logic [Ports-1:0][AddressWidth-1:0]  word_i,
  output logic [Ports-1:0][127:0]             label_o,
  input  logic [Ports-1:0]                    give_i,
  input  logic [Ports-1:0][AddressWidth-1:0]  give_word_i,
  input  logic [Ports-1:0][127:0]             give_label_i,
  output logic                                space_o,
  output logic [Ports-1:0]                    wrote_o,
  output logic [Ports-1:0][AddressWidth-1:0]  wrote_word_o,
  output logic                                idle_o
);

  logic [Ports-1:0][AddressWidth-1:0] waddr, raddr;
  logic [Ports-1:0][127:0] wdata;

  // Each port has its own copies, and wipes all their words.
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    assign waddr[p] = wipe_i ? wipe_word_i + AddressWidth'(p) : give_word_i[p];
    assign wdata[p] = wipe_i ? '0 : give_label_i[p];
    assign raddr[p] = wipe_i ? wipe_word_i : word_i[p];
  end

  lvt_ram #(.Width(128), .Depth(Depth), .Writes(Ports), .Reads(Ports)) u_labels (
    .clk_i,
    .we_i(give_i | {Ports{wipe_i}}), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(read_i | {Ports{wipe_i}}), .raddr_i(raddr), .rdata_o(label_o)
  );

  assign space_o       = 1'b1;
  assign wrote_o      = give_i;
  assign wrote_word_o = give_word_i;
  assign idle_o       = 1'b1;

endmodule
