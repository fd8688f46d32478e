// SPDX-License-Identifier: MIT OR Apache-2.0

// The S-box of AES (FIPS 197, section 5.1.1) as a constant: the inverse in GF(256), then an affine
// map.
package sbox_pkg;

  // p runs through all powers of the generator 3, and q is always the inverse of p.
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
  // Entry x is the substitute of byte x.
  localparam logic [255:0][7:0] Sboxes = sboxes();

endpackage
