// SPDX-License-Identifier: MIT OR Apache-2.0

// Executes the gates of one issue slot: computes labels and tables from operands. A free gate takes
// one cycle, an AND twelve cycles.
//
// | port       | width | meaning                                                                 |
// |------------|-------|-------------------------------------------------------------------------|
// | clear_i    | 1     | nothing is left in the registers after this cycle                       |
// | en_i       | 1     | 0 stalls the machine                                                    |
// | gate_i     |       | the gate                                                                |
// | a_i, b_i   | 128   | the operands of gate_i, before inversion                                |
// | delta_i    | 128   | Delta; constant during a run                                            |
// | point_i    | 128   | S; constant during a run                                                |
// | free_o     | 1     | a free gate is done: free_label_o, with its destination                 |
// | and_o      | 1     | an AND is done: and_label_o, with its destination                       |
// | number_o   | 64    | the number of the AND in the run                                        |
// | table_o    | 256   | the table of the AND: TG in bits 127:0, TE above                        |
//
// Latency: 1 cycle for free gates, 12 for ANDs. Takes a gate per cycle. Stalls: en_i. An issue slot
// never gets gates for which it has no unit.

module fase_execute
  import fase_types_pkg::*;
#(
  parameter int unsigned Impl    = 0,
  parameter bit          HasAnd  = 1'b1,
  parameter bit          HasFree = 1'b1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         en_i,

  // The operands' addresses are not used here, and a slot may have only one unit.
  input  gate_t        gate_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  input  logic [127:0] delta_i,
  input  logic [127:0] point_i,

  output logic         free_o,
  output logic [127:0] free_label_o,
  output result_t      free_result_o,

  output logic         and_o,
  output logic [127:0] and_label_o,
  output result_t      and_result_o,
  output logic [63:0]  number_o,
  output logic [255:0] table_o
);

  localparam int unsigned Latency = 12;

  if (HasFree) begin : gen_free
    logic valid;
    result_t result_q;

    assign valid = gate_i.valid && !gate_i.is_and;

    free_xor u_free (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i(valid), .copy_i(gate_i.copy),
      .invert_i(gate_i.invert), .a_i, .b_i, .delta_i, .valid_o(free_o), .label_o(free_label_o)
    );

    always_ff @(posedge clk_i) begin
      if (en_i && valid) result_q <= gate_i.result;
    end
    assign free_result_o = result_q;
  end else begin : gen_no_free
    assign free_o        = 1'b0;
    assign free_label_o  = '0;
    assign free_result_o = '0;
  end

  if (HasAnd) begin : gen_and
    logic valid, invert;
    logic [127:0] label;

    assign valid = gate_i.valid && gate_i.is_and;

    half_gate_garbler #(.Impl(Impl), .Latency(Latency)) u_and (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i(valid),
      .a_i(a_i ^ (delta_i & {128{gate_i.invert_a}})),
      .b_i(b_i ^ (delta_i & {128{gate_i.invert_b}})),
      .delta_i,
      .key_a_i({point_i[127:64] ^ {gate_i.number[62:0], 1'b0}, point_i[63:0]}),
      .key_b_i({point_i[127:64] ^ {gate_i.number[62:0], 1'b1}, point_i[63:0]}),
      .valid_o(and_o), .label_o(label), .table_o
    );
    label_delay #(.Width($bits(result_t) + 65), .Stages(Latency)) u_beside (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i(valid),
      .d_i({gate_i.result, gate_i.number, gate_i.invert}), .q_o({and_result_o, number_o, invert})
    );
    assign and_label_o = label ^ (delta_i & {128{invert}});
  end else begin : gen_no_and
    assign and_o        = 1'b0;
    assign and_label_o  = '0;
    assign and_result_o = '0;
    assign number_o     = '0;
    assign table_o      = '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && gate_i.valid) begin
      assert (gate_i.is_and ? HasAnd : HasFree) else $error("fase_execute: no unit for this gate");
    end
  end
`endif

  logic unused;
  assign unused = ^{gate_i, a_i, b_i, delta_i, point_i};

endmodule
