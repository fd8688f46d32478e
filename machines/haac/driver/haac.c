// SPDX-License-Identifier: MIT OR Apache-2.0

#include "haac.h"

#include <stddef.h>

// The register `id`: "HAAC".
#define ID 0x43414148u

// The field of a register's value.
#define FIELD(value, name) ((value) >> HAAC_##name##_LOW & HAAC_##name##_MASK)

static void write_words(const struct haac *haac, uint32_t offset, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        haac->write(haac->context, offset + 4 * i, words[i]);
}

static void write_long(const struct haac *haac, uint32_t offset, uint64_t value)
{
    const uint32_t words[2] = {(uint32_t)value, (uint32_t)(value >> 32)};
    write_words(haac, offset, words, 2);
}

static uint32_t status(const struct haac *haac)
{
    return haac->read(haac->context, HAAC_REG_STATUS);
}

// Waits until nothing is wiped or outstanding.
static void wait_until_ready(const struct haac *haac)
{
    uint32_t state;
    do {
        state = FIELD(status(haac), STATUS_STATE);
    } while (state != HAAC_STATE_IDLE && state != HAAC_STATE_DONE && state != HAAC_STATE_FAILED);
}

int haac_check(const struct haac *haac, uint32_t machine)
{
    const uint32_t version = haac->read(haac->context, HAAC_REG_VERSION);
    if (haac->read(haac->context, HAAC_REG_ID) != ID)
        return -1;
    if (FIELD(version, VERSION_REGISTERS) != HAAC_VERSION)
        return -1;
    return haac->read(haac->context, HAAC_REG_CONFIG) == machine ? 0 : -1;
}

int haac_start(const struct haac *haac, const struct haac_launch *launch)
{
    const int garbles = !FIELD(haac->read(haac->context, HAAC_REG_CONFIG), CONFIG_EVALUATOR);
    if (garbles && (launch->delta == NULL || (launch->delta[0] & 1) == 0))
        return -1;
    wait_until_ready(haac);
    // 0: responses count when they arrive, and requests are not limited.
    haac->write(haac->context, HAAC_REG_LATENCY, 0);
    haac->write(haac->context, HAAC_REG_CREDIT_STEP, 0);
    write_long(haac, HAAC_REG_PROGRAM, launch->descriptor);
    write_long(haac, HAAC_REG_AND_BASE, launch->and_base);
    write_words(haac, HAAC_REG_POINT, launch->point, 4);
    if (launch->delta != NULL)
        write_words(haac, HAAC_REG_DELTA, launch->delta, 4);
    haac->write(haac->context, HAAC_REG_CONTROL, 1u << HAAC_CONTROL_START_LOW);
    return 0;
}

uint32_t haac_wait(const struct haac *haac)
{
    for (;;) {
        const uint32_t now = status(haac);
        if (FIELD(now, STATUS_FAILED))
            return FIELD(haac->read(haac->context, HAAC_REG_ERROR), ERROR_CODE);
        if (FIELD(now, STATUS_DONE))
            return HAAC_ERROR_NONE;
        // Idle before the end: a reset has ended the run, or it was never started.
        if (FIELD(now, STATUS_STATE) == HAAC_STATE_IDLE)
            return HAAC_NOT_RUN;
    }
}

void haac_acknowledge(const struct haac *haac)
{
    haac->write(haac->context, HAAC_REG_CONTROL, 1u << HAAC_CONTROL_CLEAR_LOW);
}

void haac_abort(const struct haac *haac)
{
    haac->write(haac->context, HAAC_REG_CONTROL, 1u << HAAC_CONTROL_RESET_LOW);
    wait_until_ready(haac);
}
