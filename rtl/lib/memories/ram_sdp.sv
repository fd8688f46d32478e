// SPDX-License-Identifier: MIT OR Apache-2.0

// A RAM with one write port and one read port.
//
// | port    | width        | meaning                                        |
// |---------|--------------|------------------------------------------------|
// | we_i    | 1            | wdata_i goes to waddr_i at the end of the cycle |
// | waddr_i | AddressWidth |                                                |
// | wdata_i | Width        |                                                |
// | re_i    | 1            | reads raddr_i                                  |
// | raddr_i | AddressWidth |                                                |
// | rdata_o | Width        | the word; held while nothing else is read      |
//
// Latency: a word that is requested in cycle c is at the output in c + 1. A read in the cycle of a
// write to the same address gives the new word. With Bypass = 0 such a read gives an undefined
// word, and the RAM needs less hardware.
// Stalls: nothing. No reset: the contents are undefined before they are written.

module ram_sdp #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 512,
  parameter bit          Bypass = 1'b1,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                    clk_i,

  input  logic                    we_i,
  input  logic [AddressWidth-1:0] waddr_i,
  input  logic [Width-1:0]        wdata_i,

  input  logic                    re_i,
  input  logic [AddressWidth-1:0] raddr_i,
  output logic [Width-1:0]        rdata_o
);

  logic [Width-1:0] read, unused_read;
  logic same;
  assign same = we_i && waddr_i == raddr_i;

  ram_macro #(.Width(Width), .Depth(Depth)) u_macro (
    .clk_i, .a_en_i(we_i), .a_we_i(we_i), .a_addr_i(waddr_i), .a_wdata_i(wdata_i),
    .a_rdata_o(unused_read), .b_en_i(re_i), .b_we_i(1'b0), .b_addr_i(raddr_i), .b_wdata_i('0),
    .b_rdata_o(read)
  );

  if (Bypass) begin : gen_bypass
    logic [Width-1:0] bypass_q;
    logic bypassed_q;
    always_ff @(posedge clk_i) begin
      if (re_i) begin
        bypassed_q <= same;
        bypass_q   <= wdata_i;
      end
    end
    assign rdata_o = bypassed_q ? bypass_q : read;
  end else begin : gen_none
    assign rdata_o = read;
    logic unused_same;
    assign unused_same = same;
  end

endmodule
