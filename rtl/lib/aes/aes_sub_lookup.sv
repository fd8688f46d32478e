// SPDX-License-Identifier: MIT OR Apache-2.0

// SubBytes of AES in a form that simulators execute fast: `aes_sub` uses it in place of
// `sbox_table`.
//
//   parameter  meaning
//   Bytes      number of bytes: 16 for a state, 4 for a word of a key
//
//   port     bits     meaning
//   valid_i  1        x_i is valid; 0: y_o is undefined, and not computed
//   x_i      8*Bytes  the bytes
//   y_o      8*Bytes  the substitute of each byte
//
// Latency: none, combinational. Nothing stalls it.
module aes_sub_lookup #(
    parameter int unsigned Bytes = 16
) (
    input  logic                  valid_i,
    input  logic [Bytes-1:0][7:0] x_i,
    output logic [Bytes-1:0][7:0] y_o
);
  always_comb begin
    y_o = 'x;
    if (valid_i) begin
      for (int unsigned i = 0; i < Bytes; i++) y_o[i] = sbox_pkg::Sboxes[x_i[i]];
    end
  end
endmodule
