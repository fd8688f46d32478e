// Where an operand of a slot is, and whether it is there.
//
// A flip-flop takes over what its next state was in the netlist cycle before, in the first what it starts from: the
// second operand. A gate reads labels of its own netlist cycle, and waits for them.
//
// | parameter | meaning                                            |
// |-----------|----------------------------------------------------|
// | Second    | which of the slot's two operands                   |
//
// | port      | width | meaning                                                |
// |-----------|-------|--------------------------------------------------------|
// | slot_i    |       |                                                        |
// | cycle_i   | 32    | the netlist cycle                                      |
// | first_i   | 16    | input bits of netlist cycle 0                          |
// | each_i    | 16    | of every other                                         |
// | round_i   | 32    | the netlist cycle whose labels were made last          |
// | count_i   | 16    | and how many of them                                   |
// | ready_i   | 1     | the label of source_o.word is there, if it is no input |
// | source_o  |       |                                                        |
// | there_o   | 1     | the slot need not wait for it                          |
//
// Latency: none, combinational. Nothing stalls it.

module fase_paper_operand
  import fase_pkg::*;
  import fase_paper_pkg::*;
#(
  parameter bit Second = 1'b0
) (
  // A slot has more than is asked for here.
  /* verilator lint_off UNUSEDSIGNAL */
  input  paper_slot_t slot_i,
  /* verilator lint_on UNUSEDSIGNAL */
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

  // Per-cycle inputs of netlist cycles but the first have two places each, in turn. Flip-flops look back.
  assign of_first = !operand.per_cycle || first_cycle || (slot_i.flip_flop && cycle_i == 32'd1);
  assign turn     = cycle_i[0] != slot_i.flip_flop ? '0 : each_i;

  assign source_o.label    = !operand.is_input && !operand.is_constant;
  assign source_o.constant = operand.is_constant;
  assign source_o.invert   = operand.invert;
  assign source_o.word     = of_first ? operand.word : first_i + turn + operand.again;

  // An input's label: made before, or in this netlist cycle already.
  assign made = round_i > cycle_i || (!first_cycle && !operand.per_cycle)
                || (round_i == cycle_i && (first_cycle ? operand.word : operand.again) < count_i);

  always_comb begin
    if (!used || operand.is_constant || (slot_i.flip_flop && !first_cycle)) there_o = 1'b1;
    else if (operand.is_input) there_o = made;
    else there_o = ready_i;
  end

endmodule
