/* What is owed: one party has prices, the other how much of each it takes. */
#include <halfgate.h>

GARBLER int prices[4];
EVALUATOR int amounts[4];
OUTPUT int total;

void program(void) {
  for (int i = 0; i < 4; i++) total += prices[i] * amounts[i];
}
