// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of scheduled_bank, with any reads and writes. One word is watched: any may be chosen.

module scheduled_bank_proof #(
  parameter int unsigned Depth = 4,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input logic                    clk_i,
  input logic                    we_i,
  input logic [AddressWidth-1:0] waddr_i,
  input logic [127:0]            label_i,
  input logic                    re_i,
  input logic [AddressWidth-1:0] raddr_i,
  input logic [AddressWidth-1:0] word_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [127:0] label;
  logic forwarded;
  scheduled_bank #(.Depth(Depth)) u_dut (
    .clk_i, .we_i, .waddr_i, .label_i, .re_i, .raddr_i, .label_o(label), .forwarded_o(forwarded)
  );

  // The watched word after this cycle, whether the last read was of it, and the word at that time.
  logic [AddressWidth-1:0] word_q;
  logic writes, known_q, reads_q;
  logic [127:0] written_q, written, read_q;
  assign writes  = we_i && waddr_i == word_q;
  assign written = writes ? label_i : written_q;
  always_ff @(posedge clk_i) begin
    if (!started_q) word_q <= word_i;
    known_q   <= started_q && (known_q || writes);
    written_q <= written;
    if (!started_q) reads_q <= 1'b0;
    else if (re_i) begin
      reads_q <= raddr_i == word_q && (known_q || writes);
      read_q  <= written;
    end
  end

  always_comb begin
    if (started_q) begin
      last_write: assert (!reads_q || label == (writes ? label_i : read_q));
      reports_forwarded: assert (!reads_q || forwarded == writes);
      inv_word: assert (!known_q || u_dut.u_labels.u_macro.gen_one.words[word_q] == written_q);
      inv_read: assert (!reads_q || (u_dut.raddr_q == word_q && u_dut.read == read_q));

      forwards: cover (reads_q && writes && label[127]);
      reads: cover (reads_q && !writes && label[127] && known_q);
    end
  end

endmodule
