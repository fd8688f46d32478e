// SPDX-License-Identifier: MIT OR Apache-2.0

// Types of the data that the stages of the scheduled FASE machine exchange.

package fase_types_pkg;

  // An address in a bank or in the input memory.
  typedef struct packed {
    logic valid;
    logic inputs;  // the address is in the input memory; bank is ignored
    logic [5:0] bank;
    logic [11:0] address;
  } word_t;

  // A gate's data when it is taken, without its operands.
  typedef struct packed {
    logic keep;
    logic [11:0] tag;
    logic [31:0] cycle;
    word_t [1:0] words;  // destinations of its label
  } result_t;

  // A gate, decoded.
  typedef struct packed {
    logic valid;
    logic is_and;
    logic copy;
    logic invert;
    logic invert_b;
    logic invert_a;
    logic [63:0] number;  // AND number in the run
    word_t [1:0] operands;
    result_t result;
  } gate_t;

endpackage
