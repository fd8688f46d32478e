// SPDX-License-Identifier: MIT OR Apache-2.0

// Evaluates an AND in ten cycles by half gates under the suite `half-gates`. It computes the
// formula of `half_gate_evaluator`. For each of the two hashes it has the hardware of one AES round
// and of one round of the key schedule.
//
//   parameter  meaning
//   Impl       form of the S-box (see `aes_folded_core`)
//
//   port     bits  meaning
//   clk_i    1     clock
//   rst_ni   1     reset, active low, asynchronous
//   clear_i  1     nothing is left in the registers after this cycle
//   valid_i  1     operands, table and keys are offered
//   ready_o  1     the offered inputs are accepted in this cycle
//   a_i      128   A, active label of the first input
//   b_i      128   B, active label of the second input
//   table_i  256   the table: TG in bits 127:0, TE above
//   key_a_i  128   key of the first hash: S ^ (2i << 64) for AND number i
//   key_b_i  128   key of the second hash: S ^ ((2i + 1) << 64)
//   valid_o  1     a result is offered; it stays until it is accepted
//   ready_i  1     the offered result is accepted in this cycle
//   label_o  128   C
//
// Latency: an AND that is accepted in cycle x has its result offered from cycle x + 11 on. An AND
// may be accepted every 10 cycles. A result that is not accepted stalls the tenth round of the next
// AND.
module half_gate_evaluator_folded #(
    parameter int unsigned Impl = 0
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [127:0] a_i,
    input  logic [127:0] b_i,
    input  logic [255:0] table_i,
    input  logic [127:0] key_a_i,
    input  logic [127:0] key_b_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [127:0] label_o
);
  function automatic logic [127:0] sigma(input logic [127:0] x);
    sigma = {x[127:64] ^ x[63:0], x[127:64]};
  endfunction

  logic         start, step, last, store;
  logic [127:0] linear, linear_q, key_a, key_b, state_a, state_b, label;

  // All terms except the two AES results are known at the input.
  assign linear = sigma(a_i ^ b_i) ^ (table_i[127:0] & {128{a_i[0]}})
      ^ ((table_i[255:128] ^ a_i) & {128{b_i[0]}});

  folded_control u_control (
      .clk_i, .rst_ni, .clear_i, .valid_i, .ready_o, .valid_o, .ready_i, .last_i(last),
      .start_o(start), .step_o(step), .store_o(store));
  // Only the states and keys differ between the two hashes.
  /* verilator lint_off PINCONNECTEMPTY */
  aes_folded_core #(.Impl(Impl)) u_aes_a (
      .clk_i, .rst_ni, .clear_i, .start_i(start), .step_i(step), .key_i(key_a_i),
      .block_i(sigma(a_i)), .last_o(last), .late_o(), .key_o(key_a), .state_o(state_a));
  // u_aes_b is always in the same round as u_aes_a.
  aes_folded_core #(.Impl(Impl)) u_aes_b (
      .clk_i, .rst_ni, .clear_i, .start_i(start), .step_i(step), .key_i(key_b_i),
      .block_i(sigma(b_i)), .last_o(), .late_o(), .key_o(key_b), .state_o(state_b));
  /* verilator lint_on PINCONNECTEMPTY */
  pipe_reg #(.Width(128)) u_linear (
      .clk_i, .clear_i, .enable_i(start), .d_i(linear), .q_o(linear_q));

  assign label = state_a ^ key_a ^ state_b ^ key_b ^ linear_q;
  pipe_reg #(.Width(128)) u_result (
      .clk_i, .clear_i, .enable_i(store), .d_i(label), .q_o(label_o));

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start) begin
      assert (key_a_i != key_b_i)
      else $error("half_gate_evaluator_folded: both hashes under one key");
    end
  end
`endif
endmodule
