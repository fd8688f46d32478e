/* Uses C's library: headers, bytes in memory, 64-bit integers, floating point. */
#include <halfgate.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

GARBLER uint32_t mine[4];
EVALUATOR uint32_t yours[4];
OUTPUT uint32_t wide[14];
OUTPUT uint32_t bits[9];
OUTPUT uint32_t bytes[9];
OUTPUT uint32_t singles[8];
OUTPUT uint32_t doubles[10];

static uint64_t joined(const uint32_t *words) { return (uint64_t)words[0] << 32 | words[1]; }

static void part(uint32_t *to, uint64_t value) {
  to[0] = (uint32_t)(value >> 32);
  to[1] = (uint32_t)value;
}

static void integers(void) {
  uint64_t a = joined(mine), b = joined(yours) >> (yours[2] & 63);
  int64_t c = (int64_t)a, d = (int64_t)joined(yours) >> (mine[2] & 63);
  if (!b) b = 1;
  if (!d) d = 1;
  part(wide, a / b);
  part(wide + 2, a % b);
  part(wide + 4, (uint64_t)(c / d));
  part(wide + 6, (uint64_t)(c % d));
  part(wide + 8, a << (yours[3] & 63));
  part(wide + 10, a >> (yours[3] & 63));
  part(wide + 12, (uint64_t)(c >> (yours[3] & 63)));
  bits[0] = __builtin_bswap32(mine[0]);
  part(bits + 1, __builtin_bswap64(a));
  bits[3] = (uint32_t)__builtin_popcount(mine[1]);
  bits[4] = (uint32_t)__builtin_popcountll(a);
  bits[5] = (uint32_t)__builtin_clz(mine[1] | 1);
  bits[6] = (uint32_t)__builtin_clzll(b);
  bits[7] = (uint32_t)__builtin_ctz(mine[3] | 1u << 31);
  bits[8] = (uint32_t)__builtin_ctzll(b);
}

static void memory(void) {
  char text[24], other[24];
  bool same;
  memset(text, 'a', 23);
  text[16 + mine[0] % 7] = 0;
  strcpy(other, text);
  other[yours[0] % 16] = (char)('a' + yours[1] % 3);
  bytes[0] = (uint32_t)strlen(text);
  bytes[1] = (uint32_t)(strcmp(text, other) < 0);
  bytes[2] = (uint32_t)(memcmp(text, other, 16) > 0);
  same = strncmp(text, other, yours[0] % 16) == 0;
  bytes[3] = same;
  memmove(text + 2, text, 10);
  memmove(other, other + 3, 12);
  bytes[4] = bytes[5] = 0;
  memcpy(&bytes[4], other + 1, 4);
  bytes[4] = (uint32_t)((bytes[4] >> 24) ^ (bytes[4] & 255));
  bytes[5] = (uint32_t)(strchr(other, 'b') == NULL);
  bytes[6] = (uint32_t)(memchr(text, 'b', 16) == NULL);
  bytes[7] = (uint32_t)strnlen(text, 5) + (uint32_t)offsetof(struct { int32_t a; int8_t b; }, b);
  bytes[8] = (uint32_t)(INT_MAX - 5) + CHAR_BIT + UINT16_MAX;
}

static uint32_t single(float value) {
  uint32_t found;
  memcpy(&found, &value, 4);
  return found;
}

static void numbers(void) {
  float a = (float)(int32_t)mine[0] / 1024.0f, b = (float)yours[0];
  double c = (double)(int32_t)mine[1], d = (double)yours[1] * 0.1 + 1.0;
  double found[4] = {c + d, c * d, c / d, (double)a - c};
  singles[0] = single(a + b);
  singles[1] = single(a - b);
  singles[2] = single(a * b);
  singles[3] = single(b / (a * a + 1.0f));
  singles[4] = a < b;
  singles[5] = (a >= 0.0f) + 2 * (a == b);
  singles[6] = (uint32_t)(int32_t)a;
  singles[7] = single((float)d);
  for (int i = 0; i < 4; i++) {
    uint64_t all;
    memcpy(&all, &found[i], 8);
    part(doubles + 2 * i, all);
  }
  doubles[8] = (uint32_t)(c > d);
  doubles[9] = (uint32_t)(int32_t)(c / 3.0);
}

void program(void) {
  integers();
  memory();
  numbers();
}
