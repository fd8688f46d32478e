// SPDX-License-Identifier: MIT OR Apache-2.0

// A number or its negative, which inverts all bits above the lowest one. Its depth is small, in
// whatever order the number's bits are ready.

module mips_negate (
  input  logic [31:0] value_i,
  input  logic        negate_i,
  output logic [31:0] value_o
);

  logic [31:0] above;
  mips_any_below #(.Width(31)) u_above (.bits_i(value_i[30:0]), .any_o(above));
  assign value_o = value_i ^ ({32{negate_i}} & above);

endmodule
