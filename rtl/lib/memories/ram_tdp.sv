// SPDX-License-Identifier: MIT OR Apache-2.0

// A RAM with two ports, each of which reads or writes (a true dual-port block RAM).
//
// | port           | width        | meaning                                                   |
// |----------------|--------------|-----------------------------------------------------------|
// | a_en_i, b_en_i | 1            | the port is used                                          |
// | a_we_i, b_we_i | 1            | the port writes; 0: it reads                              |
// | *_addr_i       | AddressWidth |                                                           |
// | *_wdata_i      | Width        |                                                           |
// | *_rdata_o      | Width        | the word that was read or written; held while the port is |
// |                |              | not used                                                  |
//
// Latency: a word that is requested in cycle c is at the output in c + 1. A port that writes
// outputs the written word. A read while the other port writes to the same address is undefined, as
// block RAMs differ. A design that needs the new word compares the addresses and takes *_rdata_o of
// the writing port.
// Stalls: nothing. Both ports may not write to one address in one cycle. No reset.

module ram_tdp #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 512,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                    clk_i,

  input  logic                    a_en_i,
  input  logic                    a_we_i,
  input  logic [AddressWidth-1:0] a_addr_i,
  input  logic [Width-1:0]        a_wdata_i,
  output logic [Width-1:0]        a_rdata_o,

  input  logic                    b_en_i,
  input  logic                    b_we_i,
  input  logic [AddressWidth-1:0] b_addr_i,
  input  logic [Width-1:0]        b_wdata_i,
  output logic [Width-1:0]        b_rdata_o
);

  ram_macro #(.Width(Width), .Depth(Depth), .TwoPorts(1'b1)) u_macro (
    .clk_i, .a_en_i, .a_we_i, .a_addr_i, .a_wdata_i, .a_rdata_o, .b_en_i, .b_we_i, .b_addr_i,
    .b_wdata_i, .b_rdata_o
  );

endmodule
