// SPDX-License-Identifier: MIT OR Apache-2.0

// Words of the evaluator of GarbledCPU.
//
// Generated from machines/garbledcpu/spec/words.toml: change that file and run `make spec`.

package garbledcpu_pkg;

  // The place of an operand of an entry; the lowest field is last.
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

  // The place to which a label is written; the lowest field is last.
  typedef struct packed {
    logic valid;
    logic [3:0] copies;
    logic [15:0] address;
    logic [5:0] bank;
  } place_t;

  // A gate: a ^ b, or ((a ^ c?) & (b ^ c?)) ^ c?, where each c? is the third operand or 0; the
  // lowest field is last.
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

  // The input label that a word of the gate memory requests; the lowest field is last.
  typedef struct packed {
    logic valid;
    logic [9:0] stage;
    logic [3:0] copies;
    logic [15:0] address;
  } request_t;

endpackage
