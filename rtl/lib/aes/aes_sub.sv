// SPDX-License-Identifier: MIT OR Apache-2.0

// SubBytes of AES on any number of bytes.
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`)
//   Bytes      number of bytes: 16 for a state, 4 for a word of a key
//
//   port     bits     meaning
//   valid_i  1        x_i is valid; 0: y_o is undefined
//   x_i      8*Bytes  the bytes
//   y_o      8*Bytes  the substitute of each byte
//
// Latency: none, combinational. Nothing stalls it. Synthesis does not need valid_i. In simulation
// it avoids lookups of unused bytes, which are most lookups in a pipeline. For this, simulation
// uses `aes_sub_lookup` instead of instances of `sbox`.
module aes_sub #(
    parameter int unsigned Impl  = 0,
    parameter int unsigned Bytes = 16
) (
    input  logic                  valid_i,
    input  logic [Bytes-1:0][7:0] x_i,
    output logic [Bytes-1:0][7:0] y_o
);
`ifndef SYNTHESIS
  if (Impl == 0) begin : gen_looked_up
    aes_sub_lookup #(.Bytes(Bytes)) u_lookup (.valid_i, .x_i, .y_o);
  end else
`endif
  begin : gen_instances
    for (genvar i = 0; i < int'(Bytes); i++) begin : gen_byte
      sbox #(.Impl(Impl)) u_sbox (.x_i(x_i[i]), .y_o(y_o[i]));
    end
    logic unused;
    assign unused = valid_i;
  end
endmodule
