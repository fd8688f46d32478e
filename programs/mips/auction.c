/* A second-price auction: one party brings sealed bids, the other its own, and both learn who wins and what is paid, the
 * second highest bid. Of equal bids the first wins. */
#include <halfgate.h>

#ifndef BIDS
#define BIDS 8
#endif

GARBLER unsigned mine[BIDS];
EVALUATOR unsigned yours[BIDS];
OUTPUT unsigned winner;
OUTPUT unsigned price;

void program(void) {
  unsigned best = 0, second = 0, who = 0;
  for (unsigned i = 0; i < 2 * BIDS; i++) {
    unsigned bid = i < BIDS ? mine[i] : yours[i - BIDS];
    if (bid > best) {
      second = best;
      best = bid;
      who = i;
    } else if (bid > second) {
      second = bid;
    }
  }
  winner = who;
  price = second;
}
