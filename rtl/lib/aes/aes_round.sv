// SPDX-License-Identifier: MIT OR Apache-2.0

// One round of AES: SubBytes, ShiftRows, MixColumns, AddRoundKey.
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`)
//   Last       1: the tenth round, which has no MixColumns
//
//   port     bits  meaning
//   state_i  128   the state; byte 4c + r is row r of column c, byte 0 lowest
//   key_i    128   the round's key, bytes in the same order
//   state_o  128   the state after the round
//
// Latency: none, combinational. Nothing stalls it.
module aes_round #(
    parameter int unsigned Impl = 0,
    parameter bit          Last = 1'b0
) (
    input  logic [127:0] state_i,
    input  logic [127:0] key_i,
    output logic [127:0] state_o
);
  logic [127:0] substituted;

  aes_sub #(.Impl(Impl)) u_sub (.valid_i(1'b1), .x_i(state_i), .y_o(substituted));
  aes_mix #(.Last(Last)) u_mix (
      .valid_i(1'b1), .state_i(substituted), .key_i, .state_o);
endmodule
