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

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (a_en_i) assert (32'(a_addr_i) < Depth) else $error("ram_tdp: port a beyond the end");
    if (b_en_i) assert (32'(b_addr_i) < Depth) else $error("ram_tdp: port b beyond the end");
    if (a_en_i && a_we_i && b_en_i && b_we_i) begin
      assert (a_addr_i != b_addr_i) else $error("ram_tdp: both ports write to one address");
    end
  end
`endif

endmodule
