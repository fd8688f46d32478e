// SPDX-License-Identifier: MIT OR Apache-2.0

// The linear part of a round of AES-128's key schedule, after its four S-boxes.
//
//   port     bits  meaning
//   valid_i  1     key_i is valid; 0: key_o is undefined (see `aes_sub`)
//   key_i    128   the key of the previous round; byte 0 lowest, word 0 lowest
//   sub_i    32    the highest word of key_i after SubWord, before RotWord
//   rcon_i   8     the round's constant
//   key_o    128   the round's key
//
// Latency: none, combinational. Nothing stalls it.
module aes_key_mix (
    input  logic             valid_i,
    input  logic [3:0][31:0] key_i,
    input  logic [31:0]      sub_i,
    input  logic [7:0]       rcon_i,
    output logic [3:0][31:0] key_o
);
  logic [31:0] first, third;

  always_comb begin
    key_o = 'x;
    first = 'x;
    third = 'x;
    if (valid_i) begin
      // RotWord brings byte 1 to byte 0; the constant is added to byte 0.
      first    = {sub_i[7:0], sub_i[31:8]} ^ {24'd0, rcon_i};
      // Each word is the XOR of `first` and of all words of key_i up to the same index.
      third    = key_i[2] ^ key_i[1] ^ key_i[0] ^ first;
      key_o[0] = key_i[0] ^ first;
      key_o[1] = key_i[1] ^ key_i[0] ^ first;
      key_o[2] = third;
      key_o[3] = key_i[3] ^ third;
    end
  end
endmodule
