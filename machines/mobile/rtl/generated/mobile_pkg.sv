// Words of the mobile coprocessor. Generated from machines/mobile/spec/words.toml by `make spec`: change that.

// A package is there for everybody; nobody uses all of it.
/* verilator lint_off UNUSED */

package mobile_pkg;

  // An item.
  localparam logic [3:0] KindXor = 4'd0;  // a, b, out: out = a ^ b
  localparam logic [3:0] KindXorToA = 4'd1;  // a, b: out being a
  localparam logic [3:0] KindXor3 = 4'd2;  // a, b, c, out: out = a ^ b ^ c
  localparam logic [3:0] KindXor3ToA = 4'd3;  // a, b, c: out being a
  localparam logic [3:0] KindAnd = 4'd4;  // a, b, out: out = a & b
  localparam logic [3:0] KindAndToA = 4'd5;  // a, b: out being a
  localparam logic [3:0] KindAndToB = 4'd6;  // a, b: out being b
  localparam logic [3:0] KindChoice = 4'd7;  // a, b, c, out: out = (a & (b ^ c)) ^ c
  localparam logic [3:0] KindChoiceToB = 4'd8;  // a, b, c: out being b
  localparam logic [3:0] KindChoiceToC = 4'd9;  // a, b, c: out being c
  localparam logic [3:0] KindAnd3 = 4'd10;  // a, b, c, a byte that says how, perhaps out
  localparam logic [3:0] KindLoad = 4'd11;  // a slot and its label
  localparam logic [3:0] KindRead = 4'd12;  // a slot whose label is wanted
  localparam logic [3:0] KindEnd = 4'd13;  // there is nothing more
  localparam logic [3:0] KindBegin = 4'd14;  // a netlist cycle begins: suite, number, cycle, point
  localparam logic [3:0] KindNone = 4'd15;  // the second of two, if there is none

  // A frame.
  localparam logic [1:0] FrameData = 2'd0;  // payload
  localparam logic [1:0] FrameAck = 2'd1;  // all before the number are there
  localparam logic [1:0] FrameAgain = 2'd2;  // the same, and those from the number on are wanted again
  localparam logic [1:0] FrameReset = 2'd3;  // the beginning of a run, and the answer to it

  // A suite.
  localparam logic [0:0] SuiteHalfGates = 1'd0;  // half-gates, tables of 32 bytes
  localparam logic [0:0] SuiteGrr3 = 1'd1;  // grr3, tables of 48 bytes

  // What the chip says of itself.
  localparam logic [2:0] StatusFine = 3'd0;  // nothing is wrong
  localparam logic [2:0] StatusOtherRun = 3'd1;  // a frame of another run came
  localparam logic [2:0] StatusNoItem = 3'd2;  // bytes came that are no item
  localparam logic [2:0] StatusNoSlot = 3'd3;  // an item names a slot that it has not
  localparam logic [2:0] StatusOver = 3'd4;  // the last item is done, and nothing was wrong

  // A link.
  localparam logic [7:0] FormatVersion = 8'd1;  // this one

endpackage
