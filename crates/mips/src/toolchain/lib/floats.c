/* Functions that the compiler calls for float and double: IEEE 754, rounding to nearest, ties to
 * even, with subnormals. The number of steps depends on the values. */
#include <stdint.h>

enum { ZERO, FINITE, INFINITE, NOT_A_NUMBER };

/* `significand` * 2^(exponent - 63). The significand's highest bit is set; its lowest is sticky. */
typedef struct {
  int kind;
  uint32_t sign;
  int32_t exponent;
  uint64_t significand;
} number;

typedef union {
  float value;
  uint32_t bits;
} single_bits;

typedef union {
  double value;
  uint64_t bits;
} double_bits;

static const int SINGLE = 24, DOUBLE = 53;

static number normal(uint32_t sign, int32_t exponent, uint64_t significand) {
  if (!significand) return (number){ZERO, sign, 0, 0};
  int shift = __builtin_clzll(significand);
  return (number){FINITE, sign, exponent - shift, significand << shift};
}

/* Reads a number from `bits`, with a fraction of `precision` - 1 bits. */
static number unpack(uint64_t bits, int precision) {
  int fraction_bits = precision - 1;
  int32_t top = precision == SINGLE ? 255 : 2047;
  uint32_t sign = (uint32_t)(bits >> (precision == SINGLE ? 31 : 63)) & 1;
  int32_t exponent = (int32_t)(bits >> fraction_bits) & top;
  uint64_t fraction = bits << (64 - fraction_bits) >> 1;
  if (exponent == top) return (number){fraction ? NOT_A_NUMBER : INFINITE, sign, 0, 0};
  if (!exponent) return normal(sign, 1 - top / 2, fraction);
  return (number){FINITE, sign, exponent - top / 2, fraction | 1ULL << 63};
}

static uint64_t pack(number x, int precision) {
  int fraction_bits = precision - 1;
  int32_t top = precision == SINGLE ? 255 : 2047, least = 1 - top / 2;
  uint64_t sign = (uint64_t)x.sign << (precision == SINGLE ? 31 : 63);
  uint64_t infinite = (uint64_t)(uint32_t)top << fraction_bits;
  if (x.kind == NOT_A_NUMBER) return infinite | 1ULL << (fraction_bits - 1);
  if (x.kind == ZERO) return sign;
  if (x.kind == INFINITE || x.exponent > top / 2) return sign | infinite;
  int drop = 64 - precision;
  if (x.exponent < least) drop += least - x.exponent;
  if (drop > 64) return sign;
  uint64_t kept = drop == 64 ? 0 : x.significand >> drop;
  uint64_t rest = x.significand << (64 - drop);
  kept += rest > 1ULL << 63 || (rest == 1ULL << 63 && (kept & 1));
  /* The highest bit of a normal number adds 1 to the exponent; so does a carry into it. */
  if (x.exponent >= least) kept += (uint64_t)(uint32_t)(x.exponent - least) << fraction_bits;
  return sign | kept;
}

static number add(number a, number b) {
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return (number){NOT_A_NUMBER, 0, 0, 0};
  if (a.kind == INFINITE && b.kind == INFINITE && a.sign != b.sign) return (number){NOT_A_NUMBER, 0, 0, 0};
  if (a.kind == INFINITE || b.kind == INFINITE) return a.kind == INFINITE ? a : b;
  if (a.kind == ZERO && b.kind == ZERO) return (number){ZERO, a.sign & b.sign, 0, 0};
  if (a.kind == ZERO || b.kind == ZERO) return a.kind == ZERO ? b : a;
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
    number other = a;
    a = b;
    b = other;
  }
  int32_t by = a.exponent - b.exponent;
  uint64_t larger = a.significand >> 1, smaller = b.significand >> 1;
  if (by > 63) smaller = 1;
  else if (by) smaller = smaller >> by | (smaller << (64 - by) != 0);
  uint64_t sum = a.sign == b.sign ? larger + smaller : larger - smaller;
  return sum ? normal(a.sign, a.exponent + 1, sum) : (number){ZERO, 0, 0, 0};
}

static number multiply(number a, number b) {
  uint32_t sign = a.sign ^ b.sign;
  int none = (a.kind == INFINITE && b.kind == ZERO) || (a.kind == ZERO && b.kind == INFINITE);
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER || none) return (number){NOT_A_NUMBER, 0, 0, 0};
  if (a.kind == INFINITE || b.kind == INFINITE) return (number){INFINITE, sign, 0, 0};
  if (a.kind == ZERO || b.kind == ZERO) return (number){ZERO, sign, 0, 0};
  uint32_t a1 = (uint32_t)(a.significand >> 32), a0 = (uint32_t)a.significand;
  uint32_t b1 = (uint32_t)(b.significand >> 32), b0 = (uint32_t)b.significand;
  uint64_t low = (uint64_t)a0 * b0, middle = (uint64_t)a1 * b0 + (low >> 32);
  uint64_t other = (uint64_t)a0 * b1 + (uint32_t)middle;
  uint64_t high = (uint64_t)a1 * b1 + (middle >> 32) + (other >> 32);
  uint32_t rest = (uint32_t)other | (uint32_t)low;
  return normal(sign, a.exponent + b.exponent + 1, high | (rest != 0));
}

static number divide(number a, number b) {
  uint32_t sign = a.sign ^ b.sign;
  int none = a.kind == b.kind && a.kind != FINITE;
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER || none) return (number){NOT_A_NUMBER, 0, 0, 0};
  if (a.kind == INFINITE || b.kind == ZERO) return (number){INFINITE, sign, 0, 0};
  if (a.kind == ZERO || b.kind == INFINITE) return (number){ZERO, sign, 0, 0};
  uint64_t rest = a.significand, quotient = 0, over = 0;
  for (int bit = 0; bit < 64; bit++) {
    uint64_t fits = over | (rest >= b.significand);
    if (fits) rest -= b.significand;
    quotient = quotient << 1 | fits;
    over = rest >> 63;
    rest <<= 1;
  }
  return normal(sign, a.exponent - b.exponent, quotient | (rest != 0 || over));
}

/* Returns -1, 0 or 1; `unordered` if one is not a number. */
static int compare(number a, number b, int unordered) {
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return unordered;
  if (a.kind == ZERO && b.kind == ZERO) return 0;
  if (a.kind == ZERO) return b.sign ? 1 : -1;
  if (b.kind == ZERO || a.sign != b.sign) return a.sign ? -1 : 1;
  int larger = a.sign ? -1 : 1;
  if (a.kind != b.kind) return a.kind == INFINITE ? larger : -larger;
  if (a.kind == INFINITE) return 0;
  if (a.exponent != b.exponent) return a.exponent > b.exponent ? larger : -larger;
  if (a.significand != b.significand) return a.significand > b.significand ? larger : -larger;
  return 0;
}

static number of_integer(uint64_t magnitude, uint32_t sign) {
  number x = normal(sign, 63, magnitude);
  if (x.kind == ZERO) x.sign = 0;
  return x;
}

static number of_signed(int64_t value) {
  uint64_t bits = (uint64_t)value;
  return of_integer(value < 0 ? -bits : bits, value < 0);
}

/* Rounds towards zero. Values out of range saturate, and not-a-number becomes 0. */
static uint64_t magnitude(number x, uint64_t most) {
  if (x.kind == ZERO || x.kind == NOT_A_NUMBER || (x.kind == FINITE && x.exponent < 0)) return 0;
  if (x.kind == INFINITE || x.exponent > 63) return most;
  uint64_t whole = x.significand >> (63 - x.exponent);
  return whole > most ? most : whole;
}

static int64_t to_signed(number x, uint64_t most) {
  uint64_t whole = magnitude(x, most + x.sign);
  return (int64_t)(x.sign ? -whole : whole);
}

static uint64_t to_unsigned(number x, uint64_t most) { return x.sign ? 0 : magnitude(x, most); }

static number of_single(float x) { return unpack((single_bits){.value = x}.bits, SINGLE); }
static number of_double(double x) { return unpack((double_bits){.value = x}.bits, DOUBLE); }
static float to_single(number x) { return (single_bits){.bits = (uint32_t)pack(x, SINGLE)}.value; }
static double to_double(number x) { return (double_bits){.bits = pack(x, DOUBLE)}.value; }

static number negative(number x) {
  x.sign ^= 1;
  return x;
}

#define OPERATIONS(type, of, to, sf) \
  type __add##sf##3(type a, type b) { return to(add(of(a), of(b))); } \
  type __sub##sf##3(type a, type b) { return to(add(of(a), negative(of(b)))); } \
  type __mul##sf##3(type a, type b) { return to(multiply(of(a), of(b))); } \
  type __div##sf##3(type a, type b) { return to(divide(of(a), of(b))); } \
  type __neg##sf##2(type a) { return to(negative(of(a))); } \
  int __eq##sf##2(type a, type b) { return compare(of(a), of(b), 1); } \
  int __ne##sf##2(type a, type b) { return compare(of(a), of(b), 1); } \
  int __lt##sf##2(type a, type b) { return compare(of(a), of(b), 1); } \
  int __le##sf##2(type a, type b) { return compare(of(a), of(b), 1); } \
  int __gt##sf##2(type a, type b) { return compare(of(a), of(b), -1); } \
  int __ge##sf##2(type a, type b) { return compare(of(a), of(b), -1); } \
  int __unord##sf##2(type a, type b) { return compare(of(a), of(b), 2) == 2; } \
  type __floatsi##sf(int32_t a) { return to(of_signed(a)); } \
  type __floatunsi##sf(uint32_t a) { return to(of_integer(a, 0)); } \
  type __floatdi##sf(int64_t a) { return to(of_signed(a)); } \
  type __floatundi##sf(uint64_t a) { return to(of_integer(a, 0)); } \
  int32_t __fix##sf##si(type a) { return (int32_t)to_signed(of(a), INT32_MAX); } \
  uint32_t __fixuns##sf##si(type a) { return (uint32_t)to_unsigned(of(a), UINT32_MAX); } \
  int64_t __fix##sf##di(type a) { return to_signed(of(a), INT64_MAX); } \
  uint64_t __fixuns##sf##di(type a) { return to_unsigned(of(a), UINT64_MAX); }

OPERATIONS(float, of_single, to_single, sf)
OPERATIONS(double, of_double, to_double, df)

double __extendsfdf2(float a) { return to_double(of_single(a)); }
float __truncdfsf2(double a) { return to_single(of_double(a)); }
