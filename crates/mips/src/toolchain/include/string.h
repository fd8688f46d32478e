/* Bytes in memory, and zero-terminated text. The number of steps depends on lengths, and on values
 * where a comparison or a text may end early: compare secrets to their end. */
#ifndef HALFGATE_STRING_H
#define HALFGATE_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);
void *memchr(const void *in, int value, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t most);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t count);
char *strchr(const char *text, int value);

#endif
