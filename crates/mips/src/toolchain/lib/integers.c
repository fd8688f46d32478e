/* Functions that the compiler calls for integer operations without an instruction. None branches on
 * a value, so that the number of steps is the same for all values. */
#include <stdint.h>

typedef union {
  uint64_t all;
  struct {
    uint32_t high, low;
  };
} halves;

uint64_t __ashldi3(uint64_t a, int by) {
  halves x = {.all = a};
  uint32_t n = by & 31, far = -(uint32_t)(by >> 5 & 1);
  uint32_t low = x.low << n, high = x.high << n | x.low >> 1 >> (31 - n);
  return (halves){.high = (low & far) | (high & ~far), .low = low & ~far}.all;
}

uint64_t __lshrdi3(uint64_t a, int by) {
  halves x = {.all = a};
  uint32_t n = by & 31, far = -(uint32_t)(by >> 5 & 1);
  uint32_t high = x.high >> n, low = x.low >> n | x.high << 1 << (31 - n);
  return (halves){.high = high & ~far, .low = (high & far) | (low & ~far)}.all;
}

int64_t __ashrdi3(int64_t a, int by) {
  halves x = {.all = (uint64_t)a};
  uint32_t n = by & 31, far = -(uint32_t)(by >> 5 & 1);
  uint32_t sign = (uint32_t)((int32_t)x.high >> 31), high = (uint32_t)((int32_t)x.high >> n);
  uint32_t low = x.low >> n | x.high << 1 << (31 - n);
  return (int64_t)(halves){.high = (sign & far) | (high & ~far), .low = (high & far) | (low & ~far)}.all;
}

/* One quotient bit per round. Division by 0 gives the dividend as rest and a quotient of ones. */
uint64_t __udivmoddi4(uint64_t a, uint64_t b, uint64_t *rest) {
  halves left = {.all = 0}, from = {.all = a}, by = {.all = b};
  uint32_t over = 0;
  for (int round = 0; round < 64; round++) {
    over = left.high >> 31;
    left.high = left.high << 1 | left.low >> 31;
    left.low = left.low << 1 | from.high >> 31;
    from.high = from.high << 1 | from.low >> 31;
    from.low <<= 1;
    uint32_t borrow = left.low < by.low;
    uint32_t high = left.high - by.high;
    uint32_t less = (left.high < by.high) | ((high < borrow) & (left.high >= by.high));
    uint32_t fits = over | (less ^ 1), mask = -fits;
    left.high = left.high - ((by.high + borrow) & mask);
    left.low = left.low - (by.low & mask);
    from.low |= fits;
  }
  if (rest) *rest = left.all;
  return from.all;
}

uint64_t __udivdi3(uint64_t a, uint64_t b) { return __udivmoddi4(a, b, 0); }

uint64_t __umoddi3(uint64_t a, uint64_t b) {
  uint64_t rest;
  __udivmoddi4(a, b, &rest);
  return rest;
}

/* Returns `value`, or its negative if `sign` is all ones. */
static uint64_t signed_as(uint64_t value, uint64_t sign) { return (value ^ sign) - sign; }

int64_t __divdi3(int64_t a, int64_t b) {
  uint64_t x = (uint64_t)(a >> 63), y = (uint64_t)(b >> 63);
  return (int64_t)signed_as(__udivmoddi4(signed_as((uint64_t)a, x), signed_as((uint64_t)b, y), 0), x ^ y);
}

int64_t __moddi3(int64_t a, int64_t b) {
  uint64_t x = (uint64_t)(a >> 63), y = (uint64_t)(b >> 63), rest;
  __udivmoddi4(signed_as((uint64_t)a, x), signed_as((uint64_t)b, y), &rest);
  return (int64_t)signed_as(rest, x);
}

int64_t __divmoddi4(int64_t a, int64_t b, int64_t *rest) {
  uint64_t x = (uint64_t)(a >> 63), y = (uint64_t)(b >> 63), left;
  uint64_t q = __udivmoddi4(signed_as((uint64_t)a, x), signed_as((uint64_t)b, y), &left);
  *rest = (int64_t)signed_as(left, x);
  return (int64_t)signed_as(q, x ^ y);
}

uint32_t __bswapsi2(uint32_t a) {
  return a >> 24 | (a >> 8 & 0xff00) | (a << 8 & 0xff0000) | a << 24;
}

uint64_t __bswapdi2(uint64_t a) {
  halves x = {.all = a};
  return (halves){.high = __bswapsi2(x.low), .low = __bswapsi2(x.high)}.all;
}

int __popcountsi2(uint32_t a) {
  a -= a >> 1 & 0x55555555;
  a = (a & 0x33333333) + (a >> 2 & 0x33333333);
  a = (a + (a >> 4)) & 0x0f0f0f0f;
  a += a >> 8;
  return (a + (a >> 16)) & 63;
}

int __popcountdi2(uint64_t a) {
  halves x = {.all = a};
  return __popcountsi2(x.high) + __popcountsi2(x.low);
}

int __paritysi2(uint32_t a) { return __popcountsi2(a) & 1; }

int __paritydi2(uint64_t a) { return __popcountdi2(a) & 1; }

int __clzsi2(uint32_t a) {
  a |= a >> 1;
  a |= a >> 2;
  a |= a >> 4;
  a |= a >> 8;
  a |= a >> 16;
  return __popcountsi2(~a);
}

int __clzdi2(uint64_t a) {
  halves x = {.all = a};
  uint32_t empty = -(uint32_t)(x.high == 0);
  return __clzsi2((x.low & empty) | x.high) + (32 & empty);
}

int __ctzsi2(uint32_t a) { return __popcountsi2(~a & (a - 1)); }

int __ctzdi2(uint64_t a) {
  halves x = {.all = a};
  uint32_t empty = -(uint32_t)(x.low == 0);
  return __ctzsi2((x.high & empty) | x.low) + (32 & empty);
}

int __ffssi2(uint32_t a) { return (__ctzsi2(a) + 1) & -(a != 0); }

int __ffsdi2(uint64_t a) { return (__ctzdi2(a) + 1) & -(a != 0); }
