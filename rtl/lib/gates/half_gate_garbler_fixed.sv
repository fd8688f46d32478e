// SPDX-License-Identifier: MIT OR Apache-2.0

// Garbles one AND per cycle by half gates under one key for the whole run. This is the suite
// `half-gates-fixed-key` or, if s is the identity, `half-gates-fase` (spec/suites.md). The formulas
// are those of `half_gate_garbler` with
//
//   h0(x) = AES_K(y) ^ y,  y = s(x) ^ T,   h1 the same with T ^ 1
//
//   parameter  meaning
//   Impl       AES: 0 TABLE, 1 COMPOSITE (see `sbox`)
//   Latency    cycles from operands to outputs, 2 to 22
//   Sigma      0: s is the identity, which reveals Delta
//
//   port     bits  meaning
//   clk_i    1     clock
//   rst_ni   1     reset, active low, asynchronous
//   clear_i  1     nothing is left in the registers after this cycle
//   en_i     1     the registers advance at the end of this cycle, unless clear_i
//   keys_i   1408  round keys of K; constant while an operation is in the unit
//   valid_i  1     the operands and the tweak are valid
//   a_i      128   A0, false label of the first input
//   b_i      128   B0, false label of the second input
//   delta_i  128   D; constant while an operation is in the unit
//   tweak_i  128   T, an even number
//   valid_o  1     valid_i of Latency cycles earlier
//   label_o  128   C0, if valid_o
//   table_o  256   the table: TG in bits 127:0, TE above
//
// Latency: `Latency` cycles. Takes one AND per cycle. It stalls while en_i is 0.
module half_gate_garbler_fixed #(
    parameter int unsigned Impl    = 0,
    parameter int unsigned Latency = 11,
    parameter bit          Sigma   = 1'b1
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,
    input  logic               en_i,
    input  logic [10:0][127:0] keys_i,
    input  logic               valid_i,
    input  logic [127:0]       a_i,
    input  logic [127:0]       b_i,
    input  logic [127:0]       delta_i,
    input  logic [127:0]       tweak_i,
    output logic               valid_o,
    output logic [127:0]       label_o,
    output logic [255:0]       table_o
);
  localparam int unsigned Stages = Latency - 1;  // the last register is at the outputs

  function automatic logic [127:0] sigma(input logic [127:0] x);
    sigma = Sigma ? {x[127:64] ^ x[63:0], x[127:64]} : x;
  endfunction

  // All valid bits are equal, so one of them is used.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [3:0]        valid;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0][127:0] blocks, hashes;
  logic [127:0]      a, b, tweak, tweak_b, label;
  logic [1:0][127:0] of_a, of_b;  // low: for the false label, high: for the true label
  logic [255:0]      rows;

  assign tweak_b = tweak_i ^ 128'd1;

  // The inputs of the four hashes, lowest first: of A0, A1, B0, B1. All results are valid in the
  // same cycle.
  assign blocks = {sigma(b_i ^ delta_i) ^ tweak_b, sigma(b_i) ^ tweak_b,
                   sigma(a_i ^ delta_i) ^ tweak_i, sigma(a_i) ^ tweak_i};
  for (genvar h = 0; h < 4; h++) begin : gen_hash
    aes_pipe_keys #(.Impl(Impl), .Stages(Stages)) u_aes (
        .clk_i, .rst_ni, .clear_i, .en_i, .keys_i, .valid_i, .block_i(blocks[h]),
        .valid_o(valid[h]), .block_o(hashes[h]));
  end
  assign {of_b, of_a} = hashes;
  label_delay #(.Width(384), .Stages(Stages)) u_labels (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .d_i({tweak_i, b_i, a_i}), .q_o({tweak, b, a}));

  // half_gate_rows XORs the last round keys to the results, if they do not cancel out. Here the
  // round keys are already added, but the tweaks are not, so the tweaks are passed instead.
  half_gate_rows #(.Sigma(Sigma)) u_rows (
      .a_i(a), .b_i(b), .delta_i, .key_a_i(tweak), .key_b_i(tweak ^ 128'd1), .state_a_i(of_a),
      .state_b_i(of_b), .label_o(label), .table_o(rows));

  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid[0]), .q_o(valid_o));
  pipe_reg #(.Width(384)) u_result (
      .clk_i, .clear_i, .enable_i(en_i && valid[0]), .d_i({rows, label}), .q_o({table_o, label_o}));

  if (Latency < 2 || Latency > 22) begin : gen_unknown
    $error("half_gate_garbler_fixed: Latency is 2 to 22");
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && valid_i) begin
      assert (delta_i[0]) else $error("half_gate_garbler_fixed: bit 0 of delta_i is not set");
      assert (!tweak_i[0]) else $error("half_gate_garbler_fixed: an odd tweak");
    end
  end
`endif
endmodule
