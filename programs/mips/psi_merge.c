/* How many words two sets have in common, without a branch or an address that depends on them: both, in rising order,
 * are merged by a network, and neighbours are compared. Of a public program little more is garbled than of the network
 * as a circuit. SIZE is a power of two; words are numbers with signs. */
#include <halfgate.h>

#ifndef SIZE
#define SIZE 64
#endif

GARBLER int a[SIZE];
EVALUATOR int b[SIZE];
OUTPUT int common;

void program(void) {
  static int merged[2 * SIZE];
  /* One rising and one falling: what a bitonic network merges. */
  for (int i = 0; i < SIZE; i++) {
    merged[i] = a[i];
    merged[2 * SIZE - 1 - i] = b[i];
  }
  for (int apart = SIZE; apart > 0; apart /= 2) {
    for (int block = 0; block < 2 * SIZE; block += 2 * apart) {
      for (int i = block; i < block + apart; i++) {
        int low = merged[i], high = merged[i + apart];
        int change = (low ^ high) & -(high < low);
        merged[i] = low ^ change;
        merged[i + apart] = high ^ change;
      }
    }
  }
  int count = 0;
  for (int i = 1; i < 2 * SIZE; i++) count += merged[i - 1] == merged[i];
  common = count;
}
