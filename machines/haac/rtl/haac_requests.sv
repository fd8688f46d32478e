// SPDX-License-Identifier: MIT OR Apache-2.0

// Selects the requests to memory in a cycle, while the credit lasts: kinds in the order of their
// urgency, and within a kind the engines in turn.
//
// | port             | width          | meaning                                                   |
// |------------------|----------------|-----------------------------------------------------------|
// | run_i, clear_i   | 1              | as in haac_core                                           |
// | instr_bursts_i … tables_i |       | the launch's constants, as in haac_core                   |
// | input_bursts_i   | 32             | bursts that the loader needs                              |
// | credit_…, wire_bytes_i, …_space_i |  | as in haac_core                                        |
// | all_dispatched_i | 1              | no row is left                                            |
// | freed_i, placed_i | 8             | bursts that leave instruction queue and loader now        |
// | live_waits_i …   |                | state of the engines' queues, as registered: whether      |
// |                  |                | labels or addresses wait, and the label at an address is  |
// |                  |                | in memory; places taken; tables; idle                     |
// | …_gnt_o          |                | grants, as in haac_core                                   |
// | addr_count_o, table_count_o |     | words and tables of a granted burst                       |
// | addr_shown_o, table_shown_o |     | words and tables of a show (tables: evaluator)            |
// | in_flight_full_i | Engines        | no further live write may be in flight                    |
// | no_requests_o    | 1              | no input burst is left to request, as registered          |
// | bound_o          | 1              | a request was refused because the credit did not suffice  |
//
// Latency: grants come in the cycle in which the registered queue levels request them. Stalls:
// after the first request that the credit does not cover, no more are granted in the cycle.
//
//   live ─► out-of-range labels ─► addresses ─► instructions ─► tables ─► inputs    (first to last)

module haac_requests
  import haac_isa_pkg::*;
#(
  parameter int unsigned Engines         = 4,
  parameter int unsigned TableDepth      = 72,
  parameter int unsigned OorAddressDepth = 32,
  parameter int unsigned OorWireDepth    = 32,
  parameter int unsigned InstrBursts     = 36,
  parameter int unsigned LoaderBursts    = 2,
  parameter int unsigned InstrGrants     = 2,
  parameter int unsigned InputHold       = 64,
  parameter bit          Garbler         = 1'b1,
  localparam int unsigned TableLevel     = $clog2(TableDepth + 1),
  localparam int unsigned AddressLevel   = $clog2(OorAddressDepth + 1),
  localparam int unsigned WireLevel      = $clog2(OorWireDepth + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic run_i,

  input  logic [31:0] instr_bursts_i,
  input  logic [31:0] input_bursts_i,
  input  logic [Engines-1:0][31:0] oor_words_i,
  input  logic [Engines-1:0][31:0] tables_i,
  input  logic [31:0] credit_step_i,
  input  logic [31:0] credit_byte_i,
  input  logic [31:0] credit_cap_i,
  input  logic [6:0]  wire_bytes_i,

  input  logic all_dispatched_i,
  input  logic [7:0] freed_i,
  input  logic [7:0] placed_i,

  input  logic [Engines-1:0] live_waits_i,
  input  logic [Engines-1:0] in_flight_full_i,
  input  logic [Engines-1:0] live_space_i,
  output logic [Engines-1:0] live_gnt_o,

  input  logic [Engines-1:0] addr_waits_i,
  input  logic [Engines-1:0] in_memory_i,
  input  logic [Engines-1:0][WireLevel-1:0] wires_taken_i,
  input  logic [Engines-1:0] wire_space_i,
  output logic [Engines-1:0] wire_gnt_o,

  input  logic [Engines-1:0][AddressLevel-1:0] addresses_taken_i,
  input  logic [Engines-1:0] addr_space_i,
  input  logic [Engines-1:0] addr_show_i,
  output logic [Engines-1:0] addr_gnt_o,
  output logic [Engines-1:0][4:0] addr_count_o,
  output logic [Engines-1:0][4:0] addr_shown_o,

  input  logic instr_space_i,
  output logic [7:0] instr_gnt_o,

  input  logic [Engines-1:0][TableLevel-1:0] tables_there_i,
  input  logic [Engines-1:0][TableLevel-1:0] tables_taken_i,
  input  logic [Engines-1:0] idle_i,
  input  logic [Engines-1:0] table_space_i,
  input  logic [Engines-1:0] table_show_i,
  output logic [Engines-1:0] table_gnt_o,
  output logic [Engines-1:0][1:0] table_count_o,
  output logic [Engines-1:0][1:0] table_shown_o,

  input  logic input_space_i,
  output logic [7:0] input_gnt_o,

  output logic no_requests_o,
  output logic bound_o
);

  localparam int unsigned MaxLabels = 2 * Engines;
  localparam int unsigned MaxBursts = 2 * Engines + InstrGrants + LoaderBursts;

  logic [Engines-1:0] live_req, wire_req, addr_req, table_req;
  logic [7:0] live_requested, wire_requested, addr_requested, instr_requested, table_requested, input_requested;
  logic [7:0] instr_may, input_may;
  logic unused_none;
  logic [7:0] labels_requested, bursts_requested;
  // Bit n: at least n + 1 are allowed; the same for a kind after the requests of earlier kinds.
  logic [MaxLabels-1:0] labels_allowed;
  logic [MaxBursts-1:0] bursts_allowed, instr_allowed, inputs_allowed;
  logic [Engines-1:0] wires_allowed, tables_allowed;

  // The number of bursts among the first `requested` that are allowed.
  function automatic logic [7:0] least(
    input logic [7:0] requested, input logic [MaxBursts-1:0] allowed, input int unsigned most
  );
    least = '0;
    for (int unsigned n = 0; n < most; n++) begin
      if (requested > 8'(n) && allowed[n]) least = 8'(n + 1);
    end
  endfunction

  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    assign live_req[e] = live_waits_i[e] && live_space_i[e] && !in_flight_full_i[e];

    assign wire_req[e] = addr_waits_i[e] && wire_space_i[e] && in_memory_i[e]
        && wires_taken_i[e] < WireLevel'(OorWireDepth);

    haac_stream_left #(
      .Group(16)
    ) u_words (
      .clk_i, .rst_ni, .clear_i, .count_i(oor_words_i[e]),
      .request_i(addr_gnt_o[e]), .show_i(addr_show_i[e]),
      .request_o(addr_count_o[e]), .show_o(addr_shown_o[e])
    );

    assign addr_req[e] = addr_space_i[e] && addr_count_o[e] != '0
        && 32'(addresses_taken_i[e]) + 32'(addr_count_o[e]) <= OorAddressDepth;

    if (Garbler) begin : gen_garbler
      logic whole, last;
      assign whole = tables_there_i[e] >= TableLevel'(2);
      assign last  = tables_there_i[e] == TableLevel'(1) && idle_i[e] && all_dispatched_i;
      assign table_req[e]     = table_space_i[e] && (whole || last);
      assign table_count_o[e] = whole ? 2'd2 : 2'd1;
      assign table_shown_o[e] = '0;
      logic unused;
      assign unused = ^{tables_i[e], tables_taken_i[e], table_show_i[e]};
    end else begin : gen_evaluator
      haac_stream_left #(
        .Group(2)
      ) u_tables (
        .clk_i, .rst_ni, .clear_i, .count_i(tables_i[e]),
        .request_i(table_gnt_o[e]), .show_i(table_show_i[e]),
        .request_o(table_count_o[e]), .show_o(table_shown_o[e])
      );
      assign table_req[e] = table_space_i[e] && table_count_o[e] != '0
          && 32'(tables_taken_i[e]) + 32'(table_count_o[e]) <= TableDepth;
      logic unused;
      assign unused = ^{tables_there_i[e], idle_i[e], all_dispatched_i};
    end
  end

  haac_bursts_left #(
    .Space(InstrBursts), .Most(InstrGrants)
  ) u_instr (
    .clk_i, .rst_ni, .clear_i, .count_i(instr_bursts_i), .request_i(instr_gnt_o), .free_i(freed_i),
    .request_o(instr_may), .none_o(unused_none)
  );

  haac_bursts_left #(
    .Space(InputHold), .Most(LoaderBursts)
  ) u_inputs (
    .clk_i, .rst_ni, .clear_i, .count_i(input_bursts_i), .request_i(input_gnt_o), .free_i(placed_i),
    .request_o(input_may), .none_o(no_requests_o)
  );

  assign instr_requested = instr_space_i ? instr_may : '0;
  assign input_requested = input_space_i ? input_may : '0;

  // Shifts by requests, which come early, of what is allowed, which comes late.
  assign wires_allowed  = Engines'(labels_allowed >> live_requested);
  assign instr_allowed  = bursts_allowed >> addr_requested;
  assign tables_allowed = Engines'(bursts_allowed >> (addr_requested + instr_requested));
  assign inputs_allowed = bursts_allowed >> (addr_requested + instr_requested + table_requested);

  haac_turns #(.Engines(Engines)) u_live (
    .clk_i, .rst_ni, .clear_i, .run_i, .req_i(live_req), .allow_i(labels_allowed[Engines-1:0]),
    .gnt_o(live_gnt_o), .requested_o(live_requested)
  );
  haac_turns #(.Engines(Engines)) u_wires (
    .clk_i, .rst_ni, .clear_i, .run_i, .req_i(wire_req), .allow_i(wires_allowed[Engines-1:0]),
    .gnt_o(wire_gnt_o), .requested_o(wire_requested)
  );
  haac_turns #(.Engines(Engines)) u_addresses (
    .clk_i, .rst_ni, .clear_i, .run_i, .req_i(addr_req), .allow_i(bursts_allowed[Engines-1:0]),
    .gnt_o(addr_gnt_o), .requested_o(addr_requested)
  );
  haac_turns #(.Engines(Engines)) u_tables (
    .clk_i, .rst_ni, .clear_i, .run_i, .req_i(table_req), .allow_i(tables_allowed[Engines-1:0]),
    .gnt_o(table_gnt_o), .requested_o(table_requested)
  );

  assign instr_gnt_o = run_i ? least(instr_requested, instr_allowed, InstrGrants) : '0;
  assign input_gnt_o = run_i ? least(input_requested, inputs_allowed, LoaderBursts) : '0;

  assign labels_requested = live_requested + wire_requested;
  assign bursts_requested = addr_requested + instr_requested + table_requested + input_requested;

  haac_credit #(
    .MaxLabels(MaxLabels), .MaxBursts(MaxBursts)
  ) u_credit (
    .clk_i, .rst_ni, .clear_i, .run_i,
    .step_i(credit_step_i), .byte_i(credit_byte_i), .cap_i(credit_cap_i), .wire_bytes_i,
    .labels_i(labels_requested), .bursts_i(bursts_requested),
    .labels_o(labels_allowed), .bursts_o(bursts_allowed), .bound_o
  );

endmodule
