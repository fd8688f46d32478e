// SPDX-License-Identifier: MIT OR Apache-2.0

// The garbled AND and XOR cells. A set of cells takes a whole group, and a group is of ANDs or of
// XORs. Groups enter the sets in turn, and results leave in the same order. ANDs and XORs are never
// in progress together.
//
// | parameter            | meaning                                         |
// |----------------------|-------------------------------------------------|
// | Lanes                | gates of a group                                |
// | Ands, Xors           | number of cells, multiples of Lanes             |
// | Suite, Latency, Impl | parameters of the AND cells (see `overlay_and`) |
//
// | port                 | width       | meaning                                                 |
// |----------------------|-------------|---------------------------------------------------------|
// | clear_i              | 1           | clears all registers                                    |
// | valid_i              | 1           | takes a group; only if ready_o                          |
// | ands_i               | 1           | the group's gates are ANDs                              |
// | first_i              | 1           | the group is the first of a batch: it goes to set 0     |
// | count_i              |             | number of the group's gates                             |
// | commands_i, a_i, b_i | Lanes       | the group's commands and false labels, not yet inverted |
// | ready_o              | 1           | the next set of cells can take the group                |
// | valid_o              | 1           | label_o and table_o are a group's results               |
// | label_o              | Lanes x 128 | labels; for ANDs not yet inverted                       |
// | table_o              | Lanes x 256 | tables of ANDs                                          |
//
// Latency: 1 clock cycle for XORs; for ANDs see `overlay_and`. Stalls: ready_o.

module overlay_execute
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes   = 1,
  parameter int unsigned Ands    = 1,
  parameter int unsigned Xors    = 1,
  parameter int unsigned Suite   = 0,
  parameter int unsigned Latency = 21,
  parameter int unsigned Impl    = 0,
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,
  input  logic                    half_i,
  input  logic [127:0]            delta_i,
  input  logic [127:0]            point_i,

  input  logic                    valid_i,
  input  logic                    ands_i,
  input  logic                    first_i,
  input  logic [CountWidth-1:0]   count_i,
  // Addresses are not used here.
  input  command_t [Lanes-1:0]    commands_i,
  input  logic [Lanes-1:0][127:0] a_i,
  input  logic [Lanes-1:0][127:0] b_i,
  output logic                    ready_o,

  output logic                    valid_o,
  output logic [Lanes-1:0][127:0] label_o,
  output logic [Lanes-1:0][255:0] table_o
);

  // A set has as many cells as there are lanes.
  localparam int unsigned AndSets = Ands / Lanes;
  localparam int unsigned XorSets = Xors / Lanes;
  localparam int unsigned AndWidth = AndSets > 1 ? $clog2(AndSets) : 1;
  localparam int unsigned XorWidth = XorSets > 1 ? $clog2(XorSets) : 1;

  // The next set to use (and_q; and_now for this group), and the set of the next results.
  logic [AndWidth-1:0] and_q, and_now, and_out_q;
  logic [XorWidth-1:0] xor_q, xor_now;
  logic [AndSets-1:0][Lanes-1:0] busy, and_valid;
  logic [AndSets-1:0][Lanes-1:0][127:0] and_label;
  logic [AndSets-1:0][Lanes-1:0][255:0] and_table;
  logic [XorSets-1:0][Lanes-1:0] xor_valid;
  logic [XorSets-1:0][Lanes-1:0][127:0] xor_label;
  logic ands_done, xors_done;

  assign and_now = first_i ? '0 : and_q;
  assign xor_now = first_i ? '0 : xor_q;
  assign ready_o = !ands_i || busy[and_now] == '0;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    logic [127:0] a, b;
    logic there;

    assign there = valid_i && l < 32'(count_i);
    assign a = a_i[l] ^ (delta_i & {128{commands_i[l].a.invert}});
    assign b = b_i[l] ^ (delta_i & {128{commands_i[l].b.invert}});
    for (genvar s = 0; s < int'(AndSets); s++) begin : gen_and
      overlay_and #(.Suite(Suite), .Latency(Latency), .Impl(Impl)) u_and (
        .clk_i, .rst_ni, .clear_i, .half_i, .delta_i, .point_i,
        .valid_i(there && ands_i && and_now == AndWidth'(s)), .a_i(a), .b_i(b),
        .number_i(commands_i[l].number), .busy_o(busy[s][l]),
        .valid_o(and_valid[s][l]), .label_o(and_label[s][l]), .table_o(and_table[s][l])
      );
    end
    for (genvar s = 0; s < int'(XorSets); s++) begin : gen_xor
      free_xor u_xor (
        .clk_i, .rst_ni, .clear_i, .en_i(1'b1),
        .valid_i(there && !ands_i && xor_now == XorWidth'(s)), .copy_i(1'b0), .invert_i(1'b0),
        .a_i(a), .b_i(b), .delta_i('0), .valid_o(xor_valid[s][l]), .label_o(xor_label[s][l])
      );
    end
  end

  // Every group uses lane 0. At most one set of XOR cells has results in a clock cycle.
  always_comb begin
    ands_done = and_valid[and_out_q][0];
    xors_done = 1'b0;
    for (int unsigned s = 0; s < XorSets; s++) xors_done |= xor_valid[s][0];
    label_o = and_label[and_out_q];
    if (xors_done) begin
      label_o = '0;
      for (int unsigned s = 0; s < XorSets; s++) begin
        label_o |= xor_label[s] & {128 * Lanes{xor_valid[s][0]}};
      end
    end
  end
  assign valid_o = ands_done || xors_done;
  assign table_o = and_table[and_out_q];

  function automatic logic [AndWidth-1:0] after_and(input logic [AndWidth-1:0] set);
    after_and = 32'(set) + 1 == AndSets ? '0 : set + 1'b1;
  endfunction

  // A batch's first group is taken only when no group is in progress.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {and_q, and_out_q, xor_q} <= '0;
    else if (clear_i) {and_q, and_out_q, xor_q} <= '0;
    else begin
      if (valid_i && ands_i) and_q <= after_and(and_now);
      if (valid_i && first_i) and_out_q <= '0;
      else if (ands_done) and_out_q <= after_and(and_out_q);
      if (valid_i && !ands_i) xor_q <= 32'(xor_now) + 1 == XorSets ? '0 : xor_now + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(valid_i && !ready_o)) else $error("overlay_execute: a gate for a busy cell");
      assert (!(ands_done && xors_done)) else $error("overlay_execute: ANDs and XORs at once");
      assert (and_valid == '0 || ands_done) else $error("overlay_execute: results out of order");
    end
  end
  if (Ands % Lanes != 0 || Xors % Lanes != 0) begin : gen_wrong
    $error("overlay_execute: cells are multiples of Lanes");
  end
`endif

  logic unused;
  assign unused = ^commands_i;

endmodule
