// SPDX-License-Identifier: MIT OR Apache-2.0

// The S-box of AES by arithmetic in a tower of fields, for synthesis.
//
//   port  bits  meaning
//   x_i   8     the byte
//   y_o   8     its substitute
//
// Latency: none, combinational. Nothing stalls it.
//
// The inverse of x is x^16 / N, where the norm N = x^17 lies in GF(16). x is split into two
// elements of GF(16), a and b. An element of GF(16) is represented by its values at three points of
// the projective line over GF(4). So a product in GF(16) is three products in GF(4). The maps x ->
// x^16 and the affine map are linear and need no logic of their own: they are part of the XORs at
// the end. An element of GF(4) has two bits, so three nonzero linear forms: each bit, and their
// XOR. Two of the three are kept, whichever need less logic.
//
// The logic below is 46 functions of at most four bits. We searched all ways to split x, and chose
// the one from which the mapper of Yosys makes the fewest 4-input tables (it does not keep the
// functions as they are written). `scripts/rtl-prove.py` proves it equal to `sbox_table`.
module sbox_composite (
    input  logic [7:0] x_i,
    output logic [7:0] y_o
);
  // a and b at the three points. All are linear in x.
  logic [1:0] a0, a1, a2, b0, b1, b2;
  assign a0 = {x_i[1] ^ x_i[3] ^ x_i[6] ^ b0[1], x_i[0] ^ x_i[1] ^ x_i[4]};
  assign a1 = {x_i[3] ^ x_i[4] ^ x_i[7], x_i[1] ^ x_i[3] ^ b0[1]};
  assign a2 = {x_i[1] ^ x_i[2] ^ x_i[5], x_i[6]};
  assign b0 = {x_i[0] ^ x_i[7] ^ a2[1], x_i[4] ^ x_i[5] ^ x_i[7]};
  assign b1 = {x_i[5] ^ a0[1], x_i[7]};
  assign b2 = {x_i[4] ^ a0[1], x_i[1] ^ x_i[6] ^ a1[1]};

  // Parts of N: for each point, two linear forms of the product a * b. They include those parts of
  // the squares in N that depend on the same bits.
  logic [1:0] n0, n1, n2;
  assign n0[0] = (a0[1] & b0[1]) ^ (a0[0] & b0[0]);
  assign n0[1] = (a0[1] & b0[0]) ^ (a0[0] & b0[1]) ^ (a0[0] & b0[0]);
  assign n1[0] = (a1[1] & b1[1]) ^ (a1[1] & b1[0]) ^ (a1[0] & b1[1]);
  assign n1[1] = (a1[1] & b1[1]) ^ (a1[0] & b1[0]) ^ a1[0];
  assign n2[0] = (a2[1] & b2[1]) ^ (a2[1] & b2[0]) ^ (a2[0] & b2[0]) ^ a2[1];
  assign n2[1] = (a2[1] & b2[1]) ^ (a2[0] & b2[1]) ^ (a2[0] & b2[0]);

  logic [3:0] n;
  assign n[0] = n0[1] ^ n1[1] ^ x_i[4] ^ b0[0];
  assign n[1] = n0[1] ^ n2[1] ^ x_i[0] ^ x_i[5];
  assign n[2] = n1[0] ^ n2[0] ^ x_i[3] ^ b1[1];
  assign n[3] = n0[0] ^ n2[0] ^ x_i[3] ^ a2[1];

  // e = 1 / N at the three points, or 0 if N is 0.
  logic [1:0] e0, e1, e2;
  assign e0[0] = n[1] ^ (n[0] & n[1]) ^ n[2] ^ (n[1] & n[2]) ^ (n[0] & n[1] & n[2])
      ^ (n[0] & n[3]) ^ (n[1] & n[3]) ^ (n[2] & n[3]);
  assign e0[1] = n[0] ^ (n[0] & n[1]) ^ n[2] ^ (n[0] & n[3]) ^ (n[1] & n[3])
      ^ (n[0] & n[2] & n[3]) ^ (n[1] & n[2] & n[3]);
  assign e1[0] = n[1] ^ (n[1] & n[3]) ^ (n[0] & n[1] & n[3]) ^ (n[2] & n[3])
      ^ (n[1] & n[2] & n[3]);
  assign e1[1] = n[1] ^ (n[0] & n[1]) ^ (n[1] & n[2]) ^ n[3] ^ (n[1] & n[3])
      ^ (n[0] & n[1] & n[3]) ^ (n[2] & n[3]);
  assign e2[0] = n[0] ^ n[2] ^ (n[1] & n[2]) ^ n[3] ^ (n[0] & n[3]) ^ (n[1] & n[3])
      ^ (n[0] & n[2] & n[3]);
  assign e2[1] = n[0] ^ (n[1] & n[2]) ^ (n[0] & n[1] & n[2]) ^ (n[1] & n[3])
      ^ (n[0] & n[1] & n[3]) ^ (n[0] & n[2] & n[3]);

  // e * a and e * b at the three points, in the forms that the outputs need.
  logic [1:0] p0, p1, p2, q0, q1, q2;
  assign p0[0] = (e0[0] & a0[1]) ^ (e0[1] & a0[0]);
  assign p0[1] = (e0[0] & a0[0]) ^ (e0[1] & a0[1]) ^ (e0[1] & a0[0]);
  assign p1[0] = (e1[0] & a1[1]) ^ (e1[1] & a1[0]);
  assign p1[1] = (e1[0] & a1[0]) ^ (e1[1] & a1[1]) ^ (e1[1] & a1[0]);
  assign p2[0] = (e2[0] & a2[1]) ^ (e2[1] & a2[1]) ^ (e2[1] & a2[0]);
  assign p2[1] = (e2[0] & a2[1]) ^ (e2[0] & a2[0]) ^ (e2[1] & a2[0]);
  assign q0[0] = (e0[0] & b0[0]) ^ (e0[1] & b0[1]) ^ (e0[1] & b0[0]);
  assign q0[1] = (e0[0] & b0[1]) ^ (e0[0] & b0[0]) ^ (e0[1] & b0[1]);
  assign q1[0] = (e1[0] & b1[0]) ^ (e1[1] & b1[1]) ^ (e1[1] & b1[0]);
  assign q1[1] = (e1[0] & b1[1]) ^ (e1[1] & b1[0]);
  assign q2[0] = (e2[0] & b2[0]) ^ (e2[1] & b2[1]) ^ (e2[1] & b2[0]);
  assign q2[1] = (e2[0] & b2[1]) ^ (e2[0] & b2[0]) ^ (e2[1] & b2[1]);

  // The linear part of the affine map, applied to x^16 * e. The constant of the affine map is
  // 8'h63.
  logic [7:0] s;
  always_comb begin
    s[0] = p0[1] ^ p1[0] ^ q0[0] ^ q1[1];
    s[1] = q0[1] ^ q1[0];
    s[2] = q1[1] ^ q2[0] ^ s[1];
    s[4] = q0[1] ^ q2[1] ^ s[2] ^ s[0];
    s[3] = p0[0] ^ p1[1] ^ p2[1];
    s[5] = p0[1] ^ p1[0] ^ s[1];
    s[6] = p0[0] ^ p2[0] ^ q1[1] ^ q2[0];
    s[7] = p1[0] ^ p2[1] ^ s[1];
  end
  assign y_o = s ^ 8'h63;
endmodule
