// SPDX-License-Identifier: MIT OR Apache-2.0

// Decodes an entry of the gate memory: whether it holds a gate, the gate's netlist cycle, and the
// addresses of its operands and its result.
//
// | port     | width | meaning                                                          |
// |----------|-------|------------------------------------------------------------------|
// | clear_i  | 1     | nothing is left in the register after this cycle                 |
// | en_i     | 1     | 0 stalls the machine                                             |
// | valid_i  | 1     | entry_i is an entry of a word of round round_i                   |
// | ands_i   | 64    | ANDs of all earlier rounds                                       |
// | cycles_i | 32    | netlist cycles in the run                                        |
// | gate_o   |       | the gate; invalid without one, or if the run has no such netlist cycle |
//
// Latency: 1 cycle. Stalls: en_i.

module garbledcpu_decode
  import garbledcpu_pkg::*;
  import garbledcpu_types_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        en_i,

  input  logic        valid_i,
  input  entry_t      entry_i,
  input  logic [31:0] round_i,
  input  logic [63:0] ands_i,
  input  logic [31:0] cycles_i,

  output gate_t       gate_o
);

  // A label has a ring of 2^copies words at `base`, one word per round in turn. Returns the address
  // of the label that was written `back` rounds ago.
  function automatic logic [15:0] word_of(
    input logic [15:0] base, input logic [3:0] copies, input logic [9:0] round,
    input logic [9:0] back
  );
    logic [9:0] mask, place;
    mask    = ~(10'h3ff << copies);
    place   = (round - back) & mask;
    word_of = base + 16'(place);
  endfunction

  logic [31:0] cycle;
  gate_t gate;

  // The gate belongs to the netlist cycle that started `stage` rounds ago. If there is none yet,
  // the subtraction wraps around to a number that no run reaches.
  assign cycle = round_i - 32'(entry_i.stage);

  always_comb begin
    gate.valid   = valid_i && entry_i.valid && cycle < cycles_i;
    gate.is_and  = entry_i.is_and;
    gate.xor_a   = entry_i.xor_a;
    gate.xor_b   = entry_i.xor_b;
    gate.xor_out = entry_i.xor_out;
    gate.number  = ands_i + 64'($signed(entry_i.number));
    for (int unsigned i = 0; i < 3; i++) begin
      // In its first `first` netlist cycles, an operand that passes through flip-flops is an
      // initial value, which is in the input memory.
      gate.operands[i].valid   = gate.valid && entry_i.operands[i].valid;
      gate.operands[i].inputs  = entry_i.operands[i].inputs;
      gate.operands[i].bank    = entry_i.operands[i].bank;
      gate.operands[i].address = word_of(entry_i.operands[i].address, entry_i.operands[i].copies,
                                         round_i[9:0], entry_i.operands[i].back);
      if (cycle < 32'(entry_i.operands[i].first)) begin
        gate.operands[i].inputs  = 1'b1;
        gate.operands[i].address = entry_i.operands[i].start + cycle[15:0];
      end
      gate.result.words[i].valid   = gate.valid && entry_i.places[i].valid;
      gate.result.words[i].inputs  = 1'b0;
      gate.result.words[i].bank    = entry_i.places[i].bank;
      gate.result.words[i].address = word_of(entry_i.places[i].address, entry_i.places[i].copies,
                                             round_i[9:0], entry_i.stage);
    end
    gate.result.keep  = gate.valid && entry_i.keep;
    gate.result.tag   = entry_i.tag;
    gate.result.cycle = cycle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gate_o <= '0;
    else if (clear_i) gate_o <= '0;
    else if (en_i) gate_o <= gate;
  end

endmodule
