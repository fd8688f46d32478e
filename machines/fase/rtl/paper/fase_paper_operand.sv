// SPDX-License-Identifier: MIT OR Apache-2.0

// Locates an operand of a slot, and determines whether its label is ready.
//
// In netlist cycle 0 a flip-flop takes its initial value, which is the second operand. Later it
// takes its next state from the previous netlist cycle, the first operand. A gate reads labels of
// its own netlist cycle, and waits for them.
//
// | parameter | meaning                                            |
// |-----------|----------------------------------------------------|
// | Second    | 1: the slot's second operand; 0: the first         |
//
// | port      | width | meaning                                                |
// |-----------|-------|--------------------------------------------------------|
// | slot_i    |       |                                                        |
// | cycle_i   | 32    | the netlist cycle                                      |
// | first_i   | 16    | input bits of netlist cycle 0                          |
// | each_i    | 16    | input bits of every later netlist cycle                |
// | round_i   | 32    | the netlist cycle of the last finished input label     |
// | count_i   | 16    | finished labels of netlist cycle round_i               |
// | ready_i   | 1     | label source_o.word is ready; ignored for inputs       |
// | source_o  |       |                                                        |
// | there_o   | 1     | the operand is ready                                   |
//
// Latency: none, combinational. Nothing stalls it.

module fase_paper_operand
  import fase_pkg::*;
  import fase_paper_pkg::*;
#(
  parameter bit Second = 1'b0
) (
  // This module does not use all fields of a slot.
  input  paper_slot_t slot_i,
  input  logic [31:0] cycle_i,
  input  logic [15:0] first_i,
  input  logic [15:0] each_i,
  input  logic [31:0] round_i,
  input  logic [15:0] count_i,
  input  logic        ready_i,
  output source_t     source_o,
  output logic        there_o
);

  paper_operand_t operand;
  logic first_cycle, used, of_first, made;
  logic [15:0] turn;

  assign operand     = slot_i.operands[Second];
  assign first_cycle = cycle_i == '0;
  assign used        = slot_i.flip_flop ? first_cycle == Second : !(Second && slot_i.copy);

  // Per-cycle inputs of netlist cycles after the first use two areas alternately. Flip-flops read
  // the per-cycle inputs of the previous netlist cycle.
  assign of_first = !operand.per_cycle || first_cycle || (slot_i.flip_flop && cycle_i == 32'd1);
  assign turn     = cycle_i[0] != slot_i.flip_flop ? '0 : each_i;

  assign source_o.label    = !operand.is_input && !operand.is_constant;
  assign source_o.constant = operand.is_constant;
  assign source_o.invert   = operand.invert;
  assign source_o.word     = of_first ? operand.word : first_i + turn + operand.again;

  // Whether an input's label is finished. It was finished in an earlier netlist cycle or in this
  // one.
  assign made = round_i > cycle_i || (!first_cycle && !operand.per_cycle)
                || (round_i == cycle_i && (first_cycle ? operand.word : operand.again) < count_i);

  always_comb begin
    if (!used || operand.is_constant || (slot_i.flip_flop && !first_cycle)) there_o = 1'b1;
    else if (operand.is_input) there_o = made;
    else there_o = ready_i;
  end

  logic unused;
  assign unused = ^slot_i;

endmodule
