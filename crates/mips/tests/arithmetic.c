/* Operations that restricted sets lack: products, quotients, shifts, bytes, comparisons. */
#include <halfgate.h>

GARBLER int a[2];
EVALUATOR int b[2];
GARBLER unsigned short c[2];
EVALUATOR signed char d[4];
OUTPUT unsigned result[24];

void program(void) {
  unsigned x = a[0], y = b[0] | 1;
  int p = a[1], q = b[1] | 1;
  unsigned *r = result;
  *r++ = x * y;
  *r++ = x / y;
  *r++ = x % y;
  *r++ = p / q;
  *r++ = p % q;
  *r++ = (unsigned long long)x * y >> 32;
  *r++ = (long long)p * q >> 32;
  *r++ = x << (y & 31);
  *r++ = x >> (y & 31);
  *r++ = p >> (y & 31);
  *r++ = x >> 5;
  *r++ = p >> 7;
  *r++ = p >> 31;
  *r++ = x >> 31;
  *r++ = x | 0x12345678;
  *r++ = ~(x & y) ^ 0xff00;
  *r++ = p < q;
  *r++ = x < y;
  *r++ = c[0] * 3 + c[1];
  *r++ = d[0] + d[3];
  c[0] = x;
  d[1] = y;
  *r++ = c[0] - d[1];
  *r++ = p > 0 ? p : p < -5 ? 7 : x;
  *r++ = (x & 0xffff) == (y & 0xffff);
  *r++ = ~x;
}
