// SPDX-License-Identifier: MIT OR Apache-2.0

// The machine haac-1ge under simulation, with a memory at its AXI4 port. Each access to a register
// takes clock cycles, in which the machine runs.

#ifndef SIM_H
#define SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A garbler or an evaluator with `bytes` bytes of memory from address 0 on, after its reset.
void *sim_garbler(uint8_t *memory, size_t bytes);
void *sim_evaluator(uint8_t *memory, size_t bytes);

// Access to a register, for struct haac.
uint32_t sim_read(void *sim, uint32_t offset);
void sim_write(void *sim, uint32_t offset, uint32_t value);

// The next read response has RLAST at the wrong beat (0), or another ID (1).
void sim_break(void *sim, int what);

// Clock cycles so far.
uint64_t sim_cycles(void *sim);

#ifdef __cplusplus
}
#endif

#endif  // SIM_H
