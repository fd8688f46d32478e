// The S-box of AES with 32 ANDs: the straight-line program of 115 gates by Boyar and Peralta ("A
// new combinational logic minimization technique with applications to cryptology", SEA 2010), which
// numbers bits from the highest.
module sbox (
    input [7:0] x,
    output [7:0] s
);
  // To a tower of fields.
  wire x0 = x[7], x1 = x[6], x2 = x[5], x3 = x[4], x4 = x[3], x5 = x[2], x6 = x[1], x7 = x[0];
  wire y14 = x3 ^ x5;
  wire y13 = x0 ^ x6;
  wire y9 = x0 ^ x3;
  wire y8 = x0 ^ x5;
  wire t0 = x1 ^ x2;
  wire y1 = t0 ^ x7;
  wire y4 = y1 ^ x3;
  wire y12 = y13 ^ y14;
  wire y2 = y1 ^ x0;
  wire y5 = y1 ^ x6;
  wire y3 = y5 ^ y8;
  wire t1 = x4 ^ y12;
  wire y15 = t1 ^ x5;
  wire y20 = t1 ^ x1;
  wire y6 = y15 ^ x7;
  wire y10 = y15 ^ t0;
  wire y11 = y20 ^ y9;
  wire y7 = x7 ^ y11;
  wire y17 = y10 ^ y11;
  wire y19 = y10 ^ y8;
  wire y16 = t0 ^ y11;
  wire y21 = y13 ^ y16;
  wire y18 = x0 ^ y16;

  // The element's norm in GF(2^4): 9 ANDs.
  wire p0 = y12 & y15;
  wire p3 = y13 & y16;
  wire p6 = y9 & y11;
  wire low = (y14 & y17) ^ p6;
  wire high = (y8 & y10) ^ p6;
  wire n0 = (y3 & y6) ^ p0 ^ low ^ y20;
  wire n1 = (y4 & x7) ^ p0 ^ high ^ y19;
  wire n2 = (y5 & y1) ^ p3 ^ low ^ y21;
  wire n3 = (y2 & y7) ^ p3 ^ high ^ y18;

  // The norm's inverse: 5 ANDs.
  wire n02 = n0 & n2;
  wire u = n3 ^ n02;
  wire i0 = ((n0 ^ n1) & u) ^ n1;
  wire i1 = ((n1 ^ n02) & (n2 ^ n3)) ^ n3;
  wire w = n3 & (u ^ i1);
  wire i2 = w ^ n2 ^ i1;
  wire i3 = (i0 & (u ^ w)) ^ n0 ^ n1;

  // Back up, times each half of the element: 18 ANDs.
  wire i23 = i3 ^ i2, i01 = i0 ^ i1, i03 = i0 ^ i3, i12 = i1 ^ i2;
  wire all = i01 ^ i23;
  wire [8:0] inverse = {i23, all, i01, i0, i3, i03, i1, i2, i12};
  wire [8:0] z_low = inverse & {y10, y17, y11, y7, y1, y16, x7, y6, y15};
  wire [8:0] z_high = inverse & {y8, y14, y9, y2, y5, y13, y4, y3, y12};
  wire [17:0] z = {z_high, z_low};

  // Out of the tower, and the affine map.
  wire t46 = z[15] ^ z[16];
  wire t53 = z[0] ^ z[3];
  wire t48 = z[5] ^ z[13];
  wire t57 = z[2] ^ z[12] ^ t53;
  wire t58 = z[4] ^ t46;
  wire t59 = z[3] ^ z[6] ^ z[7];
  wire t62 = z[7] ^ z[8] ^ t58;
  wire t63 = z[9] ^ z[10] ^ t58;
  wire t64 = z[4] ^ t59;
  wire t65 = z[14] ^ t57 ^ t62;
  wire t66 = z[1] ^ t63;
  wire t67 = t64 ^ t65;
  wire s3 = t53 ^ t66;
  assign s = {
    t59 ^ t63,
    ~(t64 ^ s3),
    ~(z[16] ^ z[17] ^ t67),
    s3,
    z[2] ^ z[5] ^ t66,
    z[10] ^ z[11] ^ t65,
    ~(z[12] ^ t48 ^ t62),
    ~(t48 ^ t46 ^ t57)
  };
endmodule
