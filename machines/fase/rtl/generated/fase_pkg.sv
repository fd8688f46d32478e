// Words of the scheduled FASE machine. Generated from machines/scheduled/spec/words.toml by `make spec`: change that.

// A package is there for everybody; nobody uses all of it.
/* verilator lint_off UNUSED */

package fase_pkg;

  // Where a slot finds an operand; the lowest field stands last.
  typedef struct packed {
    logic inputs;
    logic [11:0] start;
    logic [7:0] first;
    logic [9:0] back;
    logic [3:0] copies;
    logic [11:0] address;
    logic [5:0] bank;
  } operand_t;

  // Where a label is written; the lowest field stands last.
  typedef struct packed {
    logic valid;
    logic [3:0] copies;
    logic [11:0] address;
    logic [5:0] bank;
  } place_t;

  // What a slot does in a word of the kernel; the lowest field stands last.
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

  // The input label that is made in a word of the kernel; the lowest field stands last.
  typedef struct packed {
    logic valid;
    logic [31:0] again;
    logic [15:0] first;
    logic [9:0] stage;
    logic [3:0] copies;
    logic [11:0] address;
  } expand_t;

  // A label of the input memory that is made at the start; the lowest field stands last.
  typedef struct packed {
    logic invert;
    logic constant;
    logic [15:0] number;
    logic [11:0] address;
  } initial_t;

  // Where a slot of the published machine finds an operand; the lowest field stands last.
  typedef struct packed {
    logic per_cycle;
    logic is_input;
    logic is_constant;
    logic invert;
    logic [15:0] again;
    logic [15:0] word;
  } paper_operand_t;

  // A flip-flop or a gate of the published machine's netlist; the lowest field stands last.
  typedef struct packed {
    logic keep;
    logic flip_flop;
    logic is_and;
    logic copy;
    logic invert;
    paper_operand_t [1:0] operands;
  } paper_slot_t;

endpackage
