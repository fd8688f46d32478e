// SubBytes of AES as simulators are quick with: `aes_sub` has it in place of `sbox_table`.
//
//   parameter  meaning
//   Bytes      bytes: 16 of a state, 4 of a word of a key
//
//   port     bits     meaning
//   valid_i  1        x_i holds something; 0: y_o is without meaning, and not computed
//   x_i      8*Bytes  the bytes
//   y_o      8*Bytes  each through the S-box
//
// Latency: none, combinational. Nothing stalls it.
module aes_sub_lookup #(
    parameter int unsigned Bytes = 16
) (
    input  logic                  valid_i,
    input  logic [Bytes-1:0][7:0] x_i,
    output logic [Bytes-1:0][7:0] y_o
);
  // FIPS 197, section 5.1.1: the inverse, through an affine map. Here p goes through all powers of
  // the generator 3, and q through their inverses.
  function automatic logic [255:0][7:0] sboxes();
    logic [7:0] p, q;
    p = 8'd1;
    q = 8'd1;
    sboxes    = '0;
    sboxes[0] = 8'h63;
    for (int unsigned n = 0; n < 255; n++) begin
      p = p ^ {p[6:0], 1'b0} ^ (p[7] ? 8'h1b : 8'h00);
      q = q ^ {q[6:0], 1'b0};
      q = q ^ {q[5:0], 2'b0};
      q = q ^ {q[3:0], 4'b0};
      q = q ^ (q[7] ? 8'h09 : 8'h00);
      sboxes[p] = q ^ {q[6:0], q[7]} ^ {q[5:0], q[7:6]} ^ {q[4:0], q[7:5]} ^ {q[3:0], q[7:4]}
          ^ 8'h63;
    end
  endfunction

  localparam logic [255:0][7:0] Sboxes = sboxes();

  always_comb begin
    y_o = 'x;
    if (valid_i) begin
      for (int unsigned i = 0; i < Bytes; i++) y_o[i] = Sboxes[x_i[i]];
    end
  end
endmodule
