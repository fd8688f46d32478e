// SPDX-License-Identifier: MIT OR Apache-2.0

// An engine's stages from decode to execute: D, R1, R2, R3 and X. Moves instructions through them
// and operands into their latches.
//
// | port              | width       | meaning                                                   |
// |-------------------|-------------|-----------------------------------------------------------|
// | next_…_i          |             | head of the issue FIFO, decoded; pop_o takes it           |
// | next_cause_i      | 4           | the dispatcher's action in the previous cycle             |
// | latest_i …        |             | inputs of R1: see haac_read_stage                         |
// | rd_…              |             | the engine's four read ports to the window                |
// | bus_…_i           | 2 Engines   | results of this cycle, of all engines                     |
// | head_i, oor_pop_o | 128, 1      | head of the out-of-range queue; takes it                  |
// | issue_i           | 1           | the instruction in X leaves at the end of the cycle       |
// | and_base_i        | 64          | number of ANDs in earlier launches                        |
// | x_…_o             |             | X's instruction, operands with this cycle's arrivals      |
// | x_number_o        | 63          | the session's number of X's AND                           |
// | busy_o            | 1           | any stage holds an instruction                            |
// | oldest_…_o        | 1, HalfWidth | R1 or D holds an instruction; half of the older one      |
// | reads_o, forwarded_o | 3, 4     | accesses won; operands from the bus                       |
//
// Latency: an instruction that D takes at the end of c is in D in c + 1, in R1 in c + 2, in R2 in c
// + 3, in R3 in c + 4 and in X in c + 5 at the earliest. A stage that is empty, or hands its own
// instruction on, takes the instruction of the previous stage. Stalls: R1 for the reasons of
// haac_read_stage, X until issue_i. Gaps behind a stalled stage close up.
//
// With ForwardAll = 0, operands in D and R1 take no results from the bus, which saves their
// selection among all engines' labels. An operand whose result is on the bus there counts as one
// without an access from this cycle on: the window has the label from the next cycle on.

module haac_pipeline
  import haac_isa_pkg::*;
  import haac_engine_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 4096,
  parameter bit          ForwardAll   = 1'b1,
  localparam int unsigned Results     = 2 * Engines,
  localparam int unsigned SlotWidth   = $clog2(WindowLabels),
  localparam int unsigned HalfWidth   = AddressWidth + 1 - SlotWidth
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                                 clear_i,
  input  logic                                 run_i,

  input  logic                                 next_valid_i,
  input  cause_e                               next_cause_i,
  input  gate_t                                next_gate_i,
  input  operand_t                             next_a_i,
  input  operand_t                             next_b_i,
  output logic                                 pop_o,

  input  logic [HalfWidth:0]                   latest_i,
  input  logic [AddressWidth-1:0]              first_output_i,
  input  logic [AddressWidth-1:0]              loaded_i,

  output logic [3:0]                           rd_req_o,
  output logic [3:0][SlotWidth-1:0]            rd_slot_o,
  output logic [3:0]                           rd_epoch_o,
  input  logic [3:0]                           rd_gnt_i,
  input  logic [3:0]                           rd_hit_i,
  input  logic [3:0][LabelWidth-1:0]           rd_label_i,

  input  logic [Results-1:0]                   bus_valid_i,
  input  logic [Results-1:0][AddressWidth-1:0] bus_addr_i,
  input  logic [Results-1:0][LabelWidth-1:0]   bus_label_i,

  input  logic                                 oor_there_i,
  input  logic [LabelWidth-1:0]                head_i,
  output logic                                 oor_pop_o,

  input  logic                                 issue_i,
  input  logic [63:0]                          and_base_i,
  output logic                                 x_valid_o,
  output cause_e                               x_cause_o,
  output gate_t                                x_gate_o,
  output logic [62:0]                          x_number_o,
  output logic [1:0]                           x_there_o,
  output logic [LabelWidth-1:0]                x_a_o,
  output logic [LabelWidth-1:0]                x_b_o,

  output logic                                 busy_o,
  output logic                                 oldest_valid_o,
  output logic [HalfWidth-1:0]                 oldest_half_o,
  output logic [2:0]                           reads_o,
  output logic [3:0]                           forwarded_o
);

  // Stages by number: contents, outputs, and inputs from the previous stage.
  localparam int unsigned D = 0, R1 = 1, R2 = 2, R3 = 3, X = 4, Stages = 5;

  logic     [Stages-1:0]                 valid, take;
  cause_e   [Stages-1:0]                 cause;
  gate_t    [Stages-1:0]                 gate;
  operand_t [Stages-1:0]                 a, b, a_now, b_now;
  logic     [Stages-1:0][LabelWidth-1:0] a_label, b_label;
  logic     [Stages-1:0][1:0]            forwarded, again;

  logic [1:0] won, ahead_won, port_b, ahead_port_b, pop;
  logic leaves, x_free, r3_free, r2_free, r1_free, d_free;
  cause_e held_by;

  // A stage is free if it is empty or its instruction moves on.
  assign x_free  = !valid[X] || issue_i;
  assign r3_free = !valid[R3] || x_free;
  assign r2_free = !valid[R2] || r3_free;
  assign r1_free = !valid[R1] || leaves;
  assign d_free  = !valid[D] || r1_free;
  assign take    = {x_free, r3_free, r2_free, r1_free, d_free};

  assign pop_o = run_i && d_free && next_valid_i;

  // R1 reads operand a through port 0, and b through port 0 or 1. D reads a through port 2, and b
  // through port 2 or 3. The word arrives two cycles after the access. By then an operand of D is
  // in R2 at most, and one of R1 in R3, so X needs no read port.
  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    logic     before_valid;
    cause_e   before_cause;
    gate_t    before_gate;
    operand_t before_a, before_b;
    logic [LabelWidth-1:0] before_a_label, before_b_label;
    logic [1:0] stage_won, stage_port_a, stage_port_b;

    if (s == D) begin : gen_first
      assign before_valid   = next_valid_i;
      assign before_cause   = next_cause_i;
      assign before_gate    = next_gate_i;
      assign before_a       = next_a_i;
      assign before_b       = next_b_i;
      assign before_a_label = '0;
      assign before_b_label = '0;
    end else begin : gen_next
      // If R1 keeps its instruction, R2 gets a gap with the cause.
      assign before_valid   = s == R2 ? leaves : valid[s-1];
      assign before_cause   = s == R2 && valid[R1] ? held_by : cause[s-1];
      assign before_gate    = gate[s-1];
      assign before_a       = a_now[s-1];
      assign before_b       = b_now[s-1];
      assign before_a_label = a_label[s-1];
      assign before_b_label = b_label[s-1];
    end

    assign stage_won    = s == D ? ahead_won : s == R1 ? won : '0;
    assign stage_port_a = s == D ? 2'd2 : 2'd0;
    assign stage_port_b = s == D ? ahead_port_b : port_b;

    haac_stage #(
      .Engines(Engines), .WindowLabels(WindowLabels),
      .Forward(ForwardAll || (s != D && s != R1)),
      .ReadPortsA(s == D ? 4'b0100 : s == X ? 4'b0000 : 4'b0101),
      .ReadPortsB(s == D ? 4'b1100 : s == X ? 4'b0000 : 4'b1111), .Pops(s == R1)
    ) u_stage (
      .clk_i, .rst_ni, .clear_i, .run_i, .take_i(take[s]),
      .before_valid_i(before_valid), .before_cause_i(before_cause), .before_gate_i(before_gate),
      .before_a_i(before_a), .before_b_i(before_b),
      .before_a_label_i(before_a_label), .before_b_label_i(before_b_label),
      .won_i(stage_won), .port_a_i(stage_port_a), .port_b_i(stage_port_b),
      .pop_i(pop), .head_i, .rd_hit_i, .rd_label_i, .bus_valid_i, .bus_addr_i, .bus_label_i,
      .valid_o(valid[s]), .cause_o(cause[s]), .gate_o(gate[s]), .a_o(a[s]), .b_o(b[s]),
      .a_now_o(a_now[s]), .b_now_o(b_now[s]), .a_label_o(a_label[s]), .b_label_o(b_label[s]),
      .forwarded_o(forwarded[s]), .again_o(again[s])
    );
  end

  haac_read_stage #(
    .WindowLabels(WindowLabels)
  ) u_read (
    .run_i, .next_free_i(r2_free), .latest_i, .first_output_i, .loaded_i, .oor_there_i,
    .valid_i(valid[R1]), .gate_i(gate[R1]), .a_i(a[R1]), .b_i(b[R1]), .again_i(again[R1]),
    .ahead_valid_i(valid[D]), .ahead_gate_i(gate[D]), .ahead_a_i(a[D]), .ahead_b_i(b[D]),
    .ahead_again_i(again[D]),
    .rd_req_o, .rd_slot_o, .rd_epoch_o, .rd_gnt_i,
    .won_o(won), .ahead_won_o(ahead_won), .port_b_o(port_b), .ahead_port_b_o(ahead_port_b),
    .pop_o(pop), .leaves_o(leaves), .cause_o(held_by), .reads_o
  );

  assign oor_pop_o = |pop;

  assign x_valid_o = valid[X];
  assign x_cause_o = cause[X];
  assign x_gate_o  = gate[X];
  // Only operands in D and R1 read the window again.
  logic unused_again;
  assign unused_again = ^{again[R2], again[R3], again[X]};

  assign x_there_o = {b_now[X].there, a_now[X].there};
  assign x_a_o     = a_label[X];
  assign x_b_o     = b_label[X];

  // Added up while the instruction is in R3: behind X the AES of the AND begins with it.
  always_ff @(posedge clk_i) begin
    if (run_i && take[X]) x_number_o <= 63'(and_base_i + 64'(gate[R3].number));
  end

  assign busy_o         = |valid;
  assign oldest_valid_o = valid[R1] || valid[D];
  assign oldest_half_o  = valid[R1] ? gate[R1].out[AddressWidth-1:SlotWidth-1]
                                    : gate[D].out[AddressWidth-1:SlotWidth-1];

  always_comb begin
    forwarded_o = '0;
    for (int unsigned s = 0; s < Stages; s++) begin
      forwarded_o += 4'(forwarded[s][0]) + 4'(forwarded[s][1]);
    end
  end

endmodule
