// SPDX-License-Identifier: MIT OR Apache-2.0

// Words of the scheduled FASE machine.
//
// Generated from machines/scheduled/spec/words.toml: change that file and run `make spec`.

package fase_pkg;

  // The place of an operand of a slot; the lowest field is last.
  typedef struct packed {
    logic inputs;
    logic [11:0] start;
    logic [7:0] first;
    logic [9:0] back;
    logic [3:0] copies;
    logic [11:0] address;
    logic [5:0] bank;
  } operand_t;

  // The place to which a label is written; the lowest field is last.
  typedef struct packed {
    logic valid;
    logic [3:0] copies;
    logic [11:0] address;
    logic [5:0] bank;
  } place_t;

  // A slot of a kernel word; the lowest field is last.
  typedef struct packed {
    logic valid;
    logic is_and;
    logic copy;
    logic invert;
    logic invert_b;
    logic invert_a;
    logic keep;
    logic [11:0] tag;
    logic [31:0] number;
    logic [9:0] stage;
    place_t [1:0] places;
    operand_t [1:0] operands;
  } slot_t;

  // The input label that a kernel word makes; the lowest field is last.
  typedef struct packed {
    logic valid;
    logic [31:0] again;
    logic [15:0] first;
    logic [9:0] stage;
    logic [3:0] copies;
    logic [11:0] address;
  } expand_t;

  // A label that is made in the input memory at the start; the lowest field is last.
  typedef struct packed {
    logic invert;
    logic constant;
    logic [15:0] number;
    logic [11:0] address;
  } initial_t;

  // The source of an operand of the published machine's slot; the lowest field is last.
  typedef struct packed {
    logic per_cycle;
    logic is_input;
    logic is_constant;
    logic invert;
    logic [15:0] again;
    logic [15:0] word;
  } paper_operand_t;

  // A flip-flop or a gate of the published machine's netlist; the lowest field is last.
  typedef struct packed {
    logic keep;
    logic flip_flop;
    logic is_and;
    logic copy;
    logic invert;
    paper_operand_t [1:0] operands;
  } paper_slot_t;

endpackage
