/* How far two parties' measurements lie apart: the mean of the squares of differences, in 64 bits. */
#include <halfgate.h>
#include <stdint.h>
#include <string.h>

#define COUNT 6

GARBLER int32_t ours[COUNT];
EVALUATOR int32_t theirs[COUNT];
OUTPUT uint64_t spread;

void program(void) {
  int32_t differences[COUNT];
  memcpy(differences, ours, sizeof differences);
  uint64_t sum = 0;
  for (int i = 0; i < COUNT; i++) {
    int64_t difference = (int64_t)differences[i] - theirs[i];
    sum += (uint64_t)(difference * difference);
  }
  spread = sum / COUNT;
}
