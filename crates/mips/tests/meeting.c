/* Two paths of equal length, which meet again, and a loop after them. */
#include <halfgate.h>

GARBLER int mine;
EVALUATOR int yours;
OUTPUT int sums[8];

PROGRAM {
  int x = mine, y = yours, chosen;
  __asm__("\tbltz %1, 1f\n"
          "\taddu %0, %1, %2\n"
          "\tb 2f\n"
          "1:\tmove %0, %2\n"
          "\tsubu %0, %0, %1\n"
          "2:"
          : "=&r"(chosen)
          : "r"(x), "r"(y));
  int all = 0;
  for (int i = 0; i != 8; i++) {
    all += chosen;
    sums[i] = all;
  }
  halfgate_end();
}
