// SPDX-License-Identifier: MIT OR Apache-2.0

// One round of AES-128's key schedule (FIPS 197, section 5.2).
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`)
//
//   port    bits  meaning
//   key_i   128   the key of the previous round; byte 0 lowest
//   rcon_i  8     the round's constant: 01 02 04 08 10 20 40 80 1b 36 for rounds 1 to 10
//   key_o   128   the round's key
//
// Latency: none, combinational. Nothing stalls it.
module aes_key_round #(
    parameter int unsigned Impl = 0
) (
    input  logic [127:0] key_i,
    input  logic [7:0]   rcon_i,
    output logic [127:0] key_o
);
  logic [31:0] substituted;

  aes_sub #(.Impl(Impl), .Bytes(4)) u_sub (
      .valid_i(1'b1), .x_i(key_i[127:96]), .y_o(substituted));
  aes_key_mix u_mix (.valid_i(1'b1), .key_i, .sub_i(substituted), .rcon_i, .key_o);
endmodule
