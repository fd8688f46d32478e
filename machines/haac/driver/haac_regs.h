// SPDX-License-Identifier: MIT OR Apache-2.0

// Registers, codes and the launch descriptor of a HAAC in hardware.
//
// Generated from machines/haac/spec/registers.toml: change that file and run `make spec`.

#ifndef HAAC_REGS_H
#define HAAC_REGS_H

#include <stdint.h>

// Version of the registers and the launch descriptor.
#define HAAC_VERSION 1u

// Register `id` (ro): 0x43414148, the bytes of "HAAC" in order.
#define HAAC_REG_ID 0x0u
// Register `version` (ro): versions that the machine supports.
#define HAAC_REG_VERSION 0x4u
// Field `registers` of `version`: version of this map and of the descriptor.
#define HAAC_VERSION_REGISTERS_LOW 0u
#define HAAC_VERSION_REGISTERS_MASK 0xffffu
// Field `isa` of `version`: version of the instruction set.
#define HAAC_VERSION_ISA_LOW 16u
#define HAAC_VERSION_ISA_MASK 0xffffu
// Register `config` (ro): parameters of the machine; a descriptor must have the same.
#define HAAC_REG_CONFIG 0x8u
// Field `engines` of `config`: gate engines.
#define HAAC_CONFIG_ENGINES_LOW 0u
#define HAAC_CONFIG_ENGINES_MASK 0xffu
// Field `window_bits` of `config`: binary logarithm of the window's labels.
#define HAAC_CONFIG_WINDOW_BITS_LOW 8u
#define HAAC_CONFIG_WINDOW_BITS_MASK 0xffu
// Field `evaluator` of `config`: 1: evaluates, 0: garbles.
#define HAAC_CONFIG_EVALUATOR_LOW 16u
#define HAAC_CONFIG_EVALUATOR_MASK 0x1u
// Register `features` (ro): other parameters.
#define HAAC_REG_FEATURES 0xcu
// Field `ports` of `features`: AXI4 ports.
#define HAAC_FEATURES_PORTS_LOW 0u
#define HAAC_FEATURES_PORTS_MASK 0xffu
// Field `data_bytes` of `features`: bytes of a port's data.
#define HAAC_FEATURES_DATA_BYTES_LOW 8u
#define HAAC_FEATURES_DATA_BYTES_MASK 0xffu
// Field `counters` of `features`: 1: the machine has the counters.
#define HAAC_FEATURES_COUNTERS_LOW 16u
#define HAAC_FEATURES_COUNTERS_MASK 0x1u
// Field `aes` of `features`: S-boxes: 0 tables, 1 composite field, 2 AES by DPI, for simulation.
#define HAAC_FEATURES_AES_LOW 20u
#define HAAC_FEATURES_AES_MASK 0x3u
// Register `control` (wo): commands: writing 1 to a bit executes its command.
#define HAAC_REG_CONTROL 0x10u
// Field `start` of `control`: run the program; ignored unless the state is idle, done or failed.
#define HAAC_CONTROL_START_LOW 0u
#define HAAC_CONTROL_START_MASK 0x1u
// Field `reset` of `control`: soft reset: abort the run, wait for memory's responses, wipe, become
// idle.
#define HAAC_CONTROL_RESET_LOW 1u
#define HAAC_CONTROL_RESET_MASK 0x1u
// Field `clear` of `control`: clear `done`, the error and `was_reset`.
#define HAAC_CONTROL_CLEAR_LOW 2u
#define HAAC_CONTROL_CLEAR_MASK 0x1u
// Register `status` (ro): status of the machine.
#define HAAC_REG_STATUS 0x14u
// Field `state` of `status`: a code of the table of states.
#define HAAC_STATUS_STATE_LOW 0u
#define HAAC_STATUS_STATE_MASK 0xfu
// Field `done` of `status`: the program has ended, and all labels and tables are in memory.
#define HAAC_STATUS_DONE_LOW 4u
#define HAAC_STATUS_DONE_MASK 0x1u
// Field `failed` of `status`: an error has ended the run: see `error`.
#define HAAC_STATUS_FAILED_LOW 5u
#define HAAC_STATUS_FAILED_MASK 0x1u
// Field `was_reset` of `status`: a hard or soft reset interrupted a run; stays set until `clear` or
// `start`.
#define HAAC_STATUS_WAS_RESET_LOW 6u
#define HAAC_STATUS_WAS_RESET_MASK 0x1u
// Field `draining` of `status`: responses of memory are outstanding.
#define HAAC_STATUS_DRAINING_LOW 7u
#define HAAC_STATUS_DRAINING_MASK 0x1u
// Register `error` (ro): the first error of the run.
#define HAAC_REG_ERROR 0x18u
// Field `code` of `error`: a code of the table of errors; 0: none.
#define HAAC_ERROR_CODE_LOW 0u
#define HAAC_ERROR_CODE_MASK 0xffu
// Field `stream` of `error`: a code of the table of streams; 0: none.
#define HAAC_ERROR_STREAM_LOW 8u
#define HAAC_ERROR_STREAM_MASK 0xffu
// Field `engine` of `error`: engine of the stream, if each engine has one.
#define HAAC_ERROR_ENGINE_LOW 16u
#define HAAC_ERROR_ENGINE_MASK 0xffu
// Register `interrupt` (rw): the interrupt line.
#define HAAC_REG_INTERRUPT 0x1cu
// Field `enable` of `interrupt`: 1: the line is high while `done` or `failed` is set.
#define HAAC_INTERRUPT_ENABLE_LOW 0u
#define HAAC_INTERRUPT_ENABLE_MASK 0x1u
// Register `program` (rw, 2 words): address of the launch descriptor, a multiple of 64.
#define HAAC_REG_PROGRAM 0x20u
// Register `and_base` (rw, 2 words): number of ANDs in all earlier launches; AND numbers of this
// launch continue from it.
#define HAAC_REG_AND_BASE 0x28u
// Register `point` (rw, 4 words): start point S, public.
#define HAAC_REG_POINT 0x30u
// Register `delta` (wo, 4 words): the garbler's delta, whose bit 0 must be 1: with delta 0 the
// tables show labels; write it before each start, because the end of any run and resets wipe it.
#define HAAC_REG_DELTA 0x40u
// Register `latency` (rw): 0: a response counts when it arrives; 1 to 255: not before this many
// cycles after acceptance of its request.
#define HAAC_REG_LATENCY 0x50u
// Register `credit_step` (rw): credit gained per cycle; 0: requests per cycle are not limited.
#define HAAC_REG_CREDIT_STEP 0x54u
// Register `credit_byte` (rw): credit that a byte costs.
#define HAAC_REG_CREDIT_BYTE 0x58u
// Register `credit_cap` (rw): maximum credit: step + 64 * byte.
#define HAAC_REG_CREDIT_CAP 0x5cu
// Register `wire_bytes` (rw): bytes for which an access to one label is charged: 16 (after a reset)
// or 64; more than 64 is a `bad_descriptor`.
#define HAAC_REG_WIRE_BYTES 0x60u
// Register `timeout` (rw): cycles without any response after which memory counts as dead; 0: never;
// 65536 after a reset.
#define HAAC_REG_TIMEOUT 0x64u

// Offsets of counters, 8 bytes each, the lower word first.
#define HAAC_COUNTER_CYCLES 0x100u
#define HAAC_COUNTER_FIRST_ISSUE 0x108u
#define HAAC_COUNTER_LAST_WRITE_BACK 0x110u
#define HAAC_COUNTER_MEMORY_BOUND 0x118u
#define HAAC_COUNTER_INSTRUCTION_BURSTS 0x120u
#define HAAC_COUNTER_TABLE_BURSTS 0x128u
#define HAAC_COUNTER_OOR_ADDRESS_BURSTS 0x130u
#define HAAC_COUNTER_OOR_WIRES 0x138u
#define HAAC_COUNTER_LIVE 0x140u
#define HAAC_COUNTER_INPUT_BURSTS 0x148u
#define HAAC_COUNTER_ANDS 0x150u
#define HAAC_COUNTER_XORS 0x158u
#define HAAC_COUNTER_HALF_GATE_CYCLES 0x160u
#define HAAC_COUNTER_WINDOW_READS 0x168u
#define HAAC_COUNTER_WINDOW_WRITES 0x170u
#define HAAC_COUNTER_FORWARDED 0x178u
#define HAAC_COUNTER_OOR_POPS 0x180u
#define HAAC_COUNTER_LATE 0x188u
// Offset of engine 0's counters of causes, 8 bytes each.
#define HAAC_CAUSES 0x1000u
// Distance from one engine's counters of causes to those of the next engine.
#define HAAC_CAUSES_STRIDE 0x80u

// State of the machine.
enum haac_state {
    // No run, and no results to read.
    HAAC_STATE_IDLE = 0,
    // Labels in the window and delta are overwritten.
    HAAC_STATE_WIPING = 1,
    // The descriptor is read and checked.
    HAAC_STATE_FETCHING = 2,
    // The program runs.
    HAAC_STATE_RUNNING = 3,
    // A run was aborted, and responses of memory are outstanding.
    HAAC_STATE_DRAINING = 4,
    // The program has ended.
    HAAC_STATE_DONE = 5,
    // An error has ended the run; its outputs must not be used.
    HAAC_STATE_FAILED = 6,
};

// Error of a run.
enum haac_error {
    // No error.
    HAAC_ERROR_NONE = 0,
    // There is no launch descriptor at the program's address.
    HAAC_ERROR_NOT_A_PROGRAM = 1,
    // The descriptor has another version of the registers or the instruction set.
    HAAC_ERROR_OTHER_VERSION = 2,
    // The program is for another number of engines, another window, the other role or another
    // encoding.
    HAAC_ERROR_OTHER_CONFIGURATION = 3,
    // The descriptor's numbers contradict each other, or an address is not a multiple of 64.
    HAAC_ERROR_BAD_DESCRIPTOR = 4,
    // A checksum is wrong: of the descriptor, the instructions, or an engine's out-of-range words.
    HAAC_ERROR_CORRUPT = 5,
    // A stream ends before the program does: instructions, out-of-range words, or tables.
    HAAC_ERROR_SHORT = 6,
    // An instruction is undefined.
    HAAC_ERROR_ILLEGAL_INSTRUCTION = 7,
    // Memory responded to a request with SLVERR or DECERR, with RLAST at a wrong beat, or with an
    // ID that was not sent.
    HAAC_ERROR_MEMORY_ERROR = 8,
    // Memory has not responded for `timeout` cycles.
    HAAC_ERROR_MEMORY_DEAD = 9,
    // No progress is possible, although no stream is short: the program contradicts itself.
    HAAC_ERROR_STUCK = 10,
};

// A stream of the machine.
enum haac_stream {
    // None.
    HAAC_STREAM_NONE = 0,
    // The launch descriptor.
    HAAC_STREAM_DESCRIPTOR = 1,
    // Instructions.
    HAAC_STREAM_INSTRUCTIONS = 2,
    // Input labels to load into the window.
    HAAC_STREAM_INPUTS = 3,
    // An engine's out-of-range words.
    HAAC_STREAM_OOR_ADDRESSES = 4,
    // An engine's out-of-range labels.
    HAAC_STREAM_OOR_WIRES = 5,
    // An engine's tables.
    HAAC_STREAM_TABLES = 6,
    // An engine's live labels.
    HAAC_STREAM_LIVE = 7,
};

// The meaning of the field `code` of the register `error`.
static inline const char *haac_error_text(uint32_t code) {
    switch (code) {
    case HAAC_ERROR_NONE:
        return "no error";
    case HAAC_ERROR_NOT_A_PROGRAM:
        return "there is no launch descriptor at the program's address";
    case HAAC_ERROR_OTHER_VERSION:
        return "the descriptor has another version of the registers or the instruction set";
    case HAAC_ERROR_OTHER_CONFIGURATION:
        return "the program is for another number of engines, another window, the other role or another encoding";
    case HAAC_ERROR_BAD_DESCRIPTOR:
        return "the descriptor's numbers contradict each other, or an address is not a multiple of 64";
    case HAAC_ERROR_CORRUPT:
        return "a checksum is wrong: of the descriptor, the instructions, or an engine's out-of-range words";
    case HAAC_ERROR_SHORT:
        return "a stream ends before the program does: instructions, out-of-range words, or tables";
    case HAAC_ERROR_ILLEGAL_INSTRUCTION:
        return "an instruction is undefined";
    case HAAC_ERROR_MEMORY_ERROR:
        return "memory responded to a request with SLVERR or DECERR, with RLAST at a wrong beat, or with an ID that was not sent";
    case HAAC_ERROR_MEMORY_DEAD:
        return "memory has not responded for `timeout` cycles";
    case HAAC_ERROR_STUCK:
        return "no progress is possible, although no stream is short: the program contradicts itself";
    default:
        return "an unknown error";
    }
}

// The launch descriptor: its first word, and bytes of header and entries.
#define HAAC_DESCRIPTOR_MAGIC 0x4c474748u
#define HAAC_HEADER_BYTES 64u
#define HAAC_ENGINE_BYTES 32u

// Offset of `magic` (4 bytes) in the header: 0x4c474748, the bytes of "HGGL" in order.
#define HAAC_HEADER_MAGIC 0u
// Offset of `version` (4 bytes) in the header: as in the register `version`.
#define HAAC_HEADER_VERSION 4u
// Offset of `machine` (4 bytes) in the header: as in the register `config`; the bits above are the
// encoding: 0 for `plain`.
#define HAAC_HEADER_MACHINE 8u
// Offset of `rows` (4 bytes) in the header: number of rows of instructions.
#define HAAC_HEADER_ROWS 12u
// Offset of `first_output` (4 bytes) in the header: address of the first instruction's output.
#define HAAC_HEADER_FIRST_OUTPUT 16u
// Offset of `first_loaded` (4 bytes) in the header: address of the first input that is loaded into
// the window; `first_output` if there is none.
#define HAAC_HEADER_FIRST_LOADED 20u
// Offset of `instruction_bursts` (4 bytes) in the header: number of bursts of the rows, the last
// padded with zeros.
#define HAAC_HEADER_INSTRUCTION_BURSTS 24u
// Offset of `instruction_crc` (4 bytes) in the header: CRC-32C of these bursts.
#define HAAC_HEADER_INSTRUCTION_CRC 28u
// Offset of `instructions` (8 bytes) in the header: address of the instructions, a multiple of 64.
#define HAAC_HEADER_INSTRUCTIONS 32u
// Offset of `labels` (8 bytes) in the header: address of the labels, a multiple of 64; the label of
// wire x is 16 x bytes above it.
#define HAAC_HEADER_LABELS 40u
// Offset of `reserved` (12 bytes) in the header: 0.
#define HAAC_HEADER_RESERVED 48u
// Offset of `crc` (4 bytes) in the header: CRC-32C of the whole descriptor, in which these four
// bytes count as 0.
#define HAAC_HEADER_CRC 60u
// Offset of `oor` (8 bytes) in an engine's entry: address of the engine's out-of-range words, a
// multiple of 64.
#define HAAC_ENGINE_OOR 0u
// Offset of `tables` (8 bytes) in an engine's entry: address of the engine's tables, a multiple of
// 64.
#define HAAC_ENGINE_TABLES 8u
// Offset of `oor_words` (4 bytes) in an engine's entry: number of words.
#define HAAC_ENGINE_OOR_WORDS 16u
// Offset of `ands` (4 bytes) in an engine's entry: number of tables.
#define HAAC_ENGINE_ANDS 20u
// Offset of `oor_crc` (4 bytes) in an engine's entry: CRC-32C of the bursts of words, the last
// padded with zeros.
#define HAAC_ENGINE_OOR_CRC 24u
// Offset of `reserved` (4 bytes) in an engine's entry: 0.
#define HAAC_ENGINE_RESERVED 28u

#endif  // HAAC_REGS_H
