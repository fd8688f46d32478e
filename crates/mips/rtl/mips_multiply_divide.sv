// SPDX-License-Identifier: MIT OR Apache-2.0

// HI and LO, and what is written to them: a product, or a quotient and a remainder, within a step.
//
// Both work on magnitudes, so signs are removed and restored once for both. A shallow quotient and
// remainder have their own restoring, as a product's sign is a chain of 64 bits.

module mips_multiply_divide #(
  parameter bit HasMultiply = 1,
  parameter bit HasDivide = 1,
  // Division in fewer ANDs behind one another, and more of them.
  parameter bit Shallow = 0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        multiply_i,
  input  logic        divide_i,
  input  logic        signed_i,
  // `a_i` goes into HI or LO.
  input  logic        to_hi_i,
  input  logic        to_lo_i,
  output logic [31:0] hi_o,
  output logic [31:0] lo_o,
  output logic [31:0] next_hi_o,
  output logic [31:0] next_lo_o
);

  logic [31:0] hi, lo;
  assign hi_o = hi;
  assign lo_o = lo;

  logic a_negative, b_negative, opposite;
  logic [31:0] a, b;
  assign a_negative = signed_i & a_i[31];
  assign b_negative = signed_i & b_i[31];
  assign opposite = a_negative ^ b_negative;
  if (Shallow && HasDivide) begin : gen_shallow_magnitudes
    mips_negate u_a (.value_i(a_i), .negate_i(a_negative), .value_o(a));
    mips_negate u_b (.value_i(b_i), .negate_i(b_negative), .value_o(b));
  end else begin : gen_magnitudes
    assign a = (a_i ^ {32{a_negative}}) + {31'h0, a_negative};
    assign b = (b_i ^ {32{b_negative}}) + {31'h0, b_negative};
  end

  logic [63:0] product;
  logic [31:0] quotient, rest;
  if (HasMultiply) begin : gen_multiply
    assign product = {32'h0, a} * {32'h0, b};
  end else begin : gen_no_product
    assign product = '0;
  end
  if (HasDivide && Shallow) begin : gen_shallow_divide
    mips_divide u_divide (
      .dividend_i(a), .divisor_i(b), .quotient_o(quotient), .rest_o(rest)
    );
  end else if (HasDivide) begin : gen_divide
    assign quotient = a / b;
    assign rest = a % b;
  end else begin : gen_no_quotient
    assign quotient = '0;
    assign rest = '0;
  end

  // Halves of the magnitude, each with its sign restored; a product's carry goes between them.
  logic is_product, hi_negative, hi_carry;
  logic [31:0] high, low;
  logic [32:0] signed_low;
  logic [31:0] signed_high;
  assign is_product = HasMultiply && (!HasDivide || Shallow || multiply_i);
  assign high = is_product ? product[63:32] : rest;
  assign low = is_product ? product[31:0] : quotient;
  assign signed_low = {1'b0, low ^ {32{opposite}}} + {32'h0, opposite};
  assign hi_negative = is_product ? opposite : a_negative;
  assign hi_carry = is_product ? signed_low[32] : a_negative;
  assign signed_high = (high ^ {32{hi_negative}}) + {31'h0, hi_carry};

  logic [31:0] new_hi, new_lo;
  if (HasDivide && Shallow) begin : gen_shallow_signs
    logic [31:0] signed_rest, signed_quotient;
    mips_negate u_rest (.value_i(rest), .negate_i(a_negative), .value_o(signed_rest));
    mips_negate u_quotient (.value_i(quotient), .negate_i(opposite), .value_o(signed_quotient));
    assign new_hi = HasMultiply && multiply_i ? signed_high : signed_rest;
    assign new_lo = HasMultiply && multiply_i ? signed_low[31:0] : signed_quotient;
  end else begin : gen_signs
    assign new_hi = signed_high;
    assign new_lo = signed_low[31:0];
  end

  logic both;
  assign both = multiply_i ^ divide_i;
  assign next_hi_o = (both ^ to_hi_i) ? (to_hi_i ? a_i : new_hi) : hi;
  assign next_lo_o = (both ^ to_lo_i) ? (to_lo_i ? a_i : new_lo) : lo;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      hi <= '0;
      lo <= '0;
    end else begin
      hi <= next_hi_o;
      lo <= next_lo_o;
    end
  end

endmodule
