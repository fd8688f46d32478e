// SPDX-License-Identifier: MIT OR Apache-2.0

// A gate engine: issue FIFO, decode, three-stage read, execute, its two units and its queues.
//
// | port                 | width       | meaning                                                |
// |----------------------|-------------|--------------------------------------------------------|
// | clear_i, run_i       | 1           | back to the state before cycle 0; 1 in a run's cycles  |
// | wiping_o             | 1           | after clear_i: labels are being wiped, run_i must be 0 |
// | issue_stall_i        | 1           | for tests: keeps the engine from issuing               |
// | disp_…_i             |             | the dispatcher's instruction, or the cause if none     |
// | complete_i           | HalfWidth   | lowest half that is not complete                       |
// | latest_i             | HalfWidth+1 | complete_i + 1                                         |
// | advances_i           | 1           | it is complete in the next cycle                       |
// | oldest_half_i        | HalfWidth+1 | lowest half with unread operands; top bit: none        |
// | loaded_i, all_loaded_i | 31, 1     | inputs below the address are placed; all inputs are    |
// | first_output_i …     |             | constants of the launch                                |
// | rd_…, late_o         | 4           | read ports of the window: for R1's a and b, D's a and b |
// | wr_…                 | 1           | reserves the write of the result of stage X            |
// | res_…_o              | 2           | results on the bus in this cycle: AND's (0), XOR's (1) |
// | bus_…_i              | 2 Engines   | results of all engines                                 |
// | wire_…, addr_…, tab_… |            | out-of-range labels, addresses; tables (see haac_core) |
// | live_…               |             | head of the live queue, and its grant                  |
// | …_level_o, …_taken_o |             | entries; places taken or reserved; as registered       |
// | idle_o               | 1           | FIFO, stages and units are empty                       |
// | oldest_valid_o, oldest_half_o |    | half of the oldest instruction that has not left R1    |
// | cause_o              | 4           | cause of this cycle                                    |
// | ev_…_o               |             | events of this cycle, for counters                     |
//
// Latency: an instruction dispatched in c is in X in c + 6. A result is on the bus XorLatency or
// AndLatency cycles after its issue, and an instruction in X that waits for it issues in that
// cycle. Stalls: see haac_read_stage and haac_execute.

module haac_engine
  import haac_isa_pkg::*;
  import haac_engine_pkg::*;
#(
  parameter int unsigned Engines         = 4,
  parameter int unsigned WindowLabels    = 4096,
  parameter int unsigned Banks           = 16,
  // Whether all stages take results from the bus: see haac_pipeline.
  parameter bit          ForwardAll      = 1'b1,
  parameter int unsigned XorLatency      = 1,
  parameter int unsigned AndLatency      = 21,
  // Clock cycles between two ANDs of an engine: 1, or at least 10 with the folded half gate.
  parameter int unsigned AndInterval     = 1,
  parameter int unsigned IssueDepth      = 16,
  parameter int unsigned TableDepth      = 72,
  parameter int unsigned OorAddressDepth = 32,
  parameter int unsigned OorWireDepth    = 32,
  parameter int unsigned LiveDepth       = 16,
  parameter int unsigned Garbler         = 1,
  parameter int unsigned AesImpl         = 0,
  localparam int unsigned Results      = 2 * Engines,
  localparam int unsigned SlotWidth    = $clog2(WindowLabels),
  localparam int unsigned HalfWidth    = AddressWidth + 1 - SlotWidth,
  localparam int unsigned BankWidth    = $clog2(Banks),
  localparam int unsigned InstrWidth   = 3 + 2 * SlotWidth,
  localparam int unsigned FifoWidth    = $clog2(IssueDepth + 1),
  localparam int unsigned TablesWidth  = $clog2(TableDepth + 1),
  localparam int unsigned AddrsWidth   = $clog2(OorAddressDepth + 1),
  localparam int unsigned WiresWidth   = $clog2(OorWireDepth + 1),
  localparam int unsigned LivesWidth   = $clog2(LiveDepth + 1)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                                 clear_i,
  input  logic                                 run_i,
  output logic                                 wiping_o,
  input  logic                                 issue_stall_i,

  input  logic                                 disp_valid_i,
  input  logic [InstrWidth-1:0]                disp_instr_i,
  input  logic [AddressWidth-1:0]              disp_out_i,
  input  logic [AndNumberWidth-1:0]            disp_and_i,
  input  logic [CauseWidth-1:0]                disp_cause_i,

  input  logic [HalfWidth-1:0]                 complete_i,
  input  logic [HalfWidth:0]                   latest_i,
  input  logic                                 advances_i,
  input  logic [HalfWidth:0]                   oldest_half_i,
  input  logic [AddressWidth-1:0]              loaded_i,
  input  logic                                 all_loaded_i,

  input  logic [AddressWidth-1:0]              first_output_i,
  input  logic [LabelWidth-1:0]                point_i,
  input  logic [63:0]                          and_base_i,
  input  logic [LabelWidth-1:0]                delta_i,

  output logic [3:0]                           rd_req_o,
  output logic [3:0][SlotWidth-1:0]            rd_slot_o,
  output logic [3:0]                           rd_epoch_o,
  input  logic [3:0]                           rd_gnt_i,
  input  logic [3:0]                           rd_hit_i,
  input  logic [3:0][LabelWidth-1:0]           rd_label_i,
  output logic                                 late_o,

  output logic                                 wr_request_o,
  output logic                                 wr_is_and_o,
  output logic [BankWidth-1:0]                 wr_bank_o,
  input  logic                                 wr_gnt_i,

  output logic [1:0]                           res_valid_o,
  output logic [1:0][AddressWidth-1:0]         res_addr_o,
  output logic [1:0]                           res_live_o,
  output logic [1:0][LabelWidth-1:0]           res_label_o,

  input  logic [Results-1:0]                   bus_valid_i,
  input  logic [Results-1:0][AddressWidth-1:0] bus_addr_i,
  input  logic [Results-1:0][LabelWidth-1:0]   bus_label_i,

  input  logic                                 wire_gnt_i,
  input  logic                                 wire_push_i,
  input  logic [LabelWidth-1:0]                wire_label_i,
  input  logic                                 wire_show_i,

  input  logic [4:0]                           addr_gnt_i,
  input  logic                                 addr_push_i,
  input  logic [BurstWidth-1:0]                addr_burst_i,
  input  logic [4:0]                           addr_show_i,
  output logic [AddressWidth-1:0]              addr_head_o,
  output logic                                 in_memory_o,
  output logic                                 addr_last_o,

  input  logic [1:0]                           table_gnt_i,
  input  logic                                 tab_push_i,
  input  logic [BurstWidth-1:0]                tab_burst_i,
  input  logic [1:0]                           tab_show_i,
  output logic [BurstWidth-1:0]                table_head_o,

  input  logic                                 live_gnt_i,
  output logic [AddressWidth-1:0]              live_addr_o,
  output logic [LabelWidth-1:0]                live_label_o,

  output logic [FifoWidth-1:0]                 fifo_level_o,
  output logic [TablesWidth-1:0]               tables_level_o,
  output logic [TablesWidth-1:0]               tables_taken_o,
  output logic [AddrsWidth-1:0]                addrs_level_o,
  output logic [AddrsWidth-1:0]                addrs_taken_o,
  output logic [WiresWidth-1:0]                wires_level_o,
  output logic [WiresWidth-1:0]                wires_taken_o,
  output logic [LivesWidth-1:0]                live_level_o,
  output logic [LivesWidth-1:0]                live_taken_o,
  output logic                                 idle_o,
  output logic                                 oldest_valid_o,
  output logic [HalfWidth-1:0]                 oldest_half_o,

  output logic [CauseWidth-1:0]                cause_o,
  output logic                                 ev_and_o,
  output logic                                 ev_xor_o,
  output logic                                 ev_oor_pop_o,
  output logic [2:0]                           ev_reads_o,
  output logic [3:0]                           ev_forwarded_o,
  output logic                                 ev_half_gate_o
);

  // From the issue FIFO to X.
  logic                      next_valid, next_pop;
  logic [InstrWidth-1:0]     next_instr;
  logic [AddressWidth-1:0]   next_out;
  logic [HalfWidth-1:0]      stages_half, next_half;
  logic [AndNumberWidth-1:0] next_and;
  gate_t                     next_gate, x_gate;
  logic [62:0]               x_number;
  operand_t                  next_a, next_b;
  cause_e                    dispatched_q, x_gap, cause;
  logic                      x_valid, stages_busy, stages_oldest;
  logic [1:0]                x_there;
  logic [LabelWidth-1:0]     x_a, x_b, oor_head, xor_b, key_a, key_b;

  // Issue and results.
  logic                      issue, issue_and, issue_xor, issue_live;
  logic                      and_busy, and_ready, xor_busy, table_ready;
  logic [TableWidth-1:0]     table_done;
  logic                      wipe_last, clear_queues;

  haac_issue_fifo #(
    .InstrWidth(InstrWidth), .Depth(IssueDepth)
  ) u_issue_fifo (
    .clk_i, .rst_ni, .clear_i, .push_i(disp_valid_i), .instr_i(disp_instr_i), .out_i(disp_out_i),
    .and_i(disp_and_i), .pop_i(next_pop), .there_o(next_valid), .instr_o(next_instr),
    .out_o(next_out), .and_o(next_and), .level_o(fifo_level_o), .late_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      dispatched_q <= CauseInstructions;
    else if (clear_i) dispatched_q <= CauseInstructions;
    else if (run_i)   dispatched_q <= cause_e'(disp_cause_i);
  end

  haac_decode #(
    .WindowLabels(WindowLabels)
  ) u_decode (
    .instr_i(next_instr), .out_i(next_out), .and_i(next_and),
    .gate_o(next_gate), .a_o(next_a), .b_o(next_b)
  );

  haac_pipeline #(
    .Engines(Engines), .WindowLabels(WindowLabels), .ForwardAll(ForwardAll)
  ) u_pipeline (
    .clk_i, .rst_ni, .clear_i, .run_i,
    .next_valid_i(next_valid), .next_cause_i(dispatched_q), .next_gate_i(next_gate),
    .next_a_i(next_a), .next_b_i(next_b), .pop_o(next_pop),
    .latest_i, .first_output_i, .loaded_i,
    .rd_req_o, .rd_slot_o, .rd_epoch_o, .rd_gnt_i, .rd_hit_i, .rd_label_i,
    .bus_valid_i, .bus_addr_i, .bus_label_i,
    .oor_there_i(wires_level_o != '0), .head_i(oor_head), .oor_pop_o(ev_oor_pop_o),
    .issue_i(issue), .and_base_i, .x_valid_o(x_valid), .x_cause_o(x_gap), .x_gate_o(x_gate),
    .x_number_o(x_number), .x_there_o(x_there), .x_a_o(x_a), .x_b_o(x_b),
    .busy_o(stages_busy), .oldest_valid_o(stages_oldest), .oldest_half_o(stages_half),
    .reads_o(ev_reads_o), .forwarded_o(ev_forwarded_o)
  );

  assign oldest_valid_o = stages_oldest || next_valid;
  assign next_half      = next_out[AddressWidth-1:SlotWidth-1];
  assign oldest_half_o  = stages_oldest ? stages_half : next_half;

  haac_execute #(
    .WindowLabels(WindowLabels), .Banks(Banks), .Garbler(Garbler)
  ) u_execute (
    .run_i, .stall_i(issue_stall_i), .valid_i(x_valid), .gap_i(x_gap), .gate_i(x_gate),
    .a_there_i(x_there[0]), .b_there_i(x_there[1]), .b_i(x_b),
    .oldest_half_i, .first_half_i(first_output_i[AddressWidth-1:SlotWidth-1]), .all_loaded_i,
    .and_ready_i(and_ready), .table_ready_i(table_ready),
    .live_space_i(live_taken_o < LivesWidth'(LiveDepth)),
    .wr_request_o, .wr_is_and_o, .wr_bank_o, .wr_gnt_i, .issue_o(issue), .cause_o(cause),
    .point_i, .number_i(x_number), .delta_i, .xor_b_o(xor_b), .key_a_o(key_a), .key_b_o(key_b)
  );

  assign cause_o    = cause;
  assign issue_and  = issue && x_gate.is_and;
  assign issue_xor  = issue && !x_gate.is_and;
  assign issue_live = issue && x_gate.live;
  assign ev_and_o   = issue_and;
  assign ev_xor_o   = issue_xor;

  haac_and_unit #(
    .Garbler(Garbler), .AndLatency(AndLatency), .AndInterval(AndInterval), .AesImpl(AesImpl)
  ) u_and (
    .clk_i, .rst_ni, .clear_i, .run_i, .issue_i(issue_and), .a_i(x_a), .b_i(x_b),
    .table_i(table_head_o[TableWidth-1:0]), .key_a_i(key_a), .key_b_i(key_b), .delta_i,
    .addr_i(x_gate.out), .live_i(x_gate.live), .valid_o(res_valid_o[0]), .addr_o(res_addr_o[0]),
    .live_o(res_live_o[0]), .label_o(res_label_o[0]), .table_o(table_done), .ready_o(and_ready),
    .busy_o(and_busy), .working_o(ev_half_gate_o)
  );

  haac_xor_unit #(
    .XorLatency(XorLatency)
  ) u_xor (
    .clk_i, .rst_ni, .clear_i, .run_i, .issue_i(issue_xor), .a_i(x_a), .b_i(xor_b),
    .addr_i(x_gate.out), .live_i(x_gate.live), .valid_o(res_valid_o[1]), .addr_o(res_addr_o[1]),
    .live_o(res_live_o[1]), .label_o(res_label_o[1]), .busy_o(xor_busy)
  );

  assign idle_o = !next_valid && !stages_busy && !and_busy && !xor_busy;

  haac_table_queue #(
    .Garbler(Garbler), .Depth(TableDepth)
  ) u_tables (
    .clk_i, .rst_ni, .clear_i, .issue_i(issue_and), .done_i(res_valid_o[0]), .table_i(table_done),
    .grant_i(table_gnt_i), .push_i(tab_push_i), .burst_i(tab_burst_i), .show_i(tab_show_i),
    .head_o(table_head_o), .level_o(tables_level_o), .taken_o(tables_taken_o),
    .ready_o(table_ready)
  );

  haac_address_queue #(
    .Depth(OorAddressDepth), .WindowLabels(WindowLabels)
  ) u_addresses (
    .clk_i, .rst_ni, .clear_i, .request_i(addr_gnt_i), .push_i(addr_push_i), .burst_i(addr_burst_i),
    .show_i(addr_show_i), .pop_i(wire_gnt_i), .head_o({addr_last_o, addr_head_o}),
    .first_output_i, .complete_i, .advances_i, .in_memory_o,
    .level_o(addrs_level_o), .taken_o(addrs_taken_o)
  );

  haac_oor_queue #(
    .Depth(OorWireDepth)
  ) u_wires (
    .clk_i, .rst_ni, .clear_i(clear_queues), .wipe_i(wiping_o), .request_i(wire_gnt_i),
    .push_i(wire_push_i), .label_i(wire_label_i), .show_i(wire_show_i), .pop_i(ev_oor_pop_o),
    .head_o(oor_head), .level_o(wires_level_o), .taken_o(wires_taken_o)
  );

  haac_live_queue #(
    .Depth(LiveDepth)
  ) u_live (
    .clk_i, .rst_ni, .clear_i(clear_queues), .wipe_i(wiping_o), .issue_i(issue_live),
    .res_live_i(res_valid_o & res_live_o), .res_addr_i(res_addr_o), .res_label_i(res_label_o),
    .pop_i(live_gnt_i), .head_addr_o(live_addr_o), .head_label_o(live_label_o),
    .level_o(live_level_o), .taken_o(live_taken_o)
  );

  haac_wipe #(
    .Cycles(3 + (OorWireDepth > LiveDepth ? OorWireDepth : LiveDepth))
  ) u_wipe (
    .clk_i, .rst_ni, .clear_i, .wiping_o, .last_o(wipe_last)
  );
  assign clear_queues = clear_i || wipe_last;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(run_i && wiping_o)) else $error("haac_engine: run_i during a wipe");
  end
`endif

endmodule
