// SPDX-License-Identifier: MIT OR Apache-2.0

// Holds groups from their entry into the cells until they are written: first their commands, then
// their results, in the same order. A group enters the cells only if there is a free entry here, so
// the cells never wait.
//
// | port    | width       | meaning                                                           |
// |---------|-------------|-------------------------------------------------------------------|
// | clear_i | 1           | removes all groups                                                |
// | wipe_i  | 1           | wipes the labels of entry wipe_entry_i, and does nothing else     |
// | delta_i | 128         | Δ                                                                 |
// | full_o  | 1           | there is no free entry                                            |
// | enter_i | 1           | a group enters the cells: ands_i, last_i, count_i, commands_i     |
// | done_i  | 1           | label_i and table_i are results of the oldest group that has none |
// | valid_o | 1           | the oldest group has its results                                  |
// | take_i  | 1           | removes the oldest group                                          |
// | label_o | Lanes x 128 | labels of the oldest group, with inversions applied               |
//
// Latency: results that arrive in clock cycle c are available in c + 1. Stalls: full_o.

module overlay_results
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes = 1,
  parameter int unsigned Depth = 64,
  localparam int unsigned DepthWidth = $clog2(Depth),
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            clear_i,
  input  logic                            wipe_i,
  input  logic [DepthWidth-1:0]           wipe_entry_i,
  input  logic [127:0]                    delta_i,

  output logic                            full_o,
  input  logic                            enter_i,
  input  logic                            ands_i,
  input  logic                            last_i,
  input  logic [CountWidth-1:0]           count_i,
  // The places of operands are not used here.
  input  command_t [Lanes-1:0]            commands_i,

  input  logic                            done_i,
  input  logic [Lanes-1:0][127:0]         label_i,
  input  logic [Lanes-1:0][255:0]         table_i,

  output logic                            valid_o,
  input  logic                            take_i,
  output logic                            ands_o,
  output logic                            last_o,
  output logic [CountWidth-1:0]           count_o,
  output overlay_pkg::place_t [Lanes-1:0] places_o,
  output logic [Lanes-1:0][63:0]          numbers_o,
  output logic [Lanes-1:0][127:0]         label_o,
  output logic [Lanes-1:0][255:0]         table_o
);

  typedef struct packed {
    logic ands;
    logic last;
    logic [CountWidth-1:0] count;
    overlay_pkg::place_t [Lanes-1:0] places;
    logic [Lanes-1:0][63:0] numbers;
  } about_t;

  about_t about [Depth];
  logic [Lanes-1:0][127:0] labels [Depth];
  logic [Lanes-1:0][255:0] tables [Depth];
  about_t entering;
  // Indices of the oldest group, the oldest group without results, and the next free entry.
  logic [DepthWidth-1:0] head_q, done_q, tail_q;
  logic [DepthWidth:0] level_q, ready_q;

  assign full_o  = 32'(level_q) == Depth;
  assign valid_o = ready_q != '0;
  assign {ands_o, last_o, count_o, places_o, numbers_o} = about[head_q];
  assign table_o = tables[head_q];
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    assign label_o[l] = labels[head_q][l] ^ (delta_i & {128{places_o[l].invert}});
    assign entering.places[l]  = commands_i[l].out;
    assign entering.numbers[l] = commands_i[l].number;
  end
  assign {entering.ands, entering.last, entering.count} = {ands_i, last_i, count_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {head_q, done_q, tail_q, level_q, ready_q} <= '0;
    else if (clear_i) {head_q, done_q, tail_q, level_q, ready_q} <= '0;
    else begin
      if (enter_i) tail_q <= tail_q + 1'b1;
      if (done_i) done_q <= done_q + 1'b1;
      if (take_i) head_q <= head_q + 1'b1;
      level_q <= level_q + (DepthWidth + 1)'(enter_i) - (DepthWidth + 1)'(take_i);
      ready_q <= ready_q + (DepthWidth + 1)'(done_i) - (DepthWidth + 1)'(take_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (enter_i) about[tail_q] <= entering;
    if (wipe_i) labels[wipe_entry_i] <= '0;
    else if (done_i) labels[done_q] <= label_i;
    if (done_i) tables[done_q] <= table_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(enter_i && full_o)) else $error("overlay_results: a group enters a full queue");
      assert (!(done_i && level_q == ready_q)) else $error("overlay_results: results without a group");
      assert (!(take_i && !valid_o)) else $error("overlay_results: a group is taken too early");
    end
  end
`endif

  logic unused;
  assign unused = ^commands_i;

endmodule
