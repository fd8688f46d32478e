// What the harness gives the runtime and the Verilated classes: their messages and stops.
#pragma once

// Verilator prints through this: text is kept for the message of a failure, never printed.
__attribute__((format(printf, 1, 2))) int halfgate_printf(const char* format, ...);
#define VL_PRINTF halfgate_printf
