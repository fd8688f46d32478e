// SPDX-License-Identifier: MIT OR Apache-2.0

// Words of the mobile coprocessor.
//
// Generated from machines/mobile/spec/words.toml: change that file and run `make spec`.

package mobile_pkg;

  // Kind of an item.
  localparam logic [3:0] KindXor = 4'd0;  // operands a, b, out; out = a ^ b
  localparam logic [3:0] KindXorToA = 4'd1;  // operands a, b; a = a ^ b
  localparam logic [3:0] KindXor3 = 4'd2;  // operands a, b, c, out; out = a ^ b ^ c
  localparam logic [3:0] KindXor3ToA = 4'd3;  // operands a, b, c; a = a ^ b ^ c
  localparam logic [3:0] KindAnd = 4'd4;  // operands a, b, out; out = a & b
  localparam logic [3:0] KindAndToA = 4'd5;  // operands a, b; a = a & b
  localparam logic [3:0] KindAndToB = 4'd6;  // operands a, b; b = a & b
  localparam logic [3:0] KindChoice = 4'd7;  // operands a, b, c, out; out = (a & (b ^ c)) ^ c
  localparam logic [3:0] KindChoiceToB = 4'd8;  // operands a, b, c; b = (a & (b ^ c)) ^ c
  localparam logic [3:0] KindChoiceToC = 4'd9;  // operands a, b, c; c = (a & (b ^ c)) ^ c
  localparam logic [3:0] KindAnd3 = 4'd10;  // AND with XORs; operands a, b, c, how, perhaps out
  localparam logic [3:0] KindLoad = 4'd11;  // a slot, and the label to store in it
  localparam logic [3:0] KindRead = 4'd12;  // a slot; its label is sent back
  localparam logic [3:0] KindEnd = 4'd13;  // no item follows
  localparam logic [3:0] KindBegin = 4'd14;  // begins a netlist cycle: suite, number, cycle, point
  localparam logic [3:0] KindNone = 4'd15;  // no second item

  // Kind of a frame.
  localparam logic [1:0] FrameData = 2'd0;  // a payload of items or labels
  localparam logic [1:0] FrameAck = 2'd1;  // acknowledges all frames before its number
  localparam logic [1:0] FrameAgain = 2'd2;  // as ack, and requests the frames from its number on
  localparam logic [1:0] FrameReset = 2'd3;  // the host's reset, and the chip's greeting

  // Suite.
  localparam logic [0:0] SuiteHalfGates = 1'd0;  // half-gates, tables of 32 bytes
  localparam logic [0:0] SuiteGrr3 = 1'd1;  // grr3, tables of 48 bytes

  // Status of the chip.
  localparam logic [2:0] StatusFine = 3'd0;  // no error
  localparam logic [2:0] StatusOtherRun = 3'd1;  // a frame of another run arrived
  localparam logic [2:0] StatusNoItem = 3'd2;  // bytes arrived that are no item
  localparam logic [2:0] StatusNoSlot = 3'd3;  // an item named a slot that does not exist
  localparam logic [2:0] StatusOver = 3'd4;  // the end was reached without an error

  // Version of the link.
  localparam logic [7:0] FormatVersion = 8'd1;  // the current one

endpackage
