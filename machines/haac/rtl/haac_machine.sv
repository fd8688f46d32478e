// SPDX-License-Identifier: MIT OR Apache-2.0

// HAAC with signals that only simulations use: haac.sv is this machine without them.
//
// | port         | width    | meaning                                                            |
// |--------------|----------|--------------------------------------------------------------------|
// | clk_i, rst_ni, irq_o, s_axil_…, m_axi_… | | see haac                                         |
// | sim_issue_stall_i | Engines | no issue in the next cycle                                     |
// | sim_run_o    | 1        | this clock cycle is counted                                        |
// | sim_cause_o  | Engines x 4 | cause of the cycle, for each engine                             |
// | sim_level_…_o | 16      | entries of all engines' queues as the cycle begins                 |
// | sim_outstanding_o | 16  | requests in flight as the cycle begins                             |
//
// Latency and stalls: machines/haac/docs/control.md. Parameters: see haac.

module haac_machine
  import haac_isa_pkg::*;
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines         = 4,
  parameter int unsigned WindowLabels    = 32768,
  parameter int unsigned Banks           = 16,
  // Whether all stages take results from the bus, or only those after the read: see haac_pipeline.
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
  parameter int unsigned InputHold       = 64,
  parameter int unsigned LiveInFlight    = 256,
  parameter int unsigned NumPorts        = 1,
  parameter int unsigned DataWidth       = 512,
  parameter int unsigned AddrWidth       = 40,
  parameter bit          Garbler         = 1'b1,
  parameter int unsigned AesImpl         = 0,
  parameter bit          Counters        = 1'b1,
  localparam int unsigned InstrGrants    = Engines / 8 + 2
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  output logic                               irq_o,

  input  logic                               s_axil_awvalid_i,
  output logic                               s_axil_awready_o,
  input  logic [RegAddrWidth-1:0]            s_axil_awaddr_i,
  input  logic                               s_axil_wvalid_i,
  output logic                               s_axil_wready_o,
  input  logic [31:0]                        s_axil_wdata_i,
  input  logic [3:0]                         s_axil_wstrb_i,
  output logic                               s_axil_bvalid_o,
  input  logic                               s_axil_bready_i,
  output logic [1:0]                         s_axil_bresp_o,
  input  logic                               s_axil_arvalid_i,
  output logic                               s_axil_arready_o,
  input  logic [RegAddrWidth-1:0]            s_axil_araddr_i,
  output logic                               s_axil_rvalid_o,
  input  logic                               s_axil_rready_i,
  output logic [31:0]                        s_axil_rdata_o,
  output logic [1:0]                         s_axil_rresp_o,

  output logic [NumPorts-1:0]                m_axi_arvalid_o,
  input  logic [NumPorts-1:0]                m_axi_arready_i,
  output logic [NumPorts-1:0][AddrWidth-1:0] m_axi_araddr_o,
  output logic [NumPorts-1:0][7:0]           m_axi_arlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_arsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_arburst_o,
  input  logic [NumPorts-1:0]                m_axi_rvalid_i,
  output logic [NumPorts-1:0]                m_axi_rready_o,
  input  logic [NumPorts-1:0][DataWidth-1:0] m_axi_rdata_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_rresp_i,
  input  logic [NumPorts-1:0]                m_axi_rlast_i,
  output logic [NumPorts-1:0]                m_axi_awvalid_o,
  input  logic [NumPorts-1:0]                m_axi_awready_i,
  output logic [NumPorts-1:0][AddrWidth-1:0] m_axi_awaddr_o,
  output logic [NumPorts-1:0][7:0]           m_axi_awlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_awsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_awburst_o,
  output logic [NumPorts-1:0]                m_axi_wvalid_o,
  input  logic [NumPorts-1:0]                m_axi_wready_i,
  output logic [NumPorts-1:0][DataWidth-1:0] m_axi_wdata_o,
  output logic [NumPorts-1:0][DataWidth/8-1:0] m_axi_wstrb_o,
  output logic [NumPorts-1:0]                m_axi_wlast_o,
  input  logic [NumPorts-1:0]                m_axi_bvalid_i,
  output logic [NumPorts-1:0]                m_axi_bready_o,
  input  logic [NumPorts-1:0][1:0]           m_axi_bresp_i,

  input  logic [Engines-1:0]                 sim_issue_stall_i,
  output logic                               sim_run_o,
  output logic [Engines-1:0][CauseWidth-1:0] sim_cause_o,
  output logic [15:0]                        sim_level_issue_o,
  output logic [15:0]                        sim_level_tables_o,
  output logic [15:0]                        sim_level_addresses_o,
  output logic [15:0]                        sim_level_wires_o,
  output logic [15:0]                        sim_level_live_o,
  output logic [15:0]                        sim_outstanding_o
);

  localparam int unsigned EngineWidth = Engines > 1 ? $clog2(Engines) : 1;

  // Control.
  logic                    write, start, reset, clear, interrupt, busy, fetch, fetch_done;
  logic                    fetch_fault, launch, wipe, wiping, flush, pending, work, run, core_done;
  logic                    sum, sum_done, sum_bad, fault, core_wiping, memory_wiping;
  logic [Engines-1:0]      stall_q;
  logic [RegAddrWidth-1:0] waddr, raddr;
  logic [31:0]             wdata, rdata, counter, status, error;
  logic [3:0]              wstrb;
  error_e                  fetch_code, fault_code, stuck_code;
  stream_e                 fetch_stream, fault_stream, sum_stream, memory_stream, stuck_stream;
  logic [7:0]              fetch_engine, fault_engine, sum_engine, memory_engine, stuck_engine;
  logic                    memory_error, memory_dead, illegal, short_rows, stuck, moves;
  logic [EngineWidth-1:0]  illegal_engine;

  // The launch.
  logic [63:0]  program_addr, and_base;
  logic [127:0] point, delta;
  logic [8:0]   latency;
  logic [31:0]  credit_step, credit_byte, credit_cap, wire_bytes, timeout;
  logic [31:0]  rows, instr_bursts, instr_crc, desc_crc;
  logic [30:0]  first_output, first_loaded;
  logic [AddrWidth-1:0] instr_base, labels_base, desc_addr;
  logic [Engines-1:0][31:0] oor_words, ands, oor_crc, oor_crc_seen;
  logic [Engines-1:0][AddrWidth-1:0] oor_base, tables_base;
  logic [NumPorts-1:0][31:0] instr_part;
  logic         desc_request, desc_push;
  logic [511:0] desc_burst;

  // Between core and memory.
  logic [Engines-1:0] live_space, live_gnt, live_ack, wire_space, wire_gnt, wire_push, wire_show;
  logic [Engines-1:0] addr_space, addr_gnt, addr_push, addr_show;
  logic [Engines-1:0] table_space, table_gnt, table_push, table_show;
  logic [Engines-1:0][30:0] live_addr, wire_addr;
  logic [Engines-1:0][127:0] live_label, wire_label;
  logic [Engines-1:0][511:0] addr_burst, table_written, table_read;
  logic [Engines-1:0][1:0] table_count;
  logic instr_space, input_space;
  logic [7:0] instr_gnt, instr_show, input_gnt, input_show;
  logic [NumPorts-1:0] instr_push, input_push;
  logic [NumPorts-1:0][511:0] instr_burst, input_burst;

  logic [NumCounters-1:0][15:0] events;
  logic memory_bound;
  logic [15:0] late;

  haac_axil u_axil (
    .clk_i, .rst_ni, .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_awaddr_i, .s_axil_wvalid_i,
    .s_axil_wready_o, .s_axil_wdata_i, .s_axil_wstrb_i, .s_axil_bvalid_o, .s_axil_bready_i,
    .s_axil_bresp_o, .s_axil_arvalid_i, .s_axil_arready_o, .s_axil_araddr_i, .s_axil_rvalid_o,
    .s_axil_rready_i, .s_axil_rdata_o, .s_axil_rresp_o, .write_o(write), .waddr_o(waddr),
    .wdata_o(wdata), .wstrb_o(wstrb), .raddr_o(raddr), .rdata_i(rdata)
  );

  haac_registers #(
    .Engines(Engines), .WindowLabels(WindowLabels), .NumPorts(NumPorts), .DataWidth(DataWidth),
    .Garbler(Garbler), .Counters(Counters), .AesImpl(AesImpl)
  ) u_registers (
    .clk_i, .rst_ni, .write_i(write), .waddr_i(waddr), .wdata_i(wdata), .wstrb_i(wstrb),
    .raddr_i(raddr), .rdata_o(rdata), .counter_i(counter), .busy_i(busy), .wipe_i(wipe),
    .start_o(start), .reset_o(reset), .clear_o(clear), .status_i(status), .error_i(error), .interrupt_o(interrupt),
    .program_o(program_addr), .and_base_o(and_base), .point_o(point), .delta_o(delta),
    .latency_o(latency), .credit_step_o(credit_step), .credit_byte_o(credit_byte),
    .credit_cap_o(credit_cap), .wire_bytes_o(wire_bytes), .timeout_o(timeout)
  );

  haac_control u_control (
    .clk_i, .rst_ni, .start_i(start), .reset_i(reset), .clear_i(clear), .interrupt_i(interrupt),
    .fetch_o(fetch), .fetch_done_i(fetch_done), .fetch_fault_i(fetch_fault),
    .fetch_code_i(fetch_code), .fetch_stream_i(fetch_stream), .fetch_engine_i(fetch_engine),
    .launch_o(launch), .wipe_o(wipe), .wiping_i(wiping), .flush_o(flush), .pending_i(pending),
    .work_o(work), .run_o(run), .done_i(core_done), .sum_o(sum), .sum_done_i(sum_done),
    .sum_bad_i(sum_bad),
    .sum_stream_i(sum_stream), .sum_engine_i(sum_engine), .fault_i(fault),
    .fault_code_i(fault_code), .fault_stream_i(fault_stream), .fault_engine_i(fault_engine),
    .busy_o(busy), .status_o(status), .error_o(error), .irq_o
  );
  assign wiping = core_wiping || memory_wiping;

  haac_fetch #(
    .Engines(Engines), .WindowLabels(WindowLabels), .Garbler(Garbler), .AddrWidth(AddrWidth)
  ) u_fetch (
    .clk_i, .rst_ni, .go_i(fetch), .program_i(program_addr), .credit_step_i(credit_step),
    .credit_byte_i(credit_byte), .credit_cap_i(credit_cap), .wire_bytes_i(wire_bytes),
    .request_o(desc_request), .addr_o(desc_addr), .push_i(desc_push), .burst_i(desc_burst),
    .crc_i(desc_crc), .done_o(fetch_done), .fault_o(fetch_fault), .code_o(fetch_code),
    .stream_o(fetch_stream), .engine_o(fetch_engine), .rows_o(rows),
    .first_output_o(first_output), .first_loaded_o(first_loaded), .instr_bursts_o(instr_bursts),
    .instr_crc_o(instr_crc), .instr_base_o(instr_base), .labels_base_o(labels_base),
    .oor_words_o(oor_words), .ands_o(ands), .oor_crc_o(oor_crc), .oor_base_o(oor_base),
    .tables_base_o(tables_base)
  );

  haac_crc_sum #(
    .Engines(Engines), .NumPorts(NumPorts)
  ) u_crc_sum (
    .clk_i, .rst_ni, .go_i(sum), .bursts_i(instr_bursts), .part_i(instr_part), .crc_i(instr_crc),
    .oor_words_i(oor_words), .oor_i(oor_crc_seen), .oor_crc_i(oor_crc), .done_o(sum_done),
    .bad_o(sum_bad), .stream_o(sum_stream), .engine_o(sum_engine)
  );

  haac_core #(
    .Engines(Engines), .WindowLabels(WindowLabels), .Banks(Banks), .ForwardAll(ForwardAll),
    .XorLatency(XorLatency),
    .AndLatency(AndLatency), .AndInterval(AndInterval), .IssueDepth(IssueDepth),
    .TableDepth(TableDepth),
    .OorAddressDepth(OorAddressDepth), .OorWireDepth(OorWireDepth), .LiveDepth(LiveDepth),
    .InstrBursts(InstrBursts), .LoaderBursts(LoaderBursts), .InstrGrants(InstrGrants),
    .InputHold(InputHold), .LiveInFlight(LiveInFlight), .NumPorts(NumPorts), .Garbler(Garbler),
    .AesImpl(AesImpl)
  ) u_core (
    .clk_i, .rst_ni, .clear_i(launch || wipe), .run_i(work), .wipe_i(wipe),
    .wiping_o(core_wiping), .done_o(core_done), .illegal_o(illegal),
    .illegal_engine_o(illegal_engine), .short_o(short_rows),
    .first_output_i(first_output), .first_loaded_i(first_loaded), .rows_i(rows),
    .instr_bursts_i(instr_bursts), .oor_words_i(oor_words), .tables_i(ands), .point_i(point),
    .and_base_i(and_base), .delta_i(delta),
    .credit_step_i(credit_step), .credit_byte_i(credit_byte), .credit_cap_i(credit_cap),
    .wire_bytes_i(wire_bytes[6:0]),
    .live_space_i(live_space), .live_gnt_o(live_gnt), .live_addr_o(live_addr),
    .live_label_o(live_label), .live_ack_i(live_ack),
    .wire_space_i(wire_space), .wire_gnt_o(wire_gnt), .wire_addr_o(wire_addr),
    .wire_push_i(wire_push), .wire_label_i(wire_label), .wire_show_i(wire_show),
    .addr_space_i(addr_space), .addr_gnt_o(addr_gnt), .addr_push_i(addr_push),
    .addr_burst_i(addr_burst), .addr_show_i(addr_show),
    .instr_space_i(instr_space), .instr_gnt_o(instr_gnt), .instr_push_i(instr_push),
    .instr_burst_i(instr_burst), .instr_show_i(instr_show),
    .table_space_i(table_space), .table_gnt_o(table_gnt), .table_count_o(table_count),
    .table_burst_o(table_written), .table_push_i(table_push), .table_burst_i(table_read),
    .table_show_i(table_show),
    .input_space_i(input_space), .input_gnt_o(input_gnt), .input_push_i(input_push),
    .input_burst_i(input_burst), .input_show_i(input_show),
    .outstanding_o(sim_outstanding_o), .cause_o(sim_cause_o),
    .ev_ands_o(events[CounterAnds]), .ev_xors_o(events[CounterXors]),
    .ev_half_gate_cycles_o(events[CounterHalfGateCycles]),
    .ev_oor_pops_o(events[CounterOorPops]), .ev_window_reads_o(events[CounterWindowReads]),
    .ev_window_writes_o(events[CounterWindowWrites]), .ev_forwarded_o(events[CounterForwarded]),
    .ev_live_o(events[CounterLive]), .ev_oor_wires_o(events[CounterOorWires]),
    .ev_oor_address_bursts_o(events[CounterOorAddressBursts]),
    .ev_instruction_bursts_o(events[CounterInstructionBursts]),
    .ev_table_bursts_o(events[CounterTableBursts]),
    .ev_input_bursts_o(events[CounterInputBursts]), .ev_memory_bound_o(memory_bound),
    .level_issue_o(sim_level_issue_o), .level_tables_o(sim_level_tables_o),
    .level_addresses_o(sim_level_addresses_o), .level_wires_o(sim_level_wires_o),
    .level_live_o(sim_level_live_o), .issue_stall_i(stall_q)
  );
  assign sim_run_o = run;

  // Registered, since a simulator would evaluate an input with a large fan-out twice per cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stall_q <= '0;
    else stall_q <= sim_issue_stall_i;
  end

  haac_memory #(
    .Engines(Engines), .NumPorts(NumPorts), .DataWidth(DataWidth), .AddrWidth(AddrWidth),
    .OorWireDepth(OorWireDepth), .LiveDepth(LiveDepth), .InstrGrants(InstrGrants),
    .LoaderBursts(LoaderBursts), .Garbler(Garbler)
  ) u_memory (
    .clk_i, .rst_ni, .start_i(launch || wipe), .flush_i(flush), .wiping_o(memory_wiping),
    .pending_o(pending), .latency_i(latency), .timeout_i(timeout), .error_o(memory_error),
    .dead_o(memory_dead), .stream_o(memory_stream), .engine_o(memory_engine), .late_o(late),
    .desc_request_i(desc_request), .desc_addr_i(desc_addr), .desc_push_o(desc_push),
    .desc_burst_o(desc_burst), .labels_base_i(labels_base), .instr_base_i(instr_base),
    .first_loaded_i(first_loaded), .oor_base_i(oor_base), .tables_base_i(tables_base),
    .desc_crc_o(desc_crc), .instr_part_o(instr_part), .oor_crc_o(oor_crc_seen),
    .live_space_o(live_space), .live_gnt_i(live_gnt), .live_addr_i(live_addr),
    .live_label_i(live_label), .live_ack_o(live_ack),
    .wire_space_o(wire_space), .wire_gnt_i(wire_gnt), .wire_addr_i(wire_addr),
    .wire_push_o(wire_push), .wire_label_o(wire_label), .wire_show_o(wire_show),
    .addr_space_o(addr_space), .addr_gnt_i(addr_gnt), .addr_push_o(addr_push),
    .addr_burst_o(addr_burst), .addr_show_o(addr_show),
    .instr_space_o(instr_space), .instr_gnt_i(instr_gnt), .instr_push_o(instr_push),
    .instr_burst_o(instr_burst), .instr_show_o(instr_show),
    .table_space_o(table_space), .table_gnt_i(table_gnt), .table_burst_i(table_written),
    .table_push_o(table_push), .table_burst_o(table_read), .table_show_o(table_show),
    .input_space_o(input_space), .input_gnt_i(input_gnt), .input_push_o(input_push),
    .input_burst_o(input_burst), .input_show_o(input_show),
    .m_axi_arvalid_o, .m_axi_arready_i, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o,
    .m_axi_arburst_o, .m_axi_rvalid_i, .m_axi_rready_o, .m_axi_rdata_i, .m_axi_rresp_i,
    .m_axi_rlast_i, .m_axi_awvalid_o, .m_axi_awready_i, .m_axi_awaddr_o, .m_axi_awlen_o,
    .m_axi_awsize_o, .m_axi_awburst_o, .m_axi_wvalid_o, .m_axi_wready_i, .m_axi_wdata_o,
    .m_axi_wstrb_o, .m_axi_wlast_o, .m_axi_bvalid_i, .m_axi_bready_o, .m_axi_bresp_i
  );

  // `moves` is set if the cycle makes progress or a request is pending.
  always_comb begin
    moves = memory_bound || sim_outstanding_o != '0 || stall_q != '0;
    for (int unsigned n = 0; n < NumCounters; n++) moves = moves || events[n] != '0;
  end
  haac_stuck #(
    .Engines(Engines), .Garbler(Garbler)
  ) u_stuck (
    .clk_i, .rst_ni, .run_i(run), .moves_i(moves), .cause_i(sim_cause_o),
    .words_i(sim_level_addresses_o != '0), .stuck_o(stuck), .code_o(stuck_code),
    .stream_o(stuck_stream), .engine_o(stuck_engine)
  );
  // The error in a run. Errors that cause others have priority over them.
  always_comb begin
    fault        = 1'b1;
    fault_stream = StreamInstructions;
    fault_engine = '0;
    if (memory_error || memory_dead) begin
      fault_code   = memory_error ? ErrorMemoryError : ErrorMemoryDead;
      fault_stream = memory_stream;
      fault_engine = memory_engine;
    end else if (run && illegal) begin
      fault_code   = ErrorIllegalInstruction;
      fault_engine = 8'(illegal_engine);
    end else if (run && short_rows) begin
      fault_code   = ErrorShort;
    end else begin
      fault        = stuck;
      fault_code   = stuck_code;
      fault_stream = stuck_stream;
      fault_engine = stuck_engine;
    end
  end

  assign events[CounterCycles]        = '0;
  assign events[CounterFirstIssue]    = '0;
  assign events[CounterLastWriteBack] = '0;
  assign events[CounterMemoryBound]   = 16'(memory_bound);
  assign events[CounterLate]          = late;
  haac_counters #(
    .Engines(Engines), .Counters(Counters)
  ) u_counters (
    .clk_i, .rst_ni, .clear_i(launch), .run_i(run), .cause_i(sim_cause_o), .events_i(events),
    .raddr_i(raddr), .rdata_o(counter)
  );

  // The number of tables in a burst is not needed, since a burst with one table has zeros in place
  // of the second. haac_fetch rejects values of wire_bytes that need the higher bits.
  logic unused;
  assign unused = ^{table_count, wire_bytes[31:7]};

endmodule
