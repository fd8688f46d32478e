// SPDX-License-Identifier: MIT OR Apache-2.0

// HAAC's instruction set: the part that does not depend on the machine's size.
//
// Generated from machines/haac/spec/isa.toml: change that file and run `make spec`.

package haac_isa_pkg;

  // Version of the instruction set.
  parameter int unsigned IsaVersion = 1;

  // Bits of a wire's address.
  parameter int unsigned AddressWidth = 31;

  // Bits of an AND's number in a launch.
  parameter int unsigned AndNumberWidth = 32;

  // Bits of a label.
  parameter int unsigned LabelWidth = 128;

  // Bits of a garbled table.
  parameter int unsigned TableWidth = 256;

  // Bits of a burst.
  parameter int unsigned BurstWidth = 512;

  // Operations.
  typedef enum logic [1:0] {
    OpNop = 2'd0,
    OpXor = 2'd1,
    OpAnd = 2'd2,
    OpUnary = 2'd3
  } op_e;

  // Field b of OpUnary.
  parameter int unsigned UnaryCopy = 1;
  parameter int unsigned UnaryInv = 2;

  // A word of an engine's out-of-range stream; the lowest field is last.
  typedef struct packed {
    logic last;
    logic [30:0] address;
  } oor_word_t;

  // What an engine did in a cycle.
  parameter int unsigned CauseCount = 13;
  parameter int unsigned CauseWidth = 4;
  typedef enum logic [3:0] {
    CauseIssue = 4'd0,
    CauseOperand = 4'd1,
    CauseBank = 4'd2,
    CauseInterlock = 4'd3,
    CauseOorEmpty = 4'd4,
    CauseInput = 4'd5,
    CauseTable = 4'd6,
    CauseLiveFull = 4'd7,
    CauseWritePort = 4'd8,
    CauseInstructions = 4'd9,
    CauseBehind = 4'd10,
    CauseNop = 4'd11,
    CauseFinished = 4'd12
  } cause_e;

endpackage : haac_isa_pkg
