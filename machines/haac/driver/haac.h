// SPDX-License-Identifier: MIT OR Apache-2.0

// A minimal driver of a HAAC. It needs no operating system and no memory of its own.
//
// The caller provides access to the registers: loads and stores in a chip, or a simulation. It puts
// a program and the labels of its inputs into the machine's memory before a start, and takes
// labels and tables from there after the end (docs/rtl/integrate.md).

#ifndef HAAC_H
#define HAAC_H

#include <stdint.h>

#include "haac_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

// Access to a machine's registers. Offsets are those of haac_regs.h.
struct haac {
    void *context;
    uint32_t (*read)(void *context, uint32_t offset);
    void (*write)(void *context, uint32_t offset, uint32_t value);
};

// A program in memory, and the constants of a run.
struct haac_launch {
    // Address of the launch descriptor.
    uint64_t descriptor;
    // Number of ANDs in all earlier launches of this garbling.
    uint64_t and_base;
    // The public start point S, the lowest word first.
    uint32_t point[4];
    // The garbler's secret offset, the lowest word first, with bit 0 set; NULL at the evaluator.
    const uint32_t *delta;
};

// Checks that the registers are those of a HAAC that this driver supports, and that the machine is
// of the kind in `machine` (the register `config`). Returns 0, or -1 if it is not.
int haac_check(const struct haac *haac, uint32_t machine);

// What haac_wait returns if the machine is idle and no run has ended: it was aborted, or never
// started.
#define HAAC_NOT_RUN 0xffffffffu

// Waits until the machine is ready, and starts a run as fast as memory allows. Returns 0; or -1
// without a start if a garbler has no delta, or one whose bit 0 is 0: its tables would show labels.
// The machine never becomes ready while memory owes it responses, as after HAAC_ERROR_MEMORY_DEAD,
// or after a burst that memory ended early (HAAC_ERROR_MEMORY_ERROR): reset machine and memory.
int haac_start(const struct haac *haac, const struct haac_launch *launch);

// Waits until the run is done or has failed. Returns the code of its error (enum haac_error), or
// HAAC_NOT_RUN. Results may be used only after HAAC_ERROR_NONE. After an error the machine may
// still access memory until the next haac_start or haac_abort returns.
uint32_t haac_wait(const struct haac *haac);

// Makes irq_o low until the next run ends: clears `done` and the error. For a handler, after it has
// read status and error; haac_wait then returns HAAC_NOT_RUN.
void haac_acknowledge(const struct haac *haac);

// Aborts a run. The machine wipes all labels and is idle afterwards. As haac_start, it does not
// return while memory owes the machine responses.
void haac_abort(const struct haac *haac);

#ifdef __cplusplus
}
#endif

#endif  // HAAC_H
