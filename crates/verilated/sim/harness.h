// Declarations for Verilator's runtime and the Verilated classes. They redirect the output of
// messages.
#pragma once

// Replaces printf in Verilator: the text is kept for a failure's message, and never printed.
__attribute__((format(printf, 1, 2))) int halfgate_printf(const char* format, ...);
#define VL_PRINTF halfgate_printf
