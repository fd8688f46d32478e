// The machine without its memory side and registers: dispatcher, loader, engines, window, halves,
// requests, and the bus between them.
//
// Everything is per engine where a port has Engines elements. A *grant* is a request that is accepted
// in this cycle, with what it needs beside it; *push* brings an answer's data, in the order of grants
// of that engine and kind, in the cycle of the show or before; *show* and *ack* say that a request is
// answered: L cycles after the grant if memory keeps the contract. What is shown in c is seen from
// c + 1 on. Instruction and input bursts come striped: the j-th push of port p is burst j NumPorts + p.
//
// | port             | width          | meaning                                                    |
// |------------------|----------------|------------------------------------------------------------|
// | clear_i          | 1              | back to the state before cycle 0; wipes queues and latches |
// | run_i            | 1              | 1 in the cycles that are counted; nothing changes otherwise |
// | wipe_i           | 1              | pulse: the window's slots become invalid and their labels 0 |
// | wiping_o         | 1              | window or label queues are being wiped: do not run         |
// | done_o           | 1              | nothing is left to be done; from registers, whatever run_i is |
// | illegal_o, …_engine_o | 1, engine | a row had an instruction that there is not, and in which place |
// | short_o          | 1              | the stream of instructions ended before the last row       |
// | first_output_i … |                | a launch's constants, stable from clear_i to done_o; see below |
// | credit_…_i       | 32             | bandwidth: added each cycle, cost of a byte, cap; step 0: no limit |
// | wire_bytes_i     | 7              | what an access to a label costs, in bytes                  |
// | …_room_i         | 1 or Engines   | the memory side can take a request of this kind            |
// | live_…           |                | writes of live labels                                      |
// | wire_…           |                | reads of out-of-range labels                               |
// | addr_…           |                | reads of 16 out-of-range words                             |
// | instr_…, input_… |                | reads of instruction and input bursts: several a cycle     |
// | table_…          |                | garbler: writes of one or two tables (lowest first); evaluator: reads |
// | outstanding_o    | 16             | requests that are not answered, as registered              |
// | cause_o          | 4              | what each engine did in this cycle                         |
// | ev_…_o           |                | how often something happened in this cycle, for counters   |
// | level_…_o        | 16             | entries of all engines' queues, as registered              |
// | issue_stall_i    | Engines        | simulation: keeps engines from issuing (cause: operand)    |

module haac_core
  import haac_isa_pkg::*;
#(
  parameter int unsigned Engines         = 4,
  parameter int unsigned WindowLabels    = 32768,
  parameter int unsigned Banks           = 16,
  parameter int unsigned XorLatency      = 1,
  parameter int unsigned AndLatency      = 21,
  parameter int unsigned IssueDepth      = 16,
  parameter int unsigned TableDepth      = 72,
  parameter int unsigned OorAddressDepth = 32,
  parameter int unsigned OorWireDepth    = 32,
  parameter int unsigned LiveDepth       = 16,
  parameter int unsigned InstrBursts     = 36,
  parameter int unsigned LoaderBursts    = 2,
  parameter int unsigned InstrGrants     = Engines / 8 + 2,
  // Input bursts that may be asked for and not placed: place for what comes before it is due.
  parameter int unsigned InputHold       = 64,
  // Live writes of an engine that memory has not acknowledged.
  parameter int unsigned LiveInFlight    = 256,
  parameter int unsigned NumPorts        = 1,
  parameter bit          Garbler         = 1'b1,
  parameter int unsigned AesImpl         = 0,
  localparam int unsigned EngineWidth    = Engines > 1 ? $clog2(Engines) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic run_i,
  input  logic wipe_i,
  output logic wiping_o,
  output logic done_o,
  output logic illegal_o,
  output logic [EngineWidth-1:0] illegal_engine_o,
  output logic short_o,

  // A launch's constants. `first_loaded_i` is the first address that the loader loads, or
  // `first_output_i` if there is none; `oor_words_i` and `tables_i` (the engine's ANDs; evaluator) are
  // counts; `point_i` is the session's S, `and_base_i` the ANDs of launches before.
  input  logic [AddressWidth-1:0] first_output_i,
  input  logic [AddressWidth-1:0] first_loaded_i,
  input  logic [31:0] rows_i,
  input  logic [31:0] instr_bursts_i,
  input  logic [Engines-1:0][31:0] oor_words_i,
  input  logic [Engines-1:0][31:0] tables_i,
  input  logic [LabelWidth-1:0] point_i,
  input  logic [63:0] and_base_i,
  input  logic [LabelWidth-1:0] delta_i,

  // Bandwidth.
  input  logic [31:0] credit_step_i,
  input  logic [31:0] credit_byte_i,
  input  logic [31:0] credit_cap_i,
  input  logic [6:0]  wire_bytes_i,

  // Live labels.
  input  logic [Engines-1:0] live_room_i,
  output logic [Engines-1:0] live_gnt_o,
  output logic [Engines-1:0][AddressWidth-1:0] live_addr_o,
  output logic [Engines-1:0][LabelWidth-1:0] live_label_o,
  input  logic [Engines-1:0] live_ack_i,

  // Out-of-range labels.
  input  logic [Engines-1:0] wire_room_i,
  output logic [Engines-1:0] wire_gnt_o,
  output logic [Engines-1:0][AddressWidth-1:0] wire_addr_o,
  input  logic [Engines-1:0] wire_push_i,
  input  logic [Engines-1:0][LabelWidth-1:0] wire_label_i,
  input  logic [Engines-1:0] wire_show_i,

  // Out-of-range addresses: whole bursts; what is beyond the stream's last word is not looked at.
  input  logic [Engines-1:0] addr_room_i,
  output logic [Engines-1:0] addr_gnt_o,
  input  logic [Engines-1:0] addr_push_i,
  input  logic [Engines-1:0][BurstWidth-1:0] addr_burst_i,
  input  logic [Engines-1:0] addr_show_i,

  // Instructions.
  input  logic instr_room_i,
  output logic [7:0] instr_gnt_o,
  input  logic [NumPorts-1:0] instr_push_i,
  input  logic [NumPorts-1:0][BurstWidth-1:0] instr_burst_i,
  input  logic [7:0] instr_show_i,

  // Tables. The garbler's second table is zero if `table_count_o` is 1; `table_show_i` also
  // acknowledges its writes.
  input  logic [Engines-1:0] table_room_i,
  output logic [Engines-1:0] table_gnt_o,
  output logic [Engines-1:0][1:0] table_count_o,
  output logic [Engines-1:0][BurstWidth-1:0] table_burst_o,
  input  logic [Engines-1:0] table_push_i,
  input  logic [Engines-1:0][BurstWidth-1:0] table_burst_i,
  input  logic [Engines-1:0] table_show_i,

  // Inputs: the first burst has the addresses from `first_loaded_i & ~3` on.
  input  logic input_room_i,
  output logic [7:0] input_gnt_o,
  input  logic [NumPorts-1:0] input_push_i,
  input  logic [NumPorts-1:0][BurstWidth-1:0] input_burst_i,
  input  logic [7:0] input_show_i,

  output logic [15:0] outstanding_o,

  // What is counted: of this cycle.
  output logic [Engines-1:0][CauseWidth-1:0] cause_o,
  output logic [15:0] ev_ands_o,
  output logic [15:0] ev_xors_o,
  output logic [15:0] ev_half_gate_cycles_o,
  output logic [15:0] ev_oor_pops_o,
  output logic [15:0] ev_window_reads_o,
  output logic [15:0] ev_window_writes_o,
  output logic [15:0] ev_forwarded_o,
  output logic [15:0] ev_live_o,
  output logic [15:0] ev_oor_wires_o,
  output logic [15:0] ev_oor_address_bursts_o,
  output logic [15:0] ev_instruction_bursts_o,
  output logic [15:0] ev_table_bursts_o,
  output logic [15:0] ev_input_bursts_o,
  output logic ev_memory_bound_o,

  // All engines' queues together; as registered, so what the model shows of the cycle before.
  output logic [15:0] level_issue_o,
  output logic [15:0] level_tables_o,
  output logic [15:0] level_addresses_o,
  output logic [15:0] level_wires_o,
  output logic [15:0] level_live_o,

  input  logic [Engines-1:0] issue_stall_i
);

endmodule
