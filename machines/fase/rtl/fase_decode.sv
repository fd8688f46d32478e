// SPDX-License-Identifier: MIT OR Apache-2.0

// Decodes one slot's part of a kernel word into a gate. The word's round determines the gate's
// netlist cycle and addresses.
//
// | port      | width | meaning                                              |
// |-----------|-------|------------------------------------------------------|
// | clear_i   | 1     | removes the gate at the end of this cycle            |
// | en_i      | 1     | 0 stalls the machine                                 |
// | valid_i   | 1     | slot_i is the slot's part of a word                  |
// | slot_i    |       |                                                      |
// | round_i   | 32    | the word's round                                     |
// | ands_i    | 64    | ANDs of all earlier rounds                           |
// | cycles_i  | 32    | netlist cycles in the run                            |
// | gate_o    |       | the gate, if its netlist cycle is part of the run    |
//
// Latency: 1 cycle. Stalls: en_i.

module fase_decode
  import fase_pkg::*;
  import fase_types_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        en_i,

  input  logic        valid_i,
  input  slot_t       slot_i,
  input  logic [31:0] round_i,
  input  logic [63:0] ands_i,
  input  logic [31:0] cycles_i,

  output gate_t       gate_o
);

  // A label has a ring of 2^copies words at `base`, one word per round in turn. Returns the address
  // of the label that was written `back` rounds ago.
  function automatic logic [11:0] word_of(
    input logic [11:0] base, input logic [3:0] copies, input logic [9:0] round,
    input logic [9:0] back
  );
    logic [9:0] mask, place;
    mask    = ~(10'h3ff << copies);
    place   = (round - back) & mask;
    word_of = base + 12'(place);
  endfunction

  logic [31:0] cycle;
  gate_t gate;

  // The gate belongs to the netlist cycle that started `stage` rounds ago. If there is none yet,
  // the subtraction wraps around to a number that no run reaches.
  assign cycle = round_i - 32'(slot_i.stage);

  always_comb begin
    gate.valid    = valid_i && slot_i.valid && cycle < cycles_i;
    gate.is_and   = slot_i.is_and;
    gate.copy     = slot_i.copy;
    gate.invert   = slot_i.invert;
    gate.invert_a = slot_i.invert_a;
    gate.invert_b = slot_i.invert_b;
    gate.number   = ands_i + 64'($signed(slot_i.number));
    for (int unsigned i = 0; i < 2; i++) begin
      // In its first `first` netlist cycles, an operand that passes through flip-flops is an
      // initial value, which is in the input memory.
      gate.operands[i].valid  = gate.valid && (i == 0 || !slot_i.copy);
      gate.operands[i].inputs = slot_i.operands[i].inputs;
      gate.operands[i].bank   = slot_i.operands[i].bank;
      gate.operands[i].address = word_of(slot_i.operands[i].address, slot_i.operands[i].copies,
                                         round_i[9:0], slot_i.operands[i].back);
      if (cycle < 32'(slot_i.operands[i].first)) begin
        gate.operands[i].inputs  = 1'b1;
        gate.operands[i].address = slot_i.operands[i].start + cycle[11:0];
      end
      gate.result.words[i].valid   = gate.valid && slot_i.places[i].valid;
      gate.result.words[i].inputs  = 1'b0;
      gate.result.words[i].bank    = slot_i.places[i].bank;
      gate.result.words[i].address = word_of(slot_i.places[i].address, slot_i.places[i].copies,
                                             round_i[9:0], slot_i.stage);
    end
    gate.result.keep  = gate.valid && slot_i.keep;
    gate.result.tag   = slot_i.tag;
    gate.result.cycle = cycle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gate_o <= '0;
    else if (clear_i) gate_o <= '0;
    else if (en_i) gate_o <= gate;
  end

endmodule
