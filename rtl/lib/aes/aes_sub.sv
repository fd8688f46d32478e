// SubBytes of AES on any number of bytes.
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`)
//   Bytes      bytes: 16 of a state, 4 of a word of a key
//
//   port  bits     meaning
//   x_i   8*Bytes  the bytes
//   y_o   8*Bytes  each through the S-box
//
// Latency: none, combinational. Nothing stalls it.
module aes_sub #(
    parameter int unsigned Impl  = 0,
    parameter int unsigned Bytes = 16
) (
    input  logic [Bytes-1:0][7:0] x_i,
    output logic [Bytes-1:0][7:0] y_o
);
  for (genvar i = 0; i < int'(Bytes); i++) begin : gen_byte
    sbox #(.Impl(Impl)) u_sbox (.x_i(x_i[i]), .y_o(y_o[i]));
  end
endmodule
