/* How many letters must be put in, taken out or changed to make one word of the other. */
#include <halfgate.h>

#ifndef LENGTH
#define LENGTH 8
#endif

GARBLER unsigned char first[LENGTH];
EVALUATOR unsigned char second[LENGTH];
OUTPUT unsigned distance;

void program(void) {
  static unsigned char row[LENGTH + 1];
  for (unsigned i = 0; i <= LENGTH; i++) row[i] = i;
  for (unsigned i = 0; i < LENGTH; i++) {
    unsigned diagonal = row[0];
    row[0] = i + 1;
    for (unsigned j = 0; j < LENGTH; j++) {
      unsigned changed = diagonal + (first[i] != second[j]);
      diagonal = row[j + 1];
      unsigned shorter = (diagonal < row[j] ? diagonal : row[j]) + 1;
      row[j + 1] = changed < shorter ? changed : shorter;
    }
  }
  distance = row[LENGTH];
}
