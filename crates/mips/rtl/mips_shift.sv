// SPDX-License-Identifier: MIT OR Apache-2.0

// One shifter for both directions: for a shift to the left, the word is reversed before and after.

module mips_shift #(
  parameter bit HasLeft = 1,
  parameter bit HasRight = 1
) (
  input  logic [31:0] value_i,
  input  logic [4:0]  by_i,
  input  logic        left_i,
  // What comes in on the left of a word that goes to the right.
  input  logic        fill_i,
  output logic [31:0] value_o
);

  logic [31:0] reversed, in, out, back;
  logic left;
  assign left = !HasRight || (HasLeft && left_i);

  // No bit depends on itself.
  /* verilator lint_off UNOPTFLAT */
  logic [6*32-1:0] stages;
  /* verilator lint_on UNOPTFLAT */
  assign stages[31:0] = in;
  for (genvar i = 0; i < 5; i++) begin : gen_stage
    assign stages[32*(i+1)+:32] =
        by_i[i] ? {{2 ** i{fill_i}}, stages[32*i+2**i+:32-2**i]} : stages[32*i+:32];
  end
  assign out = stages[5*32+:32];

  for (genvar i = 0; i < 32; i++) begin : gen_bit
    assign reversed[i] = value_i[31-i];
    assign back[i] = out[31-i];
  end
  assign in = left ? reversed : value_i;
  assign value_o = left ? back : out;

endmodule
