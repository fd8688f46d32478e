// SPDX-License-Identifier: MIT OR Apache-2.0

// Sums, differences, comparisons and bitwise operations of two words, with one adder.

module mips_alu #(
  // Whether some operation's result is none of these, so that `value_o` must be 0 for it.
  parameter bit HasOthers = 1,
  parameter bit HasXor = 1,
  parameter bit HasCompare = 1
) (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  // The wanted result: at most one of these.
  input  logic        add_i,
  input  logic        subtract_i,
  input  logic        less_i,
  input  logic        and_i,
  input  logic        or_i,
  input  logic        nor_i,
  input  logic        xor_i,
  // Of a comparison.
  input  logic        signed_i,
  output logic [31:0] value_o,
  // The address of data, if `add_i`.
  output logic [31:0] sum_o,
  output logic        equal_o
);

  // a - b = a + ~b + 1; a < b if there is no carry. Signed numbers compare as unsigned ones once
  // their sign bits are inverted, which does not change the sum.
  logic minus, flip, carry;
  logic [31:0] a, b;
  assign minus = subtract_i ^ less_i;
  assign flip = HasCompare && signed_i;
  assign a = a_i ^ {flip, 31'h0};
  assign b = b_i ^ {flip, 31'h0} ^ {32{minus}};
  assign {carry, sum_o} = {1'b0, a} + {1'b0, b} + {32'h0, minus};

  logic [31:0] differ, both, logical;
  assign differ = a_i ^ b_i;
  assign both = a_i & b_i;
  assign equal_o = differ == '0;

  // or = xor ^ and; what is not wanted at all has no gates.
  logic from_differ, from_both, from_sum;
  assign from_differ = HasXor && !HasOthers ? ~(and_i) : xor_i ^ or_i ^ nor_i;
  assign from_both = and_i ^ or_i ^ nor_i;
  assign logical = differ & {32{from_differ}} ^ both & {32{from_both}} ^ {32{nor_i}};
  assign from_sum = add_i ^ subtract_i;
  assign value_o = (from_sum ? sum_o : logical) ^ {31'h0, less_i & ~carry};

endmodule
