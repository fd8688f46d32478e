// SPDX-License-Identifier: MIT OR Apache-2.0

// The S-box of AES in the form that `Impl` names.
//
//   parameter  meaning
//   Impl       0 TABLE: `sbox_table`, quick in simulation; 1 COMPOSITE: `sbox_composite`, small in
//              synthesis. The two are proved equal (`scripts/rtl-prove.py`).
//
//   port  bits  meaning
//   x_i   8     the byte
//   y_o   8     its substitute
//
// Latency: none, combinational. Nothing stalls it.
module sbox #(
    parameter int unsigned Impl = 0
) (
    input  logic [7:0] x_i,
    output logic [7:0] y_o
);
  if (Impl == 0) begin : gen_table
    sbox_table u_sbox (.x_i, .y_o);
  end else if (Impl == 1) begin : gen_composite
    sbox_composite u_sbox (.x_i, .y_o);
  end else begin : gen_unknown
    $error("sbox: Impl is 0 (TABLE) or 1 (COMPOSITE)");
  end
endmodule
