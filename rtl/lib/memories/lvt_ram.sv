// SPDX-License-Identifier: MIT OR Apache-2.0

// A live-value table: a RAM with any number of write and read ports, whose reads never conflict. It
// has a RAM for each pair of a write port and a read port. A table stores, for each word, the port
// that wrote it last.
//
// | port    | width                  | meaning                                             |
// |---------|------------------------|-----------------------------------------------------|
// | we_i    | Writes                 | wdata_i goes to waddr_i at the end of the cycle     |
// | waddr_i | Writes x AddressWidth  | different for all ports that write                  |
// | wdata_i | Writes x Width         |                                                     |
// | re_i    | Reads                  | reads raddr_i                                       |
// | raddr_i | Reads x AddressWidth   |                                                     |
// | rdata_o | Reads x Width          | the word; held while nothing else is read           |
//
// Latency: a word that is requested in cycle c is at the output in c + 1. A read in the cycle of a
// write to the same address gives the new word. Stalls: nothing. Cost: Writes x Reads RAMs of Depth
// words, and Depth x log2(Writes) registers for the table. No reset: words are undefined before
// they are written.

module lvt_ram #(
  parameter int unsigned Width  = 32,
  parameter int unsigned Depth  = 64,
  parameter int unsigned Writes = 2,
  parameter int unsigned Reads  = 2,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                                clk_i,

  input  logic [Writes-1:0]                   we_i,
  input  logic [Writes-1:0][AddressWidth-1:0] waddr_i,
  input  logic [Writes-1:0][Width-1:0]        wdata_i,

  input  logic [Reads-1:0]                    re_i,
  input  logic [Reads-1:0][AddressWidth-1:0]  raddr_i,
  output logic [Reads-1:0][Width-1:0]         rdata_o
);

  localparam int unsigned PortWidth = Writes > 1 ? $clog2(Writes) : 1;

  // The port that last wrote each word, now and after this cycle.
  logic [Depth-1:0][PortWidth-1:0] live_q, live_d;

  always_comb begin
    live_d = live_q;
    for (int unsigned w = 0; w < Writes; w++) begin
      if (we_i[w]) live_d[waddr_i[w]] = PortWidth'(w);
    end
  end

  always_ff @(posedge clk_i) live_q <= live_d;

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    logic [Writes-1:0][Width-1:0] copies;
    logic [PortWidth-1:0] from_q;

    for (genvar w = 0; w < Writes; w++) begin : gen_copy
      ram_sdp #(.Width(Width), .Depth(Depth)) u_copy (
        .clk_i,
        .we_i(we_i[w]), .waddr_i(waddr_i[w]), .wdata_i(wdata_i[w]),
        .re_i(re_i[r]), .raddr_i(raddr_i[r]), .rdata_o(copies[w])
      );
    end

    always_ff @(posedge clk_i) begin
      if (re_i[r]) from_q <= live_d[raddr_i[r]];
    end
    assign rdata_o[r] = copies[from_q];
  end

`ifndef SYNTHESIS
  for (genvar w = 0; w < Writes; w++) begin : gen_check
    for (genvar v = 0; v < w; v++) begin : gen_other
      always_ff @(posedge clk_i) begin
        if (we_i[w] && we_i[v]) begin
          assert (waddr_i[w] != waddr_i[v]) else $error("lvt_ram: two ports write one word");
        end
      end
    end
  end
`endif

endmodule
