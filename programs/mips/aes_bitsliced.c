/* AES-128 of one block without a look-up: plane k has bit 7 - k of each byte, byte i (counted down the columns) at bit i.
 * The eleven round keys are one party's, the block is the other's, both in planes. No address and no branch depends on
 * them, so that of a public program nothing is garbled but the ANDs of the S-boxes. */
#include <halfgate.h>

GARBLER unsigned short keys[88];
EVALUATOR unsigned short block[8];
OUTPUT unsigned short cipher[8];

#define ALL 0xffff

/* All sixteen S-boxes at once: the circuit of Boyar and Peralta, 32 ANDs. */
static void substitute(unsigned x[8]) {
  /* To a tower of fields. */
  unsigned y14 = x[3] ^ x[5];
  unsigned y13 = x[0] ^ x[6];
  unsigned y9 = x[0] ^ x[3];
  unsigned y8 = x[0] ^ x[5];
  unsigned t0 = x[1] ^ x[2];
  unsigned y1 = t0 ^ x[7];
  unsigned y4 = y1 ^ x[3];
  unsigned y12 = y13 ^ y14;
  unsigned y2 = y1 ^ x[0];
  unsigned y5 = y1 ^ x[6];
  unsigned y3 = y5 ^ y8;
  unsigned t1 = x[4] ^ y12;
  unsigned y15 = t1 ^ x[5];
  unsigned y20 = t1 ^ x[1];
  unsigned y6 = y15 ^ x[7];
  unsigned y10 = y15 ^ t0;
  unsigned y11 = y20 ^ y9;
  unsigned y7 = x[7] ^ y11;
  unsigned y17 = y10 ^ y11;
  unsigned y19 = y10 ^ y8;
  unsigned y16 = t0 ^ y11;
  unsigned y21 = y13 ^ y16;
  unsigned y18 = x[0] ^ y16;
  /* Inverted there. */
  unsigned p0 = y12 & y15;
  unsigned p1 = y3 & y6;
  unsigned p2 = y4 & x[7];
  unsigned p3 = y13 & y16;
  unsigned p4 = y5 & y1;
  unsigned p5 = y2 & y7;
  unsigned p6 = y9 & y11;
  unsigned p7 = y14 & y17;
  unsigned p8 = y8 & y10;
  unsigned low = p7 ^ p6;
  unsigned high = p8 ^ p6;
  unsigned n0 = p1 ^ p0 ^ low ^ y20;
  unsigned n1 = p2 ^ p0 ^ high ^ y19;
  unsigned n2 = p4 ^ p3 ^ low ^ y21;
  unsigned n3 = p5 ^ p3 ^ high ^ y18;
  unsigned n01 = n0 ^ n1;
  unsigned n23 = n2 ^ n3;
  unsigned n02 = n0 & n2;
  unsigned u = n3 ^ n02;
  unsigned i0 = n01 & u;
  i0 = i0 ^ n1;
  unsigned v = n1 ^ n02;
  unsigned i1 = v & n23;
  i1 = i1 ^ n3;
  unsigned w = u ^ i1;
  w = n3 & w;
  unsigned i2 = w ^ n2 ^ i1;
  unsigned i3 = u ^ w;
  i3 = i0 & i3;
  i3 = n01 ^ i3;
  unsigned i23 = i3 ^ i2;
  unsigned i01 = i0 ^ i1;
  unsigned i03 = i0 ^ i3;
  unsigned i12 = i1 ^ i2;
  unsigned all = i01 ^ i23;
  /* And back, the affine map with it. */
  unsigned z0 = i12 & y15;
  unsigned z1 = i2 & y6;
  unsigned z2 = i1 & x[7];
  unsigned z3 = i03 & y16;
  unsigned z4 = i3 & y1;
  unsigned z5 = i0 & y7;
  unsigned z6 = i01 & y11;
  unsigned z7 = all & y17;
  unsigned z8 = i23 & y10;
  unsigned z9 = i12 & y12;
  unsigned z10 = i2 & y3;
  unsigned z11 = i1 & y4;
  unsigned z12 = i03 & y13;
  unsigned z13 = i3 & y5;
  unsigned z14 = i0 & y2;
  unsigned z15 = i01 & y9;
  unsigned z16 = all & y14;
  unsigned z17 = i23 & y8;
  unsigned t46 = z15 ^ z16;
  unsigned t47 = z10 ^ z11;
  unsigned t48 = z5 ^ z13;
  unsigned t49 = z9 ^ z10;
  unsigned t50 = z2 ^ z12;
  unsigned t51 = z2 ^ z5;
  unsigned t52 = z7 ^ z8;
  unsigned t53 = z0 ^ z3;
  unsigned t54 = z6 ^ z7;
  unsigned t55 = z16 ^ z17;
  unsigned t56 = z12 ^ t48;
  unsigned t57 = t50 ^ t53;
  unsigned t58 = z4 ^ t46;
  unsigned t59 = z3 ^ t54;
  unsigned t60 = t46 ^ t57;
  unsigned t61 = z14 ^ t57;
  unsigned t62 = t52 ^ t58;
  unsigned t63 = t49 ^ t58;
  unsigned t64 = z4 ^ t59;
  unsigned t65 = t61 ^ t62;
  unsigned t66 = z1 ^ t63;
  unsigned t67 = t64 ^ t65;
  unsigned s3 = t53 ^ t66;
  x[0] = t59 ^ t63;
  x[1] = t64 ^ s3 ^ ALL;
  x[2] = t55 ^ t67 ^ ALL;
  x[3] = s3;
  x[4] = t51 ^ t66;
  x[5] = t47 ^ t65;
  x[6] = t56 ^ t62 ^ ALL;
  x[7] = t48 ^ t60 ^ ALL;
}

/* Row r of the state to the left by r columns. */
static unsigned shift_rows(unsigned x) {
  unsigned rows = x & 0x1111;
  for (int r = 1; r < 4; r++) {
    unsigned row = x & (0x1111 << r);
    rows |= (row >> (4 * r) | row << (16 - 4 * r)) & ALL;
  }
  return rows;
}

/* Each byte of a column becomes the one below it, and the lowest the highest. */
static unsigned turn(unsigned x) { return ((x >> 1) & 0x7777) | ((x << 3) & 0x8888); }

static void mix_columns(unsigned x[8]) {
  unsigned sums[8];
  for (int k = 0; k < 8; k++) sums[k] = x[k] ^ turn(x[k]);
  for (int k = 0; k < 8; k++) {
    /* Twice the sum of a byte and the one below it, the latter, and the sum of the two below that. */
    unsigned twice = k < 7 ? sums[k + 1] : sums[0];
    if (k == 3 || k == 4 || k == 6) twice ^= sums[0];
    x[k] ^= sums[k] ^ twice ^ turn(turn(sums[k]));
  }
}

void program(void) {
  unsigned x[8];
  const unsigned short *key = keys;
  for (int k = 0; k < 8; k++) x[k] = block[k] ^ *key++;
  for (int round = 1; round <= 10; round++) {
    substitute(x);
    for (int k = 0; k < 8; k++) x[k] = shift_rows(x[k]);
    if (round < 10) mix_columns(x);
    for (int k = 0; k < 8; k++) x[k] ^= *key++;
  }
  for (int k = 0; k < 8; k++) cipher[k] = x[k];
}
