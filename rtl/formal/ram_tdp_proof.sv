// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of ram_tdp, with any accesses that its table of ports allows. One word is watched: any
// may be chosen.

module ram_tdp_proof #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input logic                         clk_i,
  input logic [1:0]                   en_i,
  input logic [1:0]                   we_i,
  input logic [1:0][AddressWidth-1:0] addr_i,
  input logic [1:0][Width-1:0]        wdata_i,
  input logic [AddressWidth-1:0]      word_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [1:0][Width-1:0] rdata;
  ram_tdp #(.Width(Width), .Depth(Depth)) u_dut (
    .clk_i,
    .a_en_i(en_i[0]), .a_we_i(we_i[0]), .a_addr_i(addr_i[0]), .a_wdata_i(wdata_i[0]), .a_rdata_o(rdata[0]),
    .b_en_i(en_i[1]), .b_we_i(we_i[1]), .b_addr_i(addr_i[1]), .b_wdata_i(wdata_i[1]), .b_rdata_o(rdata[1])
  );

  logic [AddressWidth-1:0] word_q;
  logic known_q;
  logic [Width-1:0] written_q;
  logic [1:0] here, writes;
  for (genvar p = 0; p < 2; p++) begin : gen_here
    assign here[p]   = en_i[p] && addr_i[p] == word_q;
    assign writes[p] = here[p] && we_i[p];
  end
  always_ff @(posedge clk_i) begin
    if (!started_q) begin
      word_q  <= word_i;
      known_q <= 1'b0;
    end else if (writes != '0) begin
      known_q   <= 1'b1;
      written_q <= writes[0] ? wdata_i[0] : wdata_i[1];
    end
  end

  always_comb begin
    assume (!(en_i == '1 && we_i == '1 && addr_i[0] == addr_i[1]));
    if (started_q) begin
      inv_written: assert (!known_q || u_dut.u_macro.gen_two.words[word_q] == written_q);
    end
  end

  for (genvar p = 0; p < 2; p++) begin : gen_port
    // Whether the port's last access was to the watched word and defined, and what it gives.
    logic reads_q;
    logic [Width-1:0] read_q;
    always_ff @(posedge clk_i) begin
      if (!started_q) reads_q <= 1'b0;
      else if (en_i[p]) begin
        reads_q <= here[p] && (we_i[p] || (known_q && !writes[1-p]));
        read_q  <= we_i[p] ? wdata_i[p] : written_q;
      end
    end
    always_comb begin
      if (started_q) begin
        last_write: assert (!reads_q || rdata[p] == read_q);
        reads: cover (reads_q && !en_i[p] && read_q == '1);
      end
    end
  end

endmodule
