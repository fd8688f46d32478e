// SPDX-License-Identifier: MIT OR Apache-2.0

// Garbles one AND per cycle by half gates under the suite `half-gates` (spec/suites.md).
//
//   h0(x) = AES_key_a(s(x)) ^ s(x),  h1(x) = AES_key_b(s(x)) ^ s(x),  s(hi,lo) = (hi ^ lo, hi)
//   TG = h0(A0) ^ h0(A0^D) ^ pb*D    TE = h1(B0) ^ h1(B0^D) ^ A0      pa, pb: bit 0 of A0, B0
//   C0 = h0(A0) ^ pa*TG ^ h1(B0) ^ pb*(TE ^ A0)
//
// The unit has four AES pipelines and two key schedules. Each key schedule serves two of the
// pipelines.
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
//   a_i      128   A0, false label of the first input
//   b_i      128   B0, false label of the second input
//   delta_i  128   D; constant while an operation is in the unit
//   key_a_i  128   key of h0: S ^ (2i << 64) for AND number i
//   key_b_i  128   key of h1: S ^ ((2i + 1) << 64)
//   valid_o  1     valid_i of Latency cycles earlier
//   label_o  128   C0, if valid_o
//   table_o  256   the table: TG in bits 127:0, TE above
//
// Latency: `Latency` cycles. Takes one AND per cycle. It stalls while en_i is 0.
module half_gate_garbler #(
    parameter int unsigned Impl    = 0,
    parameter int unsigned Latency = 21
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         en_i,
    input  logic         valid_i,
    input  logic [127:0] a_i,
    input  logic [127:0] b_i,
    input  logic [127:0] delta_i,
    input  logic [127:0] key_a_i,
    input  logic [127:0] key_b_i,
    output logic         valid_o,
    output logic [127:0] label_o,
    output logic [255:0] table_o
);
  localparam int unsigned Stages = Latency - 1;  // the last register is at the outputs

  function automatic logic [127:0] sigma(input logic [127:0] x);
    sigma = {x[127:64] ^ x[63:0], x[127:64]};
  endfunction

  logic              valid;
  logic [127:0]      a, b, key_a, key_b;
  logic [1:0][127:0] state_a, state_b;  // low: for the false label, high: for the true label
  logic [127:0]      label;
  logic [255:0]      rows;

  aes_pipe_any #(.Impl(Impl), .Lanes(2), .Stages(Stages)) u_aes_a (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .key_i(key_a_i),
        .block_i({sigma(a_i ^ delta_i), sigma(a_i)}),
      .valid_o(valid), .key_o(key_a), .state_o(state_a));
  // The valid bit of u_aes_b always equals that of u_aes_a, so it is not used.
  /* verilator lint_off PINCONNECTEMPTY */
  aes_pipe_any #(.Impl(Impl), .Lanes(2), .Stages(Stages)) u_aes_b (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .key_i(key_b_i),
        .block_i({sigma(b_i ^ delta_i), sigma(b_i)}),
      .valid_o(), .key_o(key_b), .state_o(state_b));
  /* verilator lint_on PINCONNECTEMPTY */
  label_delay #(.Width(256), .Stages(Stages)) u_labels (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .d_i({b_i, a_i}), .q_o({b, a}));

  half_gate_rows u_rows (
      .a_i(a), .b_i(b), .delta_i, .key_a_i(key_a), .key_b_i(key_b), .state_a_i(state_a),
      .state_b_i(state_b), .label_o(label), .table_o(rows));

  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid), .q_o(valid_o));
  pipe_reg #(.Width(384)) u_result (
      .clk_i, .clear_i, .enable_i(en_i && valid), .d_i({rows, label}), .q_o({table_o, label_o}));

  if (Latency < 2) begin : gen_unknown
    $error("half_gate_garbler: Latency is 2 or more");
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && valid_i) begin
      assert (delta_i[0]) else $error("half_gate_garbler: bit 0 of delta_i is not set");
      assert (key_a_i != key_b_i) else $error("half_gate_garbler: both hashes under one key");
    end
  end
`endif
endmodule
