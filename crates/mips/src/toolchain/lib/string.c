/* <string.h>. */
#include <string.h>

typedef unsigned char byte;

void *memcpy(void *to, const void *from, size_t count) {
  byte *t = to;
  const byte *f = from;
  while (count--) *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  byte *t = to;
  const byte *f = from;
  if (t <= f) {
    while (count--) *t++ = *f++;
  } else {
    while (count--) t[count] = f[count];
  }
  return to;
}

void *memset(void *to, int value, size_t count) {
  byte *t = to;
  while (count--) *t++ = (byte)value;
  return to;
}

int memcmp(const void *a, const void *b, size_t count) {
  const byte *x = a, *y = b;
  for (; count--; x++, y++)
    if (*x != *y) return *x < *y ? -1 : 1;
  return 0;
}

void *memchr(const void *in, int value, size_t count) {
  for (const byte *at = in; count--; at++)
    if (*at == (byte)value) return (void *)at;
  return NULL;
}

size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}

size_t strnlen(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length]) length++;
  return length;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (byte)*a - (byte)*b;
}

int strncmp(const char *a, const char *b, size_t most) {
  for (; most--; a++, b++)
    if (*a != *b || !*a) return (byte)*a - (byte)*b;
  return 0;
}

char *strcpy(char *to, const char *from) {
  char *t = to;
  while ((*t++ = *from++)) {
  }
  return to;
}

char *strncpy(char *to, const char *from, size_t count) {
  char *t = to;
  for (; count && *from; count--) *t++ = *from++;
  while (count--) *t++ = 0;
  return to;
}

char *strchr(const char *text, int value) {
  for (;; text++) {
    if (*text == (char)value) return (char *)text;
    if (!*text) return NULL;
  }
}
