module sbox_composite (input logic [7:0] x_i, output logic [7:0] y_o);
  sbox_table u(.x_i,.y_o);
endmodule
