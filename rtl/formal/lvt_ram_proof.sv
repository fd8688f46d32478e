// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of lvt_ram, with any accesses that its table of ports allows. One word and one reader
// are watched: any may be chosen.

module lvt_ram_proof #(
  parameter int unsigned Width  = 2,
  parameter int unsigned Depth  = 4,
  parameter int unsigned Writes = 2,
  parameter int unsigned Reads  = 2,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input logic                                clk_i,
  input logic [Writes-1:0]                   we_i,
  input logic [Writes-1:0][AddressWidth-1:0] waddr_i,
  input logic [Writes-1:0][Width-1:0]        wdata_i,
  input logic [Reads-1:0]                    re_i,
  input logic [Reads-1:0][AddressWidth-1:0]  raddr_i,
  input logic [AddressWidth-1:0]             word_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [Reads-1:0][Width-1:0] rdata;
  lvt_ram #(.Width(Width), .Depth(Depth), .Writes(Writes), .Reads(Reads)) u_dut (
    .clk_i, .we_i, .waddr_i, .wdata_i, .re_i, .raddr_i, .rdata_o(rdata)
  );

  // What the watched word is after this cycle, if it was written.
  logic [AddressWidth-1:0] word_q;
  logic known_q, known;
  logic [Width-1:0] written_q, written;
  always_comb begin
    known   = known_q;
    written = written_q;
    for (int unsigned w = 0; w < Writes; w++) begin
      if (we_i[w] && waddr_i[w] == word_q) begin
        known   = started_q;
        written = wdata_i[w];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!started_q) word_q <= word_i;
    known_q   <= started_q && known;
    written_q <= written;
  end

  for (genvar w = 1; w < Writes; w++) begin : gen_other
    for (genvar v = 0; v < w; v++) begin : gen_pair
      always_comb assume (!(we_i[w] && we_i[v] && waddr_i[w] == waddr_i[v]));
    end
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    // Whether the reader's last read was of the watched word, and the word that it must have.
    logic reads_q;
    logic [Width-1:0] read_q;
    always_ff @(posedge clk_i) begin
      if (!started_q) reads_q <= 1'b0;
      else if (re_i[r]) begin
        reads_q <= known && raddr_i[r] == word_q;
        read_q  <= written;
      end
    end
    always_comb begin
      if (started_q) begin
        last_write: assert (!reads_q || rdata[r] == read_q);
        reads: cover (reads_q && !re_i[r] && read_q == '1);
      end
    end
    for (genvar w = 0; w < Writes; w++) begin : gen_copy
      always_comb begin
        if (started_q && known_q && 32'(u_dut.live_q[word_q]) == w) begin
          inv_copy: assert (u_dut.gen_read[r].gen_copy[w].u_copy.u_macro.gen_one.words[word_q] == written_q);
        end
      end
    end
    always_comb begin
      if (started_q) inv_live: assert (!known_q || 32'(u_dut.live_q[word_q]) < Writes);
    end
  end

endmodule
