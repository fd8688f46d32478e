// SPDX-License-Identifier: MIT OR Apache-2.0

// Decodes an instruction of the encoding `plain` and its output's address into a gate and two
// operands with addresses.
//
// | port    | width          | meaning                                              |
// |---------|----------------|------------------------------------------------------|
// | instr_i | InstrWidth     | fields from the top: live, b, a, operation           |
// | out_i   | AddressWidth   | address of the output                                |
// | and_i   | AndNumberWidth | AND number, if the instruction is an AND             |
// | gate_o  | gate_t         | the operation                                        |
// | a_o b_o | operand_t      | operands, not yet read                               |
//
// Latency: none, combinational. Stalls: none.

module haac_decode
  import haac_isa_pkg::*;
  import haac_engine_pkg::*;
#(
  parameter int unsigned WindowLabels = 4096,
  localparam int unsigned SlotWidth   = $clog2(WindowLabels),
  localparam int unsigned InstrWidth  = 3 + 2 * SlotWidth
) (
  input  logic [InstrWidth-1:0]     instr_i,
  input  logic [AddressWidth-1:0]   out_i,
  input  logic [AndNumberWidth-1:0] and_i,
  output gate_t                     gate_o,
  output operand_t                  a_o,
  output operand_t                  b_o
);

  localparam int unsigned LapWidth = AddressWidth - SlotWidth;

  logic [1:0] op;
  logic [SlotWidth-1:0] a, b;
  logic live, unary;

  assign {live, b, a, op} = instr_i;
  assign unary = op == OpUnary;

  assign gate_o = '{
    live:   live,
    inv:    unary && b == SlotWidth'(UnaryInv),
    unary:  unary,
    is_and: op == OpAnd,
    number: and_i,
    out:    out_i
  };

  assign a_o = '{address: address(a), phase: PhaseNone, port: '0, there: 1'b0};
  assign b_o = '{address: address(b), phase: PhaseNone, port: '0, there: unary};

  // Returns the greatest address that is below the output's and has this slot.
  function automatic logic [AddressWidth-1:0] address(input logic [SlotWidth-1:0] slot);
    logic [LapWidth-1:0] borrow;
    borrow  = LapWidth'(slot >= out_i[SlotWidth-1:0]);
    address = {out_i[AddressWidth-1:SlotWidth] - borrow, slot};
  endfunction

endmodule
