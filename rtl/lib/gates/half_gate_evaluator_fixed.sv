// SPDX-License-Identifier: MIT OR Apache-2.0

// Evaluates one AND per cycle by half gates under one key for the whole run: the suite
// `half-gates-fixed-key` (spec/suites.md). The formula is that of `half_gate_evaluator` with
//
//   h0(x) = AES_K(y) ^ y,  y = s(x) ^ T,   h1 the same with T ^ 1
//
//   parameter  meaning
//   Impl       AES: 0 TABLE, 1 COMPOSITE (see `sbox`)
//   Latency    cycles from operands to outputs, 2 to 22
//
//   port     bits  meaning
//   clk_i    1     clock
//   rst_ni   1     reset, active low, asynchronous
//   clear_i  1     nothing is left in the registers after this cycle
//   en_i     1     the registers advance at the end of this cycle, unless clear_i
//   keys_i   1408  round keys of K; constant while an operation is in the unit
//   valid_i  1     the operands, the table and the tweak are valid
//   a_i      128   A, active label of the first input
//   b_i      128   B, active label of the second input
//   table_i  256   the table: TG in bits 127:0, TE above
//   tweak_i  128   T, an even number
//   valid_o  1     valid_i of Latency cycles earlier
//   label_o  128   C, if valid_o
//
// Latency: `Latency` cycles. Takes one AND per cycle. It stalls while en_i is 0.
module half_gate_evaluator_fixed #(
    parameter int unsigned Impl    = 0,
    parameter int unsigned Latency = 21
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,
    input  logic               en_i,
    input  logic [10:0][127:0] keys_i,
    input  logic               valid_i,
    input  logic [127:0]       a_i,
    input  logic [127:0]       b_i,
    input  logic [255:0]       table_i,
    input  logic [127:0]       tweak_i,
    output logic               valid_o,
    output logic [127:0]       label_o
);
  localparam int unsigned Stages = Latency - 1;  // the last register is at the output

  function automatic logic [127:0] sigma(input logic [127:0] x);
    sigma = {x[127:64] ^ x[63:0], x[127:64]};
  endfunction

  // All valid bits are equal, so one of them is used.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [1:0]        valid;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0][127:0] blocks, encrypted;
  logic [127:0]      linear, linear_late;

  // All terms except the two AES results are known at the input. The two tweaks T and T ^ 1 cancel
  // out, except in bit 0.
  assign blocks = {sigma(b_i) ^ tweak_i ^ 128'd1, sigma(a_i) ^ tweak_i};
  assign linear = sigma(a_i ^ b_i) ^ 128'd1 ^ (table_i[127:0] & {128{a_i[0]}})
      ^ ((table_i[255:128] ^ a_i) & {128{b_i[0]}});

  // Both pipelines have valid outputs in the same cycles.
  for (genvar h = 0; h < 2; h++) begin : gen_hash
    aes_pipe_keys #(.Impl(Impl), .Stages(Stages)) u_aes (
        .clk_i, .rst_ni, .clear_i, .en_i, .keys_i, .valid_i, .block_i(blocks[h]),
        .valid_o(valid[h]), .block_o(encrypted[h]));
  end
  label_delay #(.Width(128), .Stages(Stages)) u_linear (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .d_i(linear), .q_o(linear_late));

  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid[0]), .q_o(valid_o));
  pipe_reg #(.Width(128)) u_result (
      .clk_i, .clear_i, .enable_i(en_i && valid[0]),
      .d_i(encrypted[0] ^ encrypted[1] ^ linear_late), .q_o(label_o));

  if (Latency < 2 || Latency > 22) begin : gen_unknown
    $error("half_gate_evaluator_fixed: Latency is 2 to 22");
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && valid_i) begin
      assert (!tweak_i[0]) else $error("half_gate_evaluator_fixed: an odd tweak");
    end
  end
`endif
endmodule
