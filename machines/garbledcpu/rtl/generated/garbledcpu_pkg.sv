// Words of the evaluator of GarbledCPU. Generated from machines/garbledcpu/spec/words.toml by `make spec`: change that.

// A package is there for everybody; nobody uses all of it.
/* verilator lint_off UNUSED */

package garbledcpu_pkg;

  // Where an entry finds an operand; the lowest field stands last.
  typedef struct packed {
    logic valid;
    logic inputs;
    logic [15:0] start;
    logic [7:0] first;
    logic [9:0] back;
    logic [3:0] copies;
    logic [15:0] address;
    logic [5:0] bank;
  } operand_t;

  // Where a label is written; the lowest field stands last.
  typedef struct packed {
    logic valid;
    logic [3:0] copies;
    logic [15:0] address;
    logic [5:0] bank;
  } place_t;

  // A gate: ((a ^ c?) & (b ^ c?)) ^ c?, where c? is the third operand or nothing; or a ^ b; the lowest field stands last.
  typedef struct packed {
    logic valid;
    logic is_and;
    logic xor_out;
    logic xor_b;
    logic xor_a;
    logic keep;
    logic [15:0] tag;
    logic [31:0] number;
    logic [9:0] stage;
    place_t [2:0] places;
    operand_t [2:0] operands;
  } entry_t;

  // The input label that is wanted in a word of the gate memory; the lowest field stands last.
  typedef struct packed {
    logic valid;
    logic [9:0] stage;
    logic [3:0] copies;
    logic [15:0] address;
  } request_t;

endpackage
