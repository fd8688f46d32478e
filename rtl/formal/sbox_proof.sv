// SPDX-License-Identifier: MIT OR Apache-2.0

// The two forms of the S-box are equal for every byte.

module sbox_proof (
  input logic [7:0] byte_i
);

  logic [7:0] table_byte, composite_byte;
  sbox_table u_table (.x_i(byte_i), .y_o(table_byte));
  sbox_composite u_composite (.x_i(byte_i), .y_o(composite_byte));

  always_comb begin
    equal: assert (table_byte == composite_byte);
    last: cover (byte_i == 8'hff && composite_byte == 8'h16);
  end

endmodule
