// SPDX-License-Identifier: MIT OR Apache-2.0

// Controls R1: the bank accesses that the instructions in R1 and D request, what R1 takes from the
// out-of-range queue, and whether its instruction moves on to R2.
//
// | port               | width     | meaning                                                    |
// |--------------------|-----------|------------------------------------------------------------|
// | run_i, next_free_i | 1, 1      | clock enable; R2 can take R1's instruction                 |
// | latest_i           | HalfWidth + 1 | the half after the lowest one that is not complete     |
// | first_output_i     | 31        | addresses below it are inputs                              |
// | loaded_i           | 31        | inputs below it have been placed in the window             |
// | oor_there_i        | 1         | the out-of-range queue is not empty, as registered         |
// | valid_i            | 1         | R1 holds gate_i with operands a_i and b_i                  |
// | again_i            | 2         | operands whose access counts no more (bit 0: a)            |
// | ahead_…_i          |           | the same for D                                             |
// | rd_req_o           | 4         | requests: R1's a and b, D's a and b; slot, epoch           |
// | rd_gnt_i           | 4         | accesses won, in the same cycle                            |
// | won_o, ahead_won_o | 2, 2      | operands of R1 and D that win an access (bit 0: a)         |
// | port_b_o, ahead_…  | 2         | read port of operand b: a's, if they share an access       |
// | pop_o              | 2         | operands that take the head of the out-of-range queue      |
// | leaves_o, cause_o  | 1, 4      | R1's instruction moves on, or why not                      |
// | reads_o            | 3         | accesses won                                               |
//
// Latency: none, combinational. Stalls, in this order: interlock, input, out-of-range queue, bank.

module haac_read_stage
  import haac_isa_pkg::*;
  import haac_engine_pkg::*;
#(
  parameter int unsigned WindowLabels = 4096,
  localparam int unsigned SlotWidth   = $clog2(WindowLabels),
  localparam int unsigned HalfWidth   = AddressWidth + 1 - SlotWidth
) (
  input  logic                      run_i,
  input  logic                      next_free_i,

  input  logic [HalfWidth:0]        latest_i,
  input  logic [AddressWidth-1:0]   first_output_i,
  input  logic [AddressWidth-1:0]   loaded_i,
  input  logic                      oor_there_i,

  // Only parts of these are read here.
  /* verilator lint_off UNUSEDSIGNAL */
  input  logic                      valid_i,
  input  gate_t                     gate_i,
  input  operand_t                  a_i,
  input  operand_t                  b_i,
  input  logic [1:0]                again_i,
  input  logic                      ahead_valid_i,
  input  gate_t                     ahead_gate_i,
  input  operand_t                  ahead_a_i,
  input  operand_t                  ahead_b_i,
  input  logic [1:0]                ahead_again_i,
  /* verilator lint_on UNUSEDSIGNAL */

  output logic [3:0]                rd_req_o,
  output logic [3:0][SlotWidth-1:0] rd_slot_o,
  output logic [3:0]                rd_epoch_o,
  input  logic [3:0]                rd_gnt_i,

  output logic [1:0]                won_o,
  output logic [1:0]                ahead_won_o,
  output logic [1:0]                port_b_o,
  output logic [1:0]                ahead_port_b_o,
  output logic [1:0]                pop_o,
  output logic                      leaves_o,
  output cause_e                    cause_o,
  output logic [2:0]                reads_o
);

  typedef logic [AddressWidth-1:0] address_t;
  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [HalfWidth-1:0] half_t;

  // Whether the operand is an input in the window that the loader has not placed yet.
  function automatic logic unloaded(input address_t address, input logic used);
    unloaded = used && address[SlotWidth-1:0] != '0
        && address < first_output_i && address >= loaded_i;
  endfunction

  function automatic logic too_early(input half_t half);
    too_early = {1'b0, half} > latest_i;
  endfunction

  // Whether an operand needs an access that it has not won.
  function automatic logic needs(
    input slot_t slot, input logic used, input phase_e phase, input logic again
  );
    needs = used && slot != '0 && (phase == PhaseNone || again);
  endfunction

  logic interlock, input_missing, ahead_stays;
  logic a_needs, b_needs, ahead_a_needs, ahead_b_needs, same, ahead_same;
  logic a_waits, b_waits, both_wait, one_waits, first_pops, oor_missing, requests, refused;

  slot_t a_slot, b_slot, ahead_a_slot, ahead_b_slot;
  logic used, ahead_used;
  assign a_slot       = a_i.address[SlotWidth-1:0];
  assign b_slot       = b_i.address[SlotWidth-1:0];
  assign ahead_a_slot = ahead_a_i.address[SlotWidth-1:0];
  assign ahead_b_slot = ahead_b_i.address[SlotWidth-1:0];
  // Whether the second operand is used.
  assign used       = !gate_i.unary;
  assign ahead_used = !ahead_gate_i.unary;

  // Rules 1 and 2 of machine.md, section 2: interlock and inputs.
  assign interlock     = too_early(gate_i.out[AddressWidth-1:SlotWidth-1]);
  assign input_missing = unloaded(a_i.address, 1'b1) || unloaded(b_i.address, used);
  assign ahead_stays   = too_early(ahead_gate_i.out[AddressWidth-1:SlotWidth-1])
      || unloaded(ahead_a_i.address, 1'b1) || unloaded(ahead_b_i.address, ahead_used);

  // Rule 3: the out-of-range queue. The first of two labels is taken whatever else holds the
  // instruction.
  assign a_waits     = a_slot == '0 && !a_i.there;
  assign b_waits     = used && b_slot == '0 && !b_i.there;
  assign both_wait   = a_waits && b_waits;
  assign one_waits   = a_waits != b_waits;
  assign first_pops  = run_i && valid_i && both_wait && oor_there_i;
  assign oor_missing = both_wait || (one_waits && !oor_there_i);

  // Rule 4: accesses to banks. D requests after R1, whether or not R1 wins.
  assign requests       = run_i && valid_i && next_free_i && !interlock && !input_missing && !oor_missing;
  assign same       = used && a_slot == b_slot;
  assign ahead_same = ahead_used && ahead_a_slot == ahead_b_slot;

  assign a_needs       = needs(a_slot, 1'b1, a_i.phase, again_i[0]);
  assign b_needs       = needs(b_slot, used, b_i.phase, again_i[1]);
  assign ahead_a_needs = ahead_valid_i && !ahead_stays
      && needs(ahead_a_slot, 1'b1, ahead_a_i.phase, ahead_again_i[0]);
  assign ahead_b_needs = ahead_valid_i && !ahead_stays
      && needs(ahead_b_slot, ahead_used, ahead_b_i.phase, ahead_again_i[1]);

  assign rd_req_o = {
    requests && ahead_b_needs && !ahead_same, requests && ahead_a_needs,
    requests && b_needs && !same,             requests && a_needs
  };
  assign rd_slot_o  = {ahead_b_slot, ahead_a_slot, b_slot, a_slot};
  assign rd_epoch_o = {
    ahead_b_i.address[SlotWidth], ahead_a_i.address[SlotWidth],
    b_i.address[SlotWidth],       a_i.address[SlotWidth]
  };

  logic [3:0] won;
  assign won            = rd_req_o & rd_gnt_i;
  assign won_o          = {same ? won[0] : won[1], won[0]};
  assign ahead_won_o    = {ahead_same ? won[2] : won[3], won[2]};
  assign port_b_o       = same ? 2'd0 : 2'd1;
  assign ahead_port_b_o = ahead_same ? 2'd2 : 2'd3;
  assign reads_o        = 3'(won[0]) + 3'(won[1]) + 3'(won[2]) + 3'(won[3]);

  assign refused  = (a_needs && !won_o[0]) || (b_needs && !won_o[1]);
  assign leaves_o = requests && !refused;

  // If both operands wait, the first is taken. If one waits, it is taken when the instruction
  // leaves.
  assign pop_o = {
    leaves_o && b_waits,
    first_pops || (leaves_o && a_waits)
  };

  always_comb begin
    if (interlock)          cause_o = CauseInterlock;
    else if (input_missing) cause_o = CauseInput;
    else if (oor_missing)   cause_o = CauseOorEmpty;
    else                    cause_o = CauseBank;
  end

endmodule
