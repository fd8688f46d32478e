// SPDX-License-Identifier: MIT OR Apache-2.0

// The memory of input labels: a live-value table with two read ports and two write ports per
// pipeline (section 5.5).
//
// | port    | width       | meaning                                                    |
// |---------|-------------|------------------------------------------------------------|
// | wipe_i  | 1           | writes 0 to word wipe_word_i; the caller steps through all |
// | we_i    | Ports       | label p goes to word waddr_i + p                           |
// | waddr_i | 16          |                                                            |
// | read_i  | Ports       | reads word_i for the next cycle                            |
// | label_o | Ports x 128 | the label; held until the next read                        |
//
// Latency: 1 cycle. Stalls: nothing.

module fase_paper_inputs #(
  parameter int unsigned Depth = 1024,
  parameter int unsigned Ports = 4,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                               clk_i,
  input  logic                               wipe_i,
  input  logic [AddressWidth-1:0]            wipe_word_i,
  input  logic [Ports-1:0]                   we_i,
  // waddr_i has the width that the largest machine needs.
  input  logic [15:0]                        waddr_i,
  input  logic [Ports-1:0][127:0]            label_i,
  input  logic [Ports-1:0]                   read_i,
  input  logic [Ports-1:0][AddressWidth-1:0] word_i,
  output logic [Ports-1:0][127:0]            label_o
);

  logic [Ports-1:0][AddressWidth-1:0] waddr, raddr;
  logic [Ports-1:0][127:0] wdata;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    assign waddr[p] = (wipe_i ? wipe_word_i : waddr_i[AddressWidth-1:0]) + AddressWidth'(p);
    assign wdata[p] = wipe_i ? '0 : label_i[p];
    assign raddr[p] = wipe_i ? wipe_word_i : word_i[p];
  end

  lvt_ram #(.Width(128), .Depth(Depth), .Writes(Ports), .Reads(Ports)) u_labels (
    .clk_i,
    .we_i(we_i | {Ports{wipe_i}}), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(read_i | {Ports{wipe_i}}), .raddr_i(raddr), .rdata_o(label_o)
  );

  logic unused;
  assign unused = ^waddr_i;

endmodule
