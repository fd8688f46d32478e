/* A decision tree: the garbler has the tree, the evaluator the features. Node i goes to 2i + 1 if the feature is at most the
 * threshold, else to 2i + 2; leaves stand behind the nodes. */
#include <halfgate.h>

#ifndef DEPTH
#define DEPTH 4
#endif
#define NODES ((1 << DEPTH) - 1)
#define FEATURES 8

GARBLER short threshold[NODES];
GARBLER unsigned char feature[NODES];
GARBLER short leaf[NODES + 1];
EVALUATOR short features[FEATURES];
OUTPUT short decision;

void program(void) {
  int node = 0;
  for (int level = 0; level < DEPTH; level++) {
    int value = features[feature[node] % FEATURES];
    node = 2 * node + (value <= threshold[node] ? 1 : 2);
  }
  decision = leaf[node - NODES];
}
