// A number, or what is left of 0 when it is taken off: bits above its lowest one change. Few ANDs stand behind one another,
// however the number's bits come.

module mips_negate (
  input  logic [31:0] value_i,
  input  logic        negate_i,
  output logic [31:0] value_o
);

  logic [31:0] above;
  mips_any_below #(.Width(31)) u_above (.bits_i(value_i[30:0]), .any_o(above));
  assign value_o = value_i ^ ({32{negate_i}} & above);

endmodule
