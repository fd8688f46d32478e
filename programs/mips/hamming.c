/* In how many bits two words of BITS bits differ: bit by bit, with additions, shifts to the left and
 * comparisons for equality alone. */
#include <halfgate.h>

#ifndef BITS
#define BITS 128
#endif
#define WORDS ((BITS + 31) / 32)

GARBLER unsigned a[WORDS];
EVALUATOR unsigned b[WORDS];
OUTPUT unsigned distance;

PROGRAM {
  unsigned count = 0;
  for (int word = 0; word != WORDS; word++) {
    unsigned x = a[word] ^ b[word];
    /* All bits below this one are 0. */
    unsigned bit = 1;
    int above = 31;
    do {
      if ((x << above) != 0) {
        x -= bit;
        count++;
      }
      bit += bit;
      above--;
    } while (above != (BITS < 32 ? 31 - BITS : -1));
  }
  distance = count;
  halfgate_end();
}
