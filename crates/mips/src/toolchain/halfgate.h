/* For programs in C that two parties run together on the garbled processor.
 *
 *     #include <halfgate.h>
 *     GARBLER int mine[4];
 *     EVALUATOR int yours[4];
 *     OUTPUT int sum;
 *     void program(void) { for (int i = 0; i < 4; i++) sum += mine[i] * yours[i]; }
 *
 * `program` runs once. Ports are global variables: numbers or arrays of numbers. Inputs have their
 * values when it starts; the values of outputs when it ends are the results. There is no operating
 * system. Memory has as many words as the processor was built with. <stdint.h>, <stddef.h>,
 * <stdbool.h>, <limits.h> and a small <string.h> exist; 64-bit division and floating point take
 * many steps.
 *
 * Both parties agree on the number of steps of a run, so this number is never secret.
 */
#ifndef HALFGATE_H
#define HALFGATE_H

/* Owner of a variable. */
#define GARBLER __attribute__((section(".garbler"), used))
#define EVALUATOR __attribute__((section(".evaluator"), used))
#define OUTPUT __attribute__((section(".output"), used))

/* Ends a program that does not return. */
static inline void __attribute__((noreturn, always_inline)) halfgate_end(void) {
  __asm__ volatile("syscall" ::: "memory");
  __builtin_unreachable();
}

/* Ends the program as failed. Those who learn the outputs see this in the status. */
static inline void __attribute__((noreturn, always_inline)) halfgate_trap(void) {
  __asm__ volatile("break" ::: "memory");
  __builtin_unreachable();
}

/* Defines `program` for a processor without JAL and JR, where it cannot return:
 * `PROGRAM { …; halfgate_end(); }`. */
#define PROGRAM \
  void program(void) __attribute__((noreturn, section(".text.start"))); \
  void program(void)

#endif
