// SPDX-License-Identifier: MIT OR Apache-2.0

// The memory of a queue: a RAM whose reader gives each read address one cycle ahead.
//
// | port    | width        | meaning                                              |
// |---------|--------------|------------------------------------------------------|
// | we_i    | 1            | wdata_i goes to waddr_i at the end of the cycle      |
// | waddr_i | AddressWidth |                                                      |
// | wdata_i | Width        |                                                      |
// | addr_i  | AddressWidth | the word that is read                                |
// | next_i  | AddressWidth | addr_i of the next cycle                             |
// | moves_i | 1            | next_i may differ from addr_i; 0 only if they are equal |
// | data_o  | Width        | the word at addr_i                                   |
//
// Latency: none from addr_i. A word that is written in cycle c can be read in c + 1. Stalls:
// nothing. No reset: data_o is undefined until moves_i was set once and the word was written. A
// deep queue is a block RAM with a read-ahead register, a shallow queue is LUT RAM or registers.

module ram_queue #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,
  // A block RAM is used for more words than this. A column of LUT RAM has 16 words.
  parameter int unsigned Shallow = 16,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                    clk_i,

  input  logic                    we_i,
  input  logic [AddressWidth-1:0] waddr_i,
  input  logic [Width-1:0]        wdata_i,

  input  logic [AddressWidth-1:0] addr_i,
  input  logic [AddressWidth-1:0] next_i,
  input  logic                    moves_i,
  output logic [Width-1:0]        data_o
);

  if (Depth > Shallow) begin : gen_block
    // A word that is read in the cycle of its write comes from a register in the next cycle, and is
    // read again then. So no register of a word waits for next_i and moves_i, which are late.
    logic [Width-1:0] read, written_q;
    logic fresh_q;
    ram_sdp #(.Width(Width), .Depth(Depth), .Bypass(1'b0)) u_ram (
      .clk_i, .we_i, .waddr_i, .wdata_i,
      .re_i(moves_i || fresh_q), .raddr_i(next_i), .rdata_o(read)
    );
    always_ff @(posedge clk_i) begin
      fresh_q   <= we_i && waddr_i == next_i;
      written_q <= wdata_i;
    end
    assign data_o = fresh_q ? written_q : read;
    logic unused;
    assign unused = ^addr_i;
  end else begin : gen_shallow
    logic [Width-1:0] entries [Depth];
    assign data_o = entries[addr_i];
    always_ff @(posedge clk_i) begin
      if (we_i) entries[waddr_i] <= wdata_i;
    end
    logic unused;
    assign unused = ^{next_i, moves_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    assert (moves_i || next_i == addr_i) else $error("ram_queue: next_i differs from addr_i without moves_i");
  end
`endif

endmodule
