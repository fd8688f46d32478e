// SPDX-License-Identifier: MIT OR Apache-2.0

// Evaluates one AND per cycle by half gates under the suite `half-gates` (spec/suites.md).
//
//   h0(x) = AES_key_a(s(x)) ^ s(x),  h1(x) = AES_key_b(s(x)) ^ s(x),  s(hi,lo) = (hi ^ lo, hi)
//   C = h0(A) ^ sa*TG ^ h1(B) ^ sb*(TE ^ A)      sa, sb: bit 0 of A, B
//
// Two AES pipelines, each with its key schedule.
//
//   parameter  meaning
//   Impl       AES: 0 TABLE, 1 COMPOSITE, 2 DPI (see `aes_pipe`)
//   Latency    cycles from operands to outputs, 2 or more
//
//   port     bits  meaning
//   clk_i    1     clock
//   rst_ni   1     reset, active low, asynchronous
//   clear_i  1     nothing is left in the registers after this cycle
//   en_i     1     the registers advance at the end of this cycle, unless clear_i
//   valid_i  1     the operands and keys are valid
//   a_i      128   A, active label of the first input
//   b_i      128   B, active label of the second input
//   table_i  256   the table: TG in bits 127:0, TE above
//   key_a_i  128   key of h0: S ^ (2i << 64) for AND number i
//   key_b_i  128   key of h1: S ^ ((2i + 1) << 64)
//   valid_o  1     valid_i of Latency cycles earlier
//   label_o  128   C, if valid_o
//
// Latency: `Latency` cycles. Takes one AND per cycle. It stalls while en_i is 0.
module half_gate_evaluator #(
    parameter int unsigned Impl    = 0,
    parameter int unsigned Latency = 18
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         en_i,
    input  logic         valid_i,
    input  logic [127:0] a_i,
    input  logic [127:0] b_i,
    input  logic [255:0] table_i,
    input  logic [127:0] key_a_i,
    input  logic [127:0] key_b_i,
    output logic         valid_o,
    output logic [127:0] label_o
);
  localparam int unsigned Stages = Latency - 1;  // the last register is at the output

  function automatic logic [127:0] sigma(input logic [127:0] x);
    sigma = {x[127:64] ^ x[63:0], x[127:64]};
  endfunction

  logic         valid;
  logic [127:0] linear, linear_late, key_a, key_b, state_a, state_b, label;

  // All terms except the two AES results are known at the input. Only their XOR is delayed until
  // the AES results are ready.
  assign linear = sigma(a_i ^ b_i) ^ (table_i[127:0] & {128{a_i[0]}})
      ^ ((table_i[255:128] ^ a_i) & {128{b_i[0]}});

  aes_pipe_any #(.Impl(Impl), .Lanes(1), .Stages(Stages)) u_aes_a (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .key_i(key_a_i), .block_i(sigma(a_i)),
        .valid_o(valid),
      .key_o(key_a), .state_o(state_a));
  // The valid bit of u_aes_b always equals that of u_aes_a, so it is not used.
  /* verilator lint_off PINCONNECTEMPTY */
  aes_pipe_any #(.Impl(Impl), .Lanes(1), .Stages(Stages)) u_aes_b (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .key_i(key_b_i), .block_i(sigma(b_i)), .valid_o(),
      .key_o(key_b), .state_o(state_b));
  /* verilator lint_on PINCONNECTEMPTY */
  label_delay #(.Width(128), .Stages(Stages)) u_linear (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .d_i(linear), .q_o(linear_late));

  assign label = state_a ^ key_a ^ state_b ^ key_b ^ linear_late;

  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid), .q_o(valid_o));
  pipe_reg #(.Width(128)) u_result (
      .clk_i, .clear_i, .enable_i(en_i && valid), .d_i(label), .q_o(label_o));

  if (Latency < 2) begin : gen_unknown
    $error("half_gate_evaluator: Latency is 2 or more");
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && valid_i) begin
      assert (key_a_i != key_b_i) else $error("half_gate_evaluator: both hashes under one key");
    end
  end
`endif
endmodule
