// SPDX-License-Identifier: MIT OR Apache-2.0

// The data memory: one word is read and, where that is wanted, written.

module mips_data #(
  parameter int Words = 64
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  // What it starts from.
  input  logic [32*Words-1:0]      start_i,
  input  logic [$clog2(Words)-1:0] index_i,
  output logic [31:0]              word_o,
  input  logic                     write_i,
  input  logic [31:0]              value_i,
  // All of it after this step, for outputs.
  output logic [32*Words-1:0]      next_o
);

  logic [Words-1:0] enables;
  logic [32*Words-1:0] words;

  mips_enable #(.Words(Words)) u_enable (
    .enable_i(write_i), .index_i(index_i), .enables_o(enables)
  );

  // A register for each word: for one of all words Yosys' time grows with their number squared.
  for (genvar i = Words - 1; i >= 0; i--) begin : gen_word
    logic [31:0] held;
    assign words[32*i+:32] = held;
    assign next_o[32*i+:32] = enables[i] ? value_i : held;
    always_ff @(posedge clk_i) begin
      if (rst_i) held <= start_i[32*i+:32];
      else held <= next_o[32*i+:32];
    end
  end

  mips_select #(.Words(Words)) u_read (.words_i(words), .index_i(index_i), .word_o(word_o));

endmodule
