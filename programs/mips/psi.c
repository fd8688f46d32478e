/* How many words two sets have in common. Each is in rising order, as numbers with signs. */
#include <halfgate.h>

#ifndef SIZE
#define SIZE 64
#endif

GARBLER int a[SIZE];
EVALUATOR int b[SIZE];
OUTPUT int common;

PROGRAM {
  const int *x = a, *y = b;
  int count = 0;
  while (x != a + SIZE && y != b + SIZE) {
    int first = *x, second = *y;
    if (first == second) {
      count++;
      x++;
      y++;
    } else if (first < second) {
      x++;
    } else {
      y++;
    }
  }
  common = count;
  halfgate_end();
}
