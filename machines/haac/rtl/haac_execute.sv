// SPDX-License-Identifier: MIT OR Apache-2.0

// X: decides whether its instruction issues, and if not, why. Prepares the operands of the units.
//
// | port                | width     | meaning                                                     |
// |---------------------|-----------|-------------------------------------------------------------|
// | run_i, stall_i      | 1, 1      | clock enable; a test keeps the engine from issuing          |
// | valid_i, gap_i      | 1, 4      | X holds an instruction; otherwise the cause of the gap      |
// | gate_i, …_there_i   |           | the instruction, and which operands are there               |
// | b_i                 | 128       | label of the second operand                                 |
// | oldest_half_i       | HalfWidth + 1 | lowest half with unread operands; top bit: none         |
// | first_half_i        | HalfWidth | half of the first output                                    |
// | all_loaded_i        | 1         | the loader has finished                                     |
// | and_ready_i         | 1         | the AND unit takes a gate; if not, the cause is operand     |
// | table_ready_i       | 1         | a table (evaluator) or space for one (garbler) is there     |
// | live_space_i        | 1         | the live queue has free space                               |
// | wr_request_o, …     |           | requests the write of the result; reserved if wr_gnt_i      |
// | issue_o             | 1         | the instruction enters its unit at the end of the cycle     |
// | cause_o             | 4         | cause of this cycle                                         |
// | point_i, number_i   | 128, 63   | the hash's public point; the session's number of the AND    |
// | delta_i             | 128       | the garbler's Δ                                             |
// | xor_b_o             | 128       | second operand of the XOR unit                              |
// | key_a_o, key_b_o    | 128       | keys of the AND's two hashes                                |
//
// Latency: none, combinational. Stalls, in this order: operand, interlock, table, live queue, write
// port of the bank.

module haac_execute
  import haac_isa_pkg::*;
  import haac_engine_pkg::*;
#(
  parameter int unsigned WindowLabels = 4096,
  parameter int unsigned Banks        = 4,
  parameter int unsigned Garbler      = 1,
  localparam int unsigned SlotWidth   = $clog2(WindowLabels),
  localparam int unsigned HalfWidth   = AddressWidth + 1 - SlotWidth,
  localparam int unsigned BankWidth   = $clog2(Banks)
) (
  input  logic                    run_i,
  input  logic                    stall_i,

  input  logic                    valid_i,
  input  cause_e                  gap_i,
  input  gate_t                   gate_i,
  input  logic                    a_there_i,
  input  logic                    b_there_i,
  input  logic [LabelWidth-1:0]   b_i,

  input  logic [HalfWidth:0]      oldest_half_i,
  input  logic [HalfWidth-1:0]    first_half_i,
  input  logic                    all_loaded_i,
  input  logic                    and_ready_i,
  input  logic                    table_ready_i,
  input  logic                    live_space_i,

  output logic                    wr_request_o,
  output logic                    wr_is_and_o,
  output logic [BankWidth-1:0]    wr_bank_o,
  input  logic                    wr_gnt_i,

  output logic                    issue_o,
  output cause_e                  cause_o,

  input  logic [LabelWidth-1:0]   point_i,
  input  logic [62:0]             number_i,
  input  logic [LabelWidth-1:0]   delta_i,
  output logic [LabelWidth-1:0]   xor_b_o,
  output logic [LabelWidth-1:0]   key_a_o,
  output logic [LabelWidth-1:0]   key_b_o
);

  logic [HalfWidth-1:0] half;
  logic operand, interlock, no_table, live_full;

  assign half = gate_i.out[AddressWidth-1:SlotWidth-1];

  assign operand   = !a_there_i || !b_there_i || stall_i || (gate_i.is_and && !and_ready_i);
  assign interlock = oldest_half_i < {1'b0, half} || (half > first_half_i && !all_loaded_i);
  assign no_table  = gate_i.is_and && !table_ready_i;
  assign live_full = gate_i.live && !live_space_i;

  assign wr_request_o    = run_i && valid_i && !operand && !interlock && !no_table && !live_full;
  assign wr_is_and_o = gate_i.is_and;
  assign wr_bank_o   = gate_i.out[BankWidth-1:0];
  assign issue_o     = wr_request_o && wr_gnt_i;

  always_comb begin
    if (!valid_i)       cause_o = gap_i;
    else if (operand)   cause_o = CauseOperand;
    else if (interlock) cause_o = CauseInterlock;
    else if (no_table)  cause_o = CauseTable;
    else if (live_full) cause_o = CauseLiveFull;
    else if (!wr_gnt_i) cause_o = CauseWritePort;
    else                cause_o = CauseIssue;
  end

  // A copy adds 0. For an inversion the garbler adds Δ, which swaps the meanings of the labels.
  always_comb begin
    if (!gate_i.unary)              xor_b_o = b_i;
    else if (gate_i.inv && Garbler != 0) xor_b_o = delta_i;
    else                            xor_b_o = '0;
  end

  // The two hashes of AND number i have the keys point ^ 2i and point ^ (2i + 1). 2i and 2i + 1 are
  // in the upper 64 bits.
  assign key_a_o = point_i ^ {number_i, 1'b0, 64'b0};
  assign key_b_o = point_i ^ {number_i, 1'b1, 64'b0};

  // number_i is this number and those of earlier launches.
  logic unused_number;
  assign unused_number = ^gate_i.number;

endmodule
