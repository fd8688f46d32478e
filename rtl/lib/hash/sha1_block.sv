// SPDX-License-Identifier: MIT OR Apache-2.0

// SHA-1 (FIPS 180-4) of one padded block, at one round per cycle.
//
// | port     | width | meaning                                                       |
// |----------|-------|---------------------------------------------------------------|
// | clear_i  | 1     | nothing is left in the registers after this cycle             |
// | valid_i  | 1     | block_i is hashed; not while busy_o                           |
// | block_i  | 512   | the block, its first word highest                             |
// | busy_o   | 1     | a block is under way                                          |
// | valid_o  | 1     | digest_o belongs to the block of 82 cycles earlier            |
// | digest_o | 160   | its first word highest; stays until the next block is taken   |
//
// Latency: 82 cycles: one to take the block, 80 rounds, one for the final addition. Stalls:
// nothing. The unit hashes one block at a time.

module sha1_block (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,

  input  logic         valid_i,
  input  logic [511:0] block_i,
  output logic         busy_o,

  output logic         valid_o,
  output logic [159:0] digest_o
);

  localparam logic [4:0][31:0] Start = {
    32'h67452301, 32'hefcdab89, 32'h98badcfe, 32'h10325476, 32'hc3d2e1f0
  };
  localparam int unsigned Rounds = 80;

  // words_q has the next sixteen words of the message schedule, with this round's word highest.
  // state_q has a, b, c, d and e.
  logic [15:0][31:0] words_q;
  logic [4:0][31:0] state_q;
  logic [6:0] round_q;
  logic busy_q;

  function automatic logic [31:0] left(input logic [31:0] word, input int unsigned by);
    left = word << by | word >> (32 - by);
  endfunction

  logic [31:0] mixed, constant, sum, next_word;
  logic [31:0] a, b, c, d, e;
  logic sums;

  assign {a, b, c, d, e} = state_q;
  assign next_word = left(words_q[2] ^ words_q[7] ^ words_q[13] ^ words_q[15], 1);
  assign sum  = left(a, 5) + mixed + e + constant + words_q[15];
  assign sums = round_q == 7'(Rounds);

  always_comb begin
    if (round_q < 20) begin
      mixed    = (b & c) | (~b & d);
      constant = 32'h5a827999;
    end else if (round_q < 40) begin
      mixed    = b ^ c ^ d;
      constant = 32'h6ed9eba1;
    end else if (round_q < 60) begin
      mixed    = (b & c) | (b & d) | (c & d);
      constant = 32'h8f1bbcdc;
    end else begin
      mixed    = b ^ c ^ d;
      constant = 32'hca62c1d6;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_o <= 1'b0;
      round_q <= '0;
    end else if (clear_i) begin
      busy_q  <= 1'b0;
      valid_o <= 1'b0;
      round_q <= '0;
    end else begin
      valid_o <= busy_q && sums;
      if (valid_i) begin
        busy_q  <= 1'b1;
        round_q <= '0;
      end else if (busy_q) begin
        busy_q  <= !sums;
        round_q <= round_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      words_q  <= '0;
      state_q  <= '0;
      digest_o <= '0;
    end else if (valid_i) begin
      words_q <= block_i;
      state_q <= Start;
    end else if (busy_q && !sums) begin
      words_q <= {words_q[14:0], next_word};
      state_q <= {sum, a, left(b, 30), c, d};
    end else if (busy_q) begin
      for (int unsigned i = 0; i < 5; i++) digest_o[32*i +: 32] <= state_q[i] + Start[i];
    end
  end

  assign busy_o = busy_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(valid_i && busy_q)) else $error("sha1_block: valid_i while busy_o");
    end
  end
`endif

endmodule
