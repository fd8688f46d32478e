// SPDX-License-Identifier: MIT OR Apache-2.0

// A quotient and a remainder, one bit a row, at a depth of some 300 ANDs; borrow chains have 560.
// Division by 0 gives a quotient of all ones, and the dividend as remainder.

module mips_divide (
  input  logic [31:0] dividend_i,
  input  logic [31:0] divisor_i,
  output logic [31:0] quotient_o,
  output logic [31:0] rest_o
);

  // How many of the divisor's highest bits make one that is set.
  logic [30:0] turned;
  logic [31:0] is_more;
  for (genvar j = 0; j < 31; j++) begin : gen_turn
    assign turned[j] = divisor_i[31-j];
  end
  mips_any_below #(.Width(31)) u_is_more (.bits_i(turned), .any_o(is_more));

  // What is left after each row, as many bits as the dividend has had so far: 1, 2, 3, …
  logic [32*33/2-1:0] rest;
  for (genvar row = 0; row < 32; row++) begin : gen_row
    localparam int Width = row + 1;
    logic [Width-1:0] now, left;
    if (row == 0) begin : gen_first
      assign now = dividend_i[31];
    end else begin : gen_next
      assign now = {rest[row*(row-1)/2 +: row], dividend_i[31-row]};
    end
    assign rest[row*(row+1)/2 +: Width] = left;
    mips_divide_row #(.Width(Width)) u_row (
      .rest_i(now),
      .divisor_i(divisor_i[Width-1:0]),
      .is_more_i(is_more[31-row]),
      .quotient_o(quotient_o[31-row]),
      .rest_o(left)
    );
  end
  assign rest_o = rest[31*32/2 +: 32];

endmodule
