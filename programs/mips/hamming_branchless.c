/* In how many bits two words of BITS bits differ, without a branch on what is secret: each step's instruction is known, so
 * that a public program garbles no more than the sums. */
#include <halfgate.h>

#ifndef BITS
#define BITS 128
#endif
#define WORDS ((BITS + 31) / 32)

GARBLER unsigned a[WORDS];
EVALUATOR unsigned b[WORDS];
OUTPUT unsigned distance;

void program(void) {
  unsigned count = 0;
  for (int word = 0; word != WORDS; word++) {
    unsigned x = a[word] ^ b[word];
    for (int bit = 0; bit != (BITS < 32 ? BITS : 32); bit++) count += (x >> bit) & 1;
  }
  distance = count;
}
