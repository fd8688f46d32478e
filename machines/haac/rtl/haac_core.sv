// SPDX-License-Identifier: MIT OR Apache-2.0

// The machine without its memory side and registers: dispatcher, loader, engines, window, halves,
// requests, and the bus that carries results between them.
//
// Ports with Engines elements are per engine. A *grant* accepts a request in this cycle; the
// request's parameters are valid beside the grant. A *push* delivers the data of a response, at the
// latest in the cycle of the show. Pushes of a kind come in the order of the engine's grants.
// *Show* and *ack* complete a request: L cycles after the grant if memory keeps the contract with
// latency L. Data shown in c is visible from c + 1 on. Instruction and input bursts are striped:
// the j-th push of port p is burst j * NumPorts + p of the stream.
//
// | port             | width          | meaning                                                   |
// |------------------|----------------|-----------------------------------------------------------|
// | clear_i          | 1              | back to the state before cycle 0; wipes queues, latches   |
// | run_i            | 1              | clock enable: 1 until done_o, and in its first cycle      |
// | wipe_i           | 1              | pulse: invalidates the window's slots, zeros labels       |
// | wiping_o         | 1              | window or label queues are being wiped: do not run        |
// | done_o           | 1              | nothing left to do; from registers, regardless of run_i   |
// | illegal_o, …_engine_o | 1, engine | a row had an illegal instruction; of this engine          |
// | short_o          | 1              | the stream of instructions ended before the last row      |
// | first_output_i … |                | a launch's constants, stable from clear_i to done_o       |
// | credit_…_i       | 32             | bandwidth: step (0: no limit), cost of a byte, cap        |
// | wire_bytes_i     | 7              | cost of an access to a label, in bytes                    |
// | …_space_i        | 1 or Engines   | the memory side can take a request of this kind           |
// | live_…           |                | writes of live labels                                     |
// | wire_…           |                | reads of out-of-range labels                              |
// | addr_…           |                | reads of 16 out-of-range words                            |
// | instr_…, input_… |                | reads of instruction and input bursts: several per cycle  |
// | table_…          |                | one or two tables: garbler writes, evaluator reads        |
// | outstanding_o    | 16             | requests without a response, as registered                |
// | cause_o          | 4              | the cause of this cycle, for each engine                  |
// | ev_…_o           |                | number of events in this cycle, for counters              |
// | level_…_o        | 16             | entries of all engines' queues, as registered             |
// | issue_stall_i    | Engines        | simulation: keeps engines from issuing (cause: operand)   |

module haac_core
  import haac_isa_pkg::*;
#(
  parameter int unsigned Engines         = 4,
  parameter int unsigned WindowLabels    = 32768,
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
  parameter int unsigned InstrBursts     = 36,
  parameter int unsigned LoaderBursts    = 2,
  parameter int unsigned InstrGrants     = Engines / 8 + 2,
  // Largest number of input bursts that are requested and not placed; there is space for all.
  parameter int unsigned InputHold       = 64,
  // Largest number of an engine's live writes without an acknowledgement.
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
  // `first_output_i` if there is none. `oor_words_i` and `tables_i` (the engine's ANDs; evaluator)
  // are counts. `point_i` is the session's S, `and_base_i` the number of ANDs in earlier launches.
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
  input  logic [Engines-1:0] live_space_i,
  output logic [Engines-1:0] live_gnt_o,
  output logic [Engines-1:0][AddressWidth-1:0] live_addr_o,
  output logic [Engines-1:0][LabelWidth-1:0] live_label_o,
  input  logic [Engines-1:0] live_ack_i,

  // Out-of-range labels.
  input  logic [Engines-1:0] wire_space_i,
  output logic [Engines-1:0] wire_gnt_o,
  output logic [Engines-1:0][AddressWidth-1:0] wire_addr_o,
  input  logic [Engines-1:0] wire_push_i,
  input  logic [Engines-1:0][LabelWidth-1:0] wire_label_i,
  input  logic [Engines-1:0] wire_show_i,

  // Out-of-range addresses, in whole bursts. Words beyond the end of the stream are ignored.
  input  logic [Engines-1:0] addr_space_i,
  output logic [Engines-1:0] addr_gnt_o,
  input  logic [Engines-1:0] addr_push_i,
  input  logic [Engines-1:0][BurstWidth-1:0] addr_burst_i,
  input  logic [Engines-1:0] addr_show_i,

  // Instructions.
  input  logic instr_space_i,
  output logic [7:0] instr_gnt_o,
  input  logic [NumPorts-1:0] instr_push_i,
  input  logic [NumPorts-1:0][BurstWidth-1:0] instr_burst_i,
  input  logic [7:0] instr_show_i,

  // Tables. The garbler's second table is zero if `table_count_o` is 1. `table_show_i` acknowledges
  // the garbler's writes, too.
  input  logic [Engines-1:0] table_space_i,
  output logic [Engines-1:0] table_gnt_o,
  output logic [Engines-1:0][1:0] table_count_o,
  output logic [Engines-1:0][BurstWidth-1:0] table_burst_o,
  input  logic [Engines-1:0] table_push_i,
  input  logic [Engines-1:0][BurstWidth-1:0] table_burst_i,
  input  logic [Engines-1:0] table_show_i,

  // Inputs: the first burst has the addresses from `first_loaded_i & ~3` on.
  input  logic input_space_i,
  output logic [7:0] input_gnt_o,
  input  logic [NumPorts-1:0] input_push_i,
  input  logic [NumPorts-1:0][BurstWidth-1:0] input_burst_i,
  input  logic [7:0] input_show_i,

  output logic [15:0] outstanding_o,

  // Counted events of this cycle.
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

  // Sums of the queue levels of all engines, as registered. So they equal the model's levels of the
  // previous cycle.
  output logic [15:0] level_issue_o,
  output logic [15:0] level_tables_o,
  output logic [15:0] level_addresses_o,
  output logic [15:0] level_wires_o,
  output logic [15:0] level_live_o,

  input  logic [Engines-1:0] issue_stall_i
);

  localparam int unsigned SlotWidth   = $clog2(WindowLabels);
  localparam int unsigned HalfBits    = SlotWidth - 1;
  localparam int unsigned HalfWidth   = AddressWidth - HalfBits;
  localparam int unsigned BankWidth   = $clog2(Banks);
  localparam int unsigned InstrWidth  = 2 * SlotWidth + 3;
  localparam int unsigned Results     = 2 * Engines;
  localparam int unsigned Reads       = 4 * Engines;
  localparam int unsigned Labels      = 4 * LoaderBursts;
  localparam int unsigned FifoWidth   = $clog2(IssueDepth + 1);
  localparam int unsigned TablesWidth = $clog2(TableDepth + 1);
  localparam int unsigned AddrsWidth  = $clog2(OorAddressDepth + 1);
  localparam int unsigned WiresWidth  = $clog2(OorWireDepth + 1);
  localparam int unsigned LivesWidth  = $clog2(LiveDepth + 1);

  // Front end: rows and inputs.
  logic [Engines-1:0] fifo_full, disp_valid;
  logic [Engines-1:0][InstrWidth-1:0] disp_instr;
  logic [Engines-1:0][AddressWidth-1:0] disp_out;
  logic [Engines-1:0][AndNumberWidth-1:0] disp_and;
  logic [Engines-1:0][CauseWidth-1:0] disp_cause;
  logic next_valid;
  logic [AddressWidth-1:0] unused_next_out, loaded;
  logic [7:0] freed, placed;
  logic [Labels-1:0] ld_valid, ld_epoch;
  logic [Labels-1:0][SlotWidth-1:0] ld_slot;
  logic [Labels-1:0][LabelWidth-1:0] ld_label;
  logic all_loaded, loader_idle, loader_wiping, window_wiping;
  logic [31:0] input_bursts;

  // Halves.
  logic [HalfWidth-1:0] complete;
  logic [HalfWidth:0] latest;
  logic advances;
  logic [HalfWidth:0] oldest_half;
  logic [Engines-1:0] oldest_valid;
  logic [Engines-1:0][HalfWidth-1:0] oldest_halves;
  logic [Engines-1:0] acked_odd, in_flight_full;

  // The bus, and its results that are written into the window in this cycle.
  logic [Results-1:0] bus_valid, bus_live, finished_q, finished_odd_q;
  logic [Results-1:0][AddressWidth-1:0] bus_addr;
  logic [Results-1:0][LabelWidth-1:0] bus_label;
  logic [15:0] writes_d, writes_q;

  // Window.
  logic [Reads-1:0] rd_req, rd_epoch, rd_gnt, rd_hit;
  logic [Reads-1:0][SlotWidth-1:0] rd_slot;
  logic [Reads-1:0][LabelWidth-1:0] rd_label;
  logic [Engines-1:0] late, wr_request, wr_is_and, wr_gnt;
  logic [Engines-1:0][BankWidth-1:0] wr_bank;

  // Queues.
  logic [Engines-1:0][4:0] addr_count, addr_shown;
  logic [Engines-1:0][1:0] table_shown;
  logic [Engines-1:0][FifoWidth-1:0] fifo_level;
  logic [Engines-1:0][TablesWidth-1:0] tables_level, tables_taken;
  logic [Engines-1:0][AddrsWidth-1:0] addrs_level, addrs_taken;
  logic [Engines-1:0][WiresWidth-1:0] wires_level, wires_taken;
  logic [Engines-1:0][LivesWidth-1:0] live_level;
  logic [Engines-1:0] engine_wiping, idle, live_waits, addr_waits, in_memory, engine_done;
  logic no_requests;

  // Events.
  logic [Engines-1:0] ev_and, ev_xor, ev_oor_pop, ev_half_gate;
  logic [Engines-1:0][2:0] ev_reads;
  logic [Engines-1:0][3:0] ev_forwarded;
  logic [15:0] granted, responded, acks_live, shows_wire, shows_addr, shows_table, outstanding_q;

  haac_dispatcher #(
    .Engines(Engines), .WindowLabels(WindowLabels), .InstrBursts(InstrBursts), .NumPorts(NumPorts)
  ) u_dispatcher (
    .clk_i, .rst_ni, .clear_i, .run_i, .first_output_i, .rows_i, .instr_bursts_i,
    .push_i(instr_push_i), .burst_i(instr_burst_i), .show_i(instr_show_i),
    .fifo_full_i(fifo_full), .disp_valid_o(disp_valid), .disp_instr_o(disp_instr),
    .disp_out_o(disp_out), .disp_and_o(disp_and), .disp_cause_o(disp_cause),
    .next_valid_o(next_valid), .next_out_o(unused_next_out), .freed_o(freed),
    .illegal_o, .illegal_engine_o, .short_o
  );

  haac_loader #(
    .WindowLabels(WindowLabels), .LoaderBursts(LoaderBursts), .InputHold(InputHold),
    .NumPorts(NumPorts)
  ) u_loader (
    .clk_i, .rst_ni, .clear_i, .run_i, .wiping_o(loader_wiping), .first_output_i, .first_loaded_i,
    .push_i(input_push_i), .burst_i(input_burst_i), .show_i(input_show_i),
    .ld_valid_o(ld_valid), .ld_slot_o(ld_slot), .ld_epoch_o(ld_epoch), .ld_label_o(ld_label),
    .loaded_o(loaded), .all_loaded_o(all_loaded), .idle_o(loader_idle),
    .bursts_o(input_bursts), .placed_o(placed)
  );

  haac_window #(
    .Engines(Engines), .WindowLabels(WindowLabels), .Banks(Banks), .XorLatency(XorLatency),
    .AndLatency(AndLatency), .LoaderBursts(LoaderBursts)
  ) u_window (
    .clk_i, .rst_ni, .clear_i, .run_i, .wipe_i, .wiping_o(window_wiping),
    .rd_req_i(rd_req), .rd_slot_i(rd_slot), .rd_epoch_i(rd_epoch), .rd_gnt_o(rd_gnt), .late_i(late),
    .rd_hit_o(rd_hit), .rd_label_o(rd_label),
    .wr_request_i(wr_request), .wr_is_and_i(wr_is_and), .wr_bank_i(wr_bank), .wr_gnt_o(wr_gnt),
    .all_loaded_i(all_loaded), .ld_valid_i(ld_valid), .ld_slot_i(ld_slot), .ld_epoch_i(ld_epoch),
    .ld_label_i(ld_label), .bus_valid_i(bus_valid), .bus_addr_i(bus_addr), .bus_label_i(bus_label)
  );

  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic unused_last;
    logic [LivesWidth-1:0] unused_live_taken;

    haac_engine #(
      .Engines(Engines), .WindowLabels(WindowLabels), .Banks(Banks), .ForwardAll(ForwardAll),
      .XorLatency(XorLatency),
      .AndLatency(AndLatency), .AndInterval(AndInterval), .IssueDepth(IssueDepth),
      .TableDepth(TableDepth),
      .OorAddressDepth(OorAddressDepth), .OorWireDepth(OorWireDepth), .LiveDepth(LiveDepth),
      .Garbler(32'(Garbler)), .AesImpl(AesImpl)
    ) u_engine (
      .clk_i, .rst_ni, .clear_i, .run_i, .wiping_o(engine_wiping[e]),
      .issue_stall_i(issue_stall_i[e]),
      .disp_valid_i(disp_valid[e]), .disp_instr_i(disp_instr[e]), .disp_out_i(disp_out[e]),
      .disp_and_i(disp_and[e]), .disp_cause_i(disp_cause[e]),
      .complete_i(complete), .latest_i(latest), .advances_i(advances), .oldest_half_i(oldest_half),
      .loaded_i(loaded),
      .all_loaded_i(all_loaded), .first_output_i, .point_i, .and_base_i, .delta_i,
      .rd_req_o(rd_req[4*e +: 4]), .rd_slot_o(rd_slot[4*e +: 4]), .rd_epoch_o(rd_epoch[4*e +: 4]),
      .rd_gnt_i(rd_gnt[4*e +: 4]), .rd_hit_i(rd_hit[4*e +: 4]), .rd_label_i(rd_label[4*e +: 4]),
      .late_o(late[e]),
      .wr_request_o(wr_request[e]), .wr_is_and_o(wr_is_and[e]), .wr_bank_o(wr_bank[e]),
      .wr_gnt_i(wr_gnt[e]),
      .res_valid_o(bus_valid[2*e +: 2]), .res_addr_o(bus_addr[2*e +: 2]),
      .res_live_o(bus_live[2*e +: 2]), .res_label_o(bus_label[2*e +: 2]),
      .bus_valid_i(bus_valid), .bus_addr_i(bus_addr), .bus_label_i(bus_label),
      .wire_gnt_i(wire_gnt_o[e]), .wire_push_i(wire_push_i[e]), .wire_label_i(wire_label_i[e]),
      .wire_show_i(wire_show_i[e]),
      .addr_gnt_i(addr_gnt_o[e] ? addr_count[e] : '0), .addr_push_i(addr_push_i[e]),
      .addr_burst_i(addr_burst_i[e]), .addr_show_i(addr_shown[e]),
      .addr_head_o(wire_addr_o[e]), .addr_last_o(unused_last), .in_memory_o(in_memory[e]),
      .table_gnt_i(table_gnt_o[e] ? table_count_o[e] : '0), .tab_push_i(table_push_i[e]),
      .tab_burst_i(table_burst_i[e]), .tab_show_i(table_shown[e]), .table_head_o(table_burst_o[e]),
      .live_gnt_i(live_gnt_o[e]), .live_addr_o(live_addr_o[e]), .live_label_o(live_label_o[e]),
      .fifo_level_o(fifo_level[e]), .tables_level_o(tables_level[e]),
      .tables_taken_o(tables_taken[e]), .addrs_level_o(addrs_level[e]),
      .addrs_taken_o(addrs_taken[e]), .wires_level_o(wires_level[e]),
      .wires_taken_o(wires_taken[e]), .live_level_o(live_level[e]),
      .live_taken_o(unused_live_taken), .idle_o(idle[e]),
      .oldest_valid_o(oldest_valid[e]), .oldest_half_o(oldest_halves[e]),
      .cause_o(cause_o[e]), .ev_and_o(ev_and[e]), .ev_xor_o(ev_xor[e]),
      .ev_oor_pop_o(ev_oor_pop[e]), .ev_reads_o(ev_reads[e]), .ev_forwarded_o(ev_forwarded[e]),
      .ev_half_gate_o(ev_half_gate[e])
    );

    haac_outstanding #(
      .Depth(LiveInFlight)
    ) u_live (
      .clk_i, .rst_ni, .clear_i, .gnt_i(live_gnt_o[e]), .odd_i(live_addr_o[e][HalfBits]),
      .ack_i(live_ack_i[e]), .odd_o(acked_odd[e]), .full_o(in_flight_full[e])
    );

    assign fifo_full[e]   = fifo_level[e] == FifoWidth'(IssueDepth);
    assign live_waits[e]  = live_level[e] != '0;
    assign addr_waits[e]  = addrs_level[e] != '0;
    assign engine_done[e] = idle[e] && !live_waits[e] && !(Garbler && tables_level[e] != '0);
  end

  // The earliest half with unread operands. The top bit is set if there is none. Instructions that
  // the dispatcher has, or that follow in the same engine, are later than that in X. So one engine
  // alone waits for none, and the comparison would only lengthen its longest path.
  always_comb begin
    oldest_half = '1;
    for (int unsigned e = 0; Engines > 1 && e < Engines; e++) begin
      if (oldest_valid[e] && {1'b0, oldest_halves[e]} < oldest_half) begin
        oldest_half = {1'b0, oldest_halves[e]};
      end
    end
  end

  // A result is finished when it is written into the window; a live result when memory acknowledges
  // it.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      finished_q     <= '0;
      finished_odd_q <= '0;
      writes_q       <= '0;
    end else if (clear_i) begin
      finished_q     <= '0;
      finished_odd_q <= '0;
      writes_q       <= '0;
    end else if (run_i) begin
      finished_q <= bus_valid & ~bus_live;
      writes_q   <= writes_d;
      for (int unsigned i = 0; i < Results; i++) finished_odd_q[i] <= bus_addr[i][HalfBits];
    end
  end

  haac_halves #(
    .WindowLabels(WindowLabels), .Events(Results + Engines)
  ) u_halves (
    .clk_i, .rst_ni, .clear_i, .run_i, .first_output_i, .finish_i({live_ack_i, finished_q}),
    .odd_i({acked_odd, finished_odd_q}), .complete_o(complete), .latest_o(latest),
    .advances_o(advances)
  );

  haac_requests #(
    .Engines(Engines), .TableDepth(TableDepth), .OorAddressDepth(OorAddressDepth),
    .OorWireDepth(OorWireDepth), .InstrBursts(InstrBursts), .LoaderBursts(LoaderBursts),
    .InstrGrants(InstrGrants), .InputHold(InputHold), .Garbler(Garbler)
  ) u_requests (
    .clk_i, .rst_ni, .clear_i, .run_i, .instr_bursts_i, .input_bursts_i(input_bursts),
    .oor_words_i, .tables_i, .credit_step_i, .credit_byte_i, .credit_cap_i, .wire_bytes_i,
    .all_dispatched_i(!next_valid), .freed_i(freed), .placed_i(placed),
    .live_waits_i(live_waits), .in_flight_full_i(in_flight_full), .live_space_i, .live_gnt_o,
    .addr_waits_i(addr_waits), .in_memory_i(in_memory), .wires_taken_i(wires_taken),
    .wire_space_i, .wire_gnt_o,
    .addresses_taken_i(addrs_taken), .addr_space_i, .addr_show_i, .addr_gnt_o,
    .addr_count_o(addr_count), .addr_shown_o(addr_shown),
    .instr_space_i, .instr_gnt_o,
    .tables_there_i(tables_level), .tables_taken_i(tables_taken), .idle_i(idle), .table_space_i,
    .table_show_i, .table_gnt_o, .table_count_o, .table_shown_o(table_shown),
    .input_space_i, .input_gnt_o, .no_requests_o(no_requests), .bound_o(ev_memory_bound_o)
  );

  // Requests in flight.
  assign granted  = ev_live_o + ev_oor_wires_o + ev_oor_address_bursts_o + ev_instruction_bursts_o
      + ev_table_bursts_o + ev_input_bursts_o;
  assign responded = acks_live + shows_wire + shows_addr + 16'(instr_show_i) + shows_table
      + 16'(input_show_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) outstanding_q <= '0;
    else if (clear_i) outstanding_q <= '0;
    else outstanding_q <= (outstanding_q - responded) + granted;
  end

  assign outstanding_o = outstanding_q;
  assign wiping_o      = window_wiping || loader_wiping || engine_wiping != '0;
  assign done_o        = !next_valid && writes_q == '0 && loader_idle && no_requests
      && outstanding_q == '0 && engine_done == '1;

  // Sums for counters and traces.
  haac_sum #(.Count(Engines)) u_live (.in_i(live_gnt_o), .sum_o(ev_live_o));
  haac_sum #(.Count(Engines)) u_wires (.in_i(wire_gnt_o), .sum_o(ev_oor_wires_o));
  haac_sum #(.Count(Engines)) u_addrs (.in_i(addr_gnt_o), .sum_o(ev_oor_address_bursts_o));
  haac_sum #(.Count(Engines)) u_tables (.in_i(table_gnt_o), .sum_o(ev_table_bursts_o));
  assign ev_instruction_bursts_o = 16'(instr_gnt_o);
  assign ev_input_bursts_o       = 16'(input_gnt_o);
  haac_sum #(.Count(Engines)) u_live_acks (.in_i(live_ack_i), .sum_o(acks_live));
  haac_sum #(.Count(Engines)) u_wire_shows (.in_i(wire_show_i), .sum_o(shows_wire));
  haac_sum #(.Count(Engines)) u_addr_shows (.in_i(addr_show_i), .sum_o(shows_addr));
  haac_sum #(.Count(Engines)) u_table_shows (.in_i(table_show_i), .sum_o(shows_table));

  haac_sum #(.Count(Engines)) u_ands (.in_i(ev_and), .sum_o(ev_ands_o));
  haac_sum #(.Count(Engines)) u_xors (.in_i(ev_xor), .sum_o(ev_xors_o));
  haac_sum #(.Count(Engines)) u_busy (.in_i(ev_half_gate), .sum_o(ev_half_gate_cycles_o));
  haac_sum #(.Count(Engines)) u_pops (.in_i(ev_oor_pop), .sum_o(ev_oor_pops_o));
  haac_sum #(.Count(Engines), .Width(3)) u_reads (.in_i(ev_reads), .sum_o(ev_window_reads_o));
  haac_sum #(.Count(Engines), .Width(4)) u_fwd (.in_i(ev_forwarded), .sum_o(ev_forwarded_o));
  haac_sum #(.Count(Results + Labels)) u_writes (.in_i({ld_valid, bus_valid}), .sum_o(writes_d));
  assign ev_window_writes_o = writes_q;

  haac_sum #(.Count(Engines), .Width(FifoWidth)) u_fifos (.in_i(fifo_level), .sum_o(level_issue_o));
  haac_sum #(.Count(Engines), .Width(TablesWidth)) u_table_levels (
    .in_i(tables_level), .sum_o(level_tables_o)
  );
  haac_sum #(.Count(Engines), .Width(AddrsWidth)) u_addr_levels (
    .in_i(addrs_level), .sum_o(level_addresses_o)
  );
  haac_sum #(.Count(Engines), .Width(WiresWidth)) u_wire_levels (
    .in_i(wires_level), .sum_o(level_wires_o)
  );
  haac_sum #(.Count(Engines), .Width(LivesWidth)) u_live_levels (
    .in_i(live_level), .sum_o(level_live_o)
  );

endmodule
