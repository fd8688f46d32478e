// SPDX-License-Identifier: MIT OR Apache-2.0

// A pipeline's execution: computes labels and tables from operands. The label of a flip-flop or a
// free gate is ready in the cycle of its operands, the label of an AND eleven cycles later.
//
// | port         | width | meaning                                                           |
// |--------------|-------|-------------------------------------------------------------------|
// | clear_i      | 1     | nothing is left in the registers after this cycle                 |
// | keys_i       | 1408  | round keys of K; keys_i and delta_i are constant during a run     |
// | delta_i      | 128   | Delta                                                             |
// | cycle_i      | 32    | the netlist cycle                                                 |
// | taken_i      |       | the slot taken in the previous cycle                              |
// | a_i, b_i     | 128   | the operands of taken_i, after inversion                          |
// | free_o       | 1     | the slot is no AND, and free_label_o is its label                 |
// | free_about_o |       | data of that slot                                                 |
// | and_o        | 1     | and_label_o and table_o (TG in bits 127:0, TE above) are an AND's |
// | and_about_o  |       | data of that AND                                                  |
// | idle_o       | 1     | nothing is under way                                              |
//
// Latency: 0 cycles, for ANDs 11. Takes a slot per cycle. Stalls: nothing.

module fase_paper_execute
  import fase_paper_pkg::*;
#(
  parameter int unsigned Impl  = 0,
  parameter bit          Sigma = 1'b1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,
  input  logic [10:0][127:0] keys_i,
  input  logic [127:0]       delta_i,
  input  logic [31:0]        cycle_i,

  // The operands' addresses are not used here.
  input  taken_t             taken_i,
  input  logic [127:0]       a_i,
  input  logic [127:0]       b_i,

  output logic               free_o,
  output logic [127:0]       free_label_o,
  output about_t             free_about_o,
  output logic               and_o,
  output logic [127:0]       and_label_o,
  output about_t             and_about_o,
  output logic [255:0]       table_o,
  output logic               idle_o
);

  localparam int unsigned Latency = AndCycles - 1;

  logic is_and, invert;
  logic [Latency-1:0] under_way_q;
  logic [127:0] label;

  assign is_and       = taken_i.valid && taken_i.about.is_and;
  assign free_o       = taken_i.valid && !taken_i.about.is_and;
  assign free_about_o = taken_i.about;
  assign free_label_o = a_i ^ (b_i & {128{!taken_i.copy}}) ^ (delta_i & {128{taken_i.invert}});

  // T = cycle * 2^64 + 2 position (spec/suites.md).
  half_gate_garbler_fixed #(.Impl(Impl), .Latency(Latency), .Sigma(Sigma)) u_and (
    .clk_i, .rst_ni, .clear_i, .en_i(1'b1), .keys_i, .valid_i(is_and), .a_i, .b_i, .delta_i,
    .tweak_i({32'd0, cycle_i, 47'd0, taken_i.about.position, 1'b0}),
    .valid_o(and_o), .label_o(label), .table_o
  );
  label_delay #(.Width($bits(about_t) + 1), .Stages(Latency)) u_beside (
    .clk_i, .rst_ni, .clear_i, .en_i(1'b1), .valid_i(is_and),
    .d_i({taken_i.about, taken_i.invert}), .q_o({and_about_o, invert})
  );
  assign and_label_o = label ^ (delta_i & {128{invert}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) under_way_q <= '0;
    else if (clear_i) under_way_q <= '0;
    else under_way_q <= {under_way_q[Latency-2:0], is_and};
  end
  assign idle_o = under_way_q == '0 && !taken_i.valid;

  logic unused;
  assign unused = ^taken_i;

endmodule
