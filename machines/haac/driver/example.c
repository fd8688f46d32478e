// SPDX-License-Identifier: MIT OR Apache-2.0

// Garbles a program on one machine and evaluates it on another, both under simulation. program.h
// has the program (`halfgate image aes128 --machine haac-1ge -o program.h`).
//
//     example INPUT             prints the output
//     example INPUT last|id     memory sends a wrong RLAST or ID: prints the error
//
// INPUT and output are the program's bits in hexadecimal, bit 0 first: bit i is bit i mod 8 of byte
// i / 8. In a real system the two machines belong to two parties, and the evaluator gets the active
// labels of its inputs by oblivious transfer.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haac.h"
#include "program.h"
#include "sim.h"

static uint8_t garbler_memory[PROGRAM_MEMORY], evaluator_memory[PROGRAM_MEMORY];
static uint8_t input[PROGRAM_INPUT_BITS / 8 + 1], output[PROGRAM_OUTPUT_BITS / 8 + 1];

static int bit(const uint8_t *bits, uint32_t number)
{
    return bits[number / 8] >> number % 8 & 1;
}

// The label of a wire.
static uint8_t *label(uint8_t *memory, uint32_t wire)
{
    return memory + PROGRAM_LABELS + 16 * (size_t)wire;
}

// Labels for the example. A garbler needs labels and delta that nobody can predict.
static uint8_t random_byte(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (uint8_t)(state >> 24);
}

static void fail_because(const char *who, const char *why)
{
    printf("%s: %s\n", who, why);
    exit(3);
}

static void fail(const char *who, uint32_t error)
{
    fail_because(who, error == HAAC_NOT_RUN ? "it has not run" : haac_error_text(error));
}

static void load(uint8_t *memory, const uint8_t *descriptor)
{
    memcpy(memory + PROGRAM_DESCRIPTOR, descriptor, PROGRAM_DESCRIPTOR_BYTES);
    memcpy(memory + PROGRAM_INSTRUCTIONS, program_instructions, sizeof program_instructions);
    memcpy(memory + PROGRAM_WORDS, program_words, sizeof program_words);
}

static int read_input(const char *text)
{
    if (strlen(text) != 2 * ((PROGRAM_INPUT_BITS + 7) / 8))
        return -1;
    for (size_t i = 0; i < strlen(text) / 2; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        char *end;
        input[i] = (uint8_t)strtoul(digits, &end, 16);
        if (*end != 0)
            return -1;
    }
    return 0;
}

int main(int count, char **arguments)
{
    const int breaks = count > 2 && (strcmp(arguments[2], "last") == 0 || strcmp(arguments[2], "id") == 0);
    if (count < 2 || count > 3 || (count == 3 && !breaks) || read_input(arguments[1]) != 0) {
        fprintf(stderr, "usage: example INPUT [last|id], with %d bits of input in hexadecimal\n", PROGRAM_INPUT_BITS);
        return 2;
    }
    uint32_t delta[4];
    for (size_t i = 0; i < sizeof delta; i++)
        ((uint8_t *)delta)[i] = random_byte();
    delta[0] &= ~1u;
    const struct haac_launch garble = {PROGRAM_DESCRIPTOR, 0, {1, 2, 3, 4}, delta};
    const struct haac_launch evaluate = {PROGRAM_DESCRIPTOR, 0, {1, 2, 3, 4}, NULL};

    // The garbler: false labels of the inputs.
    load(garbler_memory, program_garbler);
    for (uint32_t i = 0; i < PROGRAM_INPUTS; i++)
        for (int byte = 0; byte < 16; byte++)
            label(garbler_memory, program_inputs[i].wire)[byte] = random_byte();
    const struct haac garbler = {sim_garbler(garbler_memory, sizeof garbler_memory), sim_read, sim_write};
    if (haac_check(&garbler, PROGRAM_GARBLER) != 0)
        fail("garbler", HAAC_ERROR_OTHER_CONFIGURATION);
    if (breaks)
        sim_break(garbler.context, strcmp(arguments[2], "id") == 0);
    // The driver refuses no delta, and one whose bit 0 is 0.
    if (haac_start(&garbler, &evaluate) == 0 || haac_start(&garbler, &garble) == 0)
        fail_because("garbler", "it has started without a usable delta");
    delta[0] |= 1;
    if (haac_start(&garbler, &garble) != 0)
        fail("garbler", HAAC_NOT_RUN);
    uint32_t error = haac_wait(&garbler);
    if (error != HAAC_ERROR_NONE)
        fail("garbler", error);

    // The evaluator: active labels of the inputs, and the garbler's tables.
    load(evaluator_memory, program_evaluator);
    memcpy(evaluator_memory + PROGRAM_TABLES, garbler_memory + PROGRAM_TABLES, PROGRAM_TABLES_BYTES);
    for (uint32_t i = 0; i < PROGRAM_INPUTS; i++)
        for (int byte = 0; byte < 16; byte++) {
            const uint8_t offset = bit(input, program_inputs[i].bit) ? ((const uint8_t *)delta)[byte] : 0;
            label(evaluator_memory, program_inputs[i].wire)[byte] = label(garbler_memory, program_inputs[i].wire)[byte] ^ offset;
        }
    const struct haac evaluator = {sim_evaluator(evaluator_memory, sizeof evaluator_memory), sim_read, sim_write};
    if (haac_check(&evaluator, PROGRAM_EVALUATOR) != 0)
        fail("evaluator", HAAC_ERROR_OTHER_CONFIGURATION);
    if (haac_start(&evaluator, &evaluate) != 0)
        fail("evaluator", HAAC_NOT_RUN);
    error = haac_wait(&evaluator);
    if (error != HAAC_ERROR_NONE)
        fail("evaluator", error);

    // An output is 1 if its active label is not the false one.
    for (uint32_t i = 0; i < PROGRAM_OUTPUT_BITS; i++) {
        int value = program_outputs[i].inverted;
        if (program_outputs[i].wire != 0)
            value ^= memcmp(label(evaluator_memory, program_outputs[i].wire), label(garbler_memory, program_outputs[i].wire), 16) != 0;
        output[i / 8] |= (uint8_t)(value << i % 8);
    }
    for (uint32_t i = 0; i < (PROGRAM_OUTPUT_BITS + 7) / 8; i++)
        printf("%02x", output[i]);
    printf("\n");
    fprintf(stderr, "clock cycles: garbler %llu, evaluator %llu\n",
            (unsigned long long)sim_cycles(garbler.context), (unsigned long long)sim_cycles(evaluator.context));
    return 0;
}
