// SPDX-License-Identifier: MIT OR Apache-2.0

// Types and constants of the data that the stages of the published FASE machine exchange.

package fase_paper_pkg;

  // Clock cycles in state MASKS, at least. The machine enters it when all labels of a netlist cycle
  // are written. State RSTCOUNTERS follows for one clock cycle.
  localparam int unsigned MaskCycles  = 8;
  // Clock cycles of set-up: the key of AES is expanded (GETKEYS), and the first slots are fetched
  // (CONSTLABELS).
  localparam int unsigned SetupCycles = 10;
  // Clock cycles from taking an AND to writing its label.
  localparam int unsigned AndCycles   = 12;

  // The place of an operand.
  typedef struct packed {
    logic label;     // 1: a gate or flip-flop; 0: an input or the constant
    logic constant;
    logic invert;
    logic [15:0] word;  // address in the label memory or the input memory
  } source_t;

  // Data of a slot when it is taken, without its operands.
  typedef struct packed {
    logic keep;
    logic is_and;
    logic [15:0] index;     // of the slot: the address of its label
    logic [15:0] position;  // of the gate among the gates
    logic [15:0] number;    // of the AND in the netlist cycle: the address of its table
    logic [15:0] output_number;  // of the output in the netlist cycle: the address of its label
  } about_t;

  // A slot that was taken.
  typedef struct packed {
    logic valid;
    logic copy;
    logic invert;
    about_t about;
    source_t [1:0] operands;
  } taken_t;

endpackage
