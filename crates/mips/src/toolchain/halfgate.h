/* For programs in C that two parties run together on the garbled processor.
 *
 *     #include <halfgate.h>
 *     GARBLER int mine[4];
 *     EVALUATOR int yours[4];
 *     OUTPUT int sum;
 *     void program(void) { for (int i = 0; i < 4; i++) sum += mine[i] * yours[i]; }
 *
 * `program` runs once. Ports are global variables: numbers or arrays of numbers. Inputs have their values when it
 * begins, and the outputs' values when it ends are the results. There is no operating system, and memory for as many
 * words as the processor was built with. <stdint.h>, <stddef.h>, <stdbool.h>, <limits.h> and a small <string.h> are there;
 * 64-bit division and floating point are functions of many steps.
 *
 * Steps are counted, and a run takes as many as both parties agree on: how many steps a program takes is never secret.
 */
#ifndef HALFGATE_H
#define HALFGATE_H

/* Whose a variable is. */
#define GARBLER __attribute__((section(".garbler"), used))
#define EVALUATOR __attribute__((section(".evaluator"), used))
#define OUTPUT __attribute__((section(".output"), used))

/* The end of a program, for one that does not return. */
static inline void __attribute__((noreturn, always_inline)) halfgate_end(void) {
  __asm__ volatile("syscall" ::: "memory");
  __builtin_unreachable();
}

/* Ends the program as one that failed: the status says so, to those who learn the outputs. */
static inline void __attribute__((noreturn, always_inline)) halfgate_trap(void) {
  __asm__ volatile("break" ::: "memory");
  __builtin_unreachable();
}

/* For `program` on a processor without JAL and JR, where it cannot return: `PROGRAM { …; halfgate_end(); }`. */
#define PROGRAM \
  void program(void) __attribute__((noreturn, section(".text.start"))); \
  void program(void)

#endif
