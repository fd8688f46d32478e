// SPDX-License-Identifier: MIT OR Apache-2.0

// Computes the two rows of the table and the output's label from the garbler's four AES results.
// The formulas are those of `half_gate_garbler`, where s is the identity if Sigma is 0.
//
//   parameter  meaning
//   Sigma      1: labels pass through s before they are hashed
//
//   port       bits  meaning
//   a_i        128   A0, false label of the first input
//   b_i        128   B0, false label of the second input
//   delta_i    128   D
//   key_a_i    128   last round key of the first hash
//   key_b_i    128   last round key of the second hash
//   state_a_i  256   low: AES of s(A0), high: of s(A0 ^ D), before the last round key is added
//   state_b_i  256   the same for B0
//   label_o    128   C0
//   table_o    256   the table: TG in bits 127:0, TE above
//
// Latency: none, combinational. Nothing stalls it.
module half_gate_rows #(
    parameter bit Sigma = 1'b1
) (
    input  logic [127:0]      a_i,
    input  logic [127:0]      b_i,
    input  logic [127:0]      delta_i,
    input  logic [127:0]      key_a_i,
    input  logic [127:0]      key_b_i,
    input  logic [1:0][127:0] state_a_i,
    input  logic [1:0][127:0] state_b_i,
    output logic [127:0]      label_o,
    output logic [255:0]      table_o
);
  function automatic logic [127:0] sigma(input logic [127:0] x);
    sigma = Sigma ? {x[127:64] ^ x[63:0], x[127:64]} : x;
  endfunction

  logic [127:0] sigma_delta, both_a, both_b, sum;

  // In the XOR of two hashes under one key, the key cancels out. s(x) ^ s(x ^ D) = s(D), as s is
  // linear.
  assign sigma_delta = sigma(delta_i);
  assign both_a      = state_a_i[0] ^ state_a_i[1] ^ sigma_delta;
  assign both_b      = state_b_i[0] ^ state_b_i[1] ^ sigma_delta;  // TE ^ A0
  assign sum         = state_a_i[0] ^ key_a_i ^ state_b_i[0] ^ key_b_i ^ sigma(a_i ^ b_i);

  assign table_o[127:0]   = both_a ^ (delta_i & {128{b_i[0]}});
  assign table_o[255:128] = both_b ^ a_i;
  assign label_o = sum ^ (table_o[127:0] & {128{a_i[0]}}) ^ (both_b & {128{b_i[0]}});
endmodule
