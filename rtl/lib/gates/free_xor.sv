// SPDX-License-Identifier: MIT OR Apache-2.0

// The unit for free gates: XOR of two labels, or a copy of one, in one cycle.
//
// Only the garbler inverts: the false label of the inverse of a wire is the wire's false label XOR
// Δ. In an evaluator delta_i is tied to 0.
//
//   parameter  meaning
//   Width      bits of a label
//
//   port      bits   meaning
//   clk_i     1      clock
//   rst_ni    1      reset, active low, asynchronous
//   clear_i   1      nothing is left in the registers after this cycle
//   en_i      1      the registers advance at the end of this cycle, unless clear_i
//   valid_i   1      the operands are valid
//   copy_i    1      copy a_i; b_i is ignored
//   invert_i  1      invert the result
//   a_i       Width  label
//   b_i       Width  label
//   delta_i   Width  in a garbler Δ, in an evaluator 0
//   valid_o   1      valid_i of the previous cycle
//   label_o   Width  label of the result, if valid_o
//
// Latency: one cycle. Takes one gate per cycle. It stalls while en_i is 0.
module free_xor #(
    parameter int unsigned Width = 128
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic             en_i,
    input  logic             valid_i,
    input  logic             copy_i,
    input  logic             invert_i,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic [Width-1:0] delta_i,
    output logic             valid_o,
    output logic [Width-1:0] label_o
);
  logic [Width-1:0] result;

  assign result = a_i ^ (b_i & {Width{~copy_i}}) ^ (delta_i & {Width{invert_i}});

  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid_i), .q_o(valid_o));
  pipe_reg #(.Width(Width)) u_result (
      .clk_i, .clear_i, .enable_i(en_i && valid_i), .d_i(result), .q_o(label_o));
endmodule
