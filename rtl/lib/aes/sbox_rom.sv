// SPDX-License-Identifier: MIT OR Apache-2.0

// The S-box of AES in a memory with a registered output: a block RAM of 256 bytes on small FPGAs.
//
//   port  bits  meaning
//   x_i   8     the byte
//   y_o   8     its substitute, a cycle later
//
// Latency: one cycle. Nothing stalls it. y_o has no clear input: see clear_i of `aes_pair`.
module sbox_rom (
    input  logic       clk_i,
    input  logic [7:0] x_i,
    output logic [7:0] y_o
);
  logic [7:0] y;

  sbox_table u_table (.x_i, .y_o(y));
  always_ff @(posedge clk_i) y_o <= y;
endmodule
