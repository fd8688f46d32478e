// SPDX-License-Identifier: MIT OR Apache-2.0

// The hash of the suite `half-gates-fixed-key` (spec/suites.md), one hash per cycle:
//
//   H(x, T) = AES_K(y) ^ y,  y = s(x) ^ T,  s(hi,lo) = (hi ^ lo, hi)
//
//   parameter  meaning
//   Impl       0 TABLE, 1 COMPOSITE (see `sbox`)
//   Stages     cycles from label to hash, 2 to 22
//
//   port         bits  meaning
//   clk_i        1     clock
//   rst_ni       1     reset, active low, asynchronous
//   clear_i      1     nothing is left in the registers after this cycle
//   key_valid_i  1     take key_i now, for the labels from key_ready_o on
//   key_i        128   K; byte 0 lowest
//   key_ready_o  1     K is expanded: labels may enter
//   valid_i      1     label_i and tweak_i are valid
//   label_i      128   x
//   tweak_i      128   T
//   valid_o      1     valid_i of Stages cycles earlier
//   hash_o       128   H(x, T), if valid_o
//
// Latency: Stages cycles. It stalls while en_i is 0.
module hash_fixed_key #(
    parameter int unsigned Impl   = 0,
    parameter int unsigned Stages = 22
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         en_i,
    input  logic         key_valid_i,
    input  logic [127:0] key_i,
    output logic         key_ready_o,
    input  logic         valid_i,
    input  logic [127:0] label_i,
    input  logic [127:0] tweak_i,
    output logic         valid_o,
    output logic [127:0] hash_o
);
  logic         valid;
  logic [127:0] block, block_late, encrypted;

  assign block = {label_i[127:64] ^ label_i[63:0], label_i[127:64]} ^ tweak_i;

  aes_pipe_fixed #(.Impl(Impl), .Stages(Stages - 1)) u_aes (
      .clk_i, .rst_ni, .clear_i, .en_i, .key_valid_i, .key_i, .key_ready_o, .valid_i,
      .block_i(block), .valid_o(valid), .block_o(encrypted));
  label_delay #(.Width(128), .Stages(Stages - 1)) u_block (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .d_i(block), .q_o(block_late));

  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid), .q_o(valid_o));
  pipe_reg #(.Width(128)) u_hash (
      .clk_i, .clear_i, .enable_i(en_i && valid), .d_i(encrypted ^ block_late), .q_o(hash_o));
endmodule
