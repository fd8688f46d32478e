// SPDX-License-Identifier: MIT OR Apache-2.0

// The memory of input labels, with a copy for each operand that reads it.
//
// | port           | width        | meaning                                       |
// |----------------|--------------|-----------------------------------------------|
// | en_i           | 1            | 0 stalls the machine                          |
// | wipe_i         | 1            | word wipe_address_i becomes 0                 |
// | we_i           | 1            | label_i goes to word waddr_i                  |
// | read_i         | Reads        | reads word read_address_i, for the next cycle |
// | read_address_i | Reads x 16   |                                               |
// | label_o        | Reads x 128  | the labels that were read                     |
//
// Latency: 1 cycle. A word can be read in the cycle in which it is written. Stalls: en_i.

module scheduled_inputs #(
  parameter int unsigned Depth = 1024,
  parameter int unsigned Reads = 4,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     en_i,

  input  logic                     wipe_i,
  input  logic [AddressWidth-1:0]  wipe_address_i,

  input  logic                     we_i,
  input  logic [15:0]              waddr_i,
  input  logic [127:0]             label_i,

  input  logic [Reads-1:0]         read_i,
  // Addresses have the width that the largest machine needs.
  input  logic [Reads-1:0][15:0]   read_address_i,
  output logic [Reads-1:0][127:0]  label_o
);

  for (genvar r = 0; r < int'(Reads); r++) begin : gen_read
    ram_sdp #(.Width(128), .Depth(Depth)) u_labels (
      .clk_i,
      .we_i(wipe_i || (en_i && we_i)),
      .waddr_i(wipe_i ? wipe_address_i : waddr_i[AddressWidth-1:0]),
      .wdata_i(wipe_i ? '0 : label_i),
      .re_i(wipe_i || (en_i && read_i[r])),
      .raddr_i(wipe_i ? wipe_address_i : read_address_i[r][AddressWidth-1:0]),
      .rdata_o(label_o[r])
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && en_i && we_i) begin
      assert (32'(waddr_i) < Depth) else $error("scheduled_inputs: there is no word %0d", waddr_i);
    end
  end
`endif

  logic unused;
  assign unused = ^read_address_i;

endmodule
