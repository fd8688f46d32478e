// SPDX-License-Identifier: MIT OR Apache-2.0

// The block RAM of ram_sdp and ram_tdp, and so of all machines. A chip replaces this file by one
// that instantiates its memory macros; an FPGA's tools infer its block RAMs from this one.
//
// | port           | width        | meaning                                                   |
// |----------------|--------------|-----------------------------------------------------------|
// | a_en_i, b_en_i | 1            | the port is used                                          |
// | a_we_i, b_we_i | 1            | the port writes; 0: it reads                              |
// | *_addr_i       | AddressWidth |                                                           |
// | *_wdata_i      | Width        |                                                           |
// | *_rdata_o      | Width        | the word; held while the port is not used                 |
//
// With TwoPorts = 1 each port reads or writes, and a port that writes outputs the written word.
// With TwoPorts = 0 port a only writes, port b only reads, and a_rdata_o is 0.
//
// Latency: a word that is requested in cycle c is at the output in c + 1. A read while the other
// port writes to the same address is undefined. Stalls: nothing. Both ports may not write to one
// address in one cycle. No reset.

module ram_macro #(
  parameter int unsigned Width    = 32,
  parameter int unsigned Depth    = 512,
  parameter bit          TwoPorts = 1'b0,
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

  if (TwoPorts) begin : gen_two
    logic [Width-1:0] words [Depth];

    // There are two processes, so that neither port has precedence over the other. The 'x allows
    // synthesis a block RAM that does not give the old word.
    /* verilator lint_off MULTIDRIVEN */
    always @(posedge clk_i) begin
      if (a_en_i) begin
        if (a_we_i) begin
          words[a_addr_i] <= a_wdata_i;
          a_rdata_o <= a_wdata_i;
        end else if (b_en_i && b_we_i && a_addr_i == b_addr_i) begin
          a_rdata_o <= 'x;
        end else begin
          a_rdata_o <= words[a_addr_i];
        end
      end
    end
    always @(posedge clk_i) begin
      if (b_en_i) begin
        if (b_we_i) begin
          words[b_addr_i] <= b_wdata_i;
          b_rdata_o <= b_wdata_i;
        end else if (a_en_i && a_we_i && a_addr_i == b_addr_i) begin
          b_rdata_o <= 'x;
        end else begin
          b_rdata_o <= words[b_addr_i];
        end
      end
    end
    /* verilator lint_on MULTIDRIVEN */
  end else begin : gen_one
    (* ram_style = "block" *)
    logic [Width-1:0] words [Depth];

    // Block RAMs differ in the result of a read during a write to the same word, so this result is
    // never used. The 'x lets synthesis choose any.
    always_ff @(posedge clk_i) begin
      if (a_en_i && a_we_i) words[a_addr_i] <= a_wdata_i;
      if (b_en_i) b_rdata_o <= a_en_i && a_we_i && a_addr_i == b_addr_i ? 'x : words[b_addr_i];
    end
    assign a_rdata_o = '0;

    logic unused;
    assign unused = ^{b_we_i, b_wdata_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (a_en_i) assert (32'(a_addr_i) < Depth) else $error("ram_macro: port a beyond the end");
    if (b_en_i) assert (32'(b_addr_i) < Depth) else $error("ram_macro: port b beyond the end");
    if (a_en_i && a_we_i && b_en_i && b_we_i) begin
      assert (a_addr_i != b_addr_i) else $error("ram_macro: both ports write to one address");
    end
  end
`endif

endmodule
