// SPDX-License-Identifier: MIT OR Apache-2.0

// A queue of bursts that arrive striped over several ports. The first Heads bursts can be read, and
// taken, together. A burst counts only once it is shown.
//
// | port    | width            | meaning                                                       |
// |---------|------------------|---------------------------------------------------------------|
// | clear_i | 1                | empties the queue; with Wipe then overwrites entries by 0     |
// | wiping_o | 1               | entries are being overwritten: nothing may be pushed          |
// | push_i  | NumPorts         | a burst arrives: the port's j-th is burst j * NumPorts + port |
// | burst_i | NumPorts x 512   | the arriving bursts                                           |
// | show_i  | 8                | bursts that start to count in the next cycle                  |
// | pop_i   | 8                | bursts taken at the end of this cycle, Heads at most          |
// | head_o  | Heads x 512      | the first bursts; undefined from index level_o on             |
// | level_o | 16               | bursts shown and not taken, as registered                     |
//
// Latency: a burst pushed and shown in c can be read and taken in c + 1. Stalls: none; bursts are
// requested only if there is space for them.
//
//            port 0 ──► lane 0 ──┐            burst k lies in lane k mod Lanes, so that the first
//            port 1 ──► lane 1 ──┤  rotated   Heads bursts are at the heads of different lanes and
//            port 0 ──► lane 2 ──┼──────────► each lane takes and gives at most one per cycle
//            port 1 ──► lane 3 ──┘  head_o

module haac_burst_queue
  import haac_isa_pkg::*;
#(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned Heads    = 2,
  parameter int unsigned Depth    = 36,
  parameter bit          Wipe     = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  output logic wiping_o,

  input  logic [NumPorts-1:0]                 push_i,
  input  logic [NumPorts-1:0][BurstWidth-1:0] burst_i,
  input  logic [7:0]                          show_i,

  input  logic [7:0]                          pop_i,
  output logic [Heads-1:0][BurstWidth-1:0]    head_o,
  output logic [15:0]                         level_o
);

  // Lanes of one port take turns.
  localparam int unsigned Turns     = (Heads + NumPorts - 1) / NumPorts;
  localparam int unsigned Lanes     = NumPorts * Turns;
  localparam int unsigned LaneDepth = (Depth + Lanes - 1) / Lanes;
  localparam int unsigned TurnWidth = Turns > 1 ? $clog2(Turns) : 1;
  localparam int unsigned HeadWidth = $clog2(2 * Lanes + 1);

  logic [Lanes-1:0][BurstWidth-1:0] lane_head;
  logic [Lanes-1:0] lane_push, lane_pop;
  logic [NumPorts-1:0][TurnWidth-1:0] turn_q;
  logic [HeadWidth-1:0] head_q, head_d;
  logic [15:0] level_q;
  logic lanes_clear, zeros;
  // Levels count the bursts shown. More bursts may be present: memory may push before the show.
  logic [Lanes-1:0][$clog2(LaneDepth + 1)-1:0] unused_levels;
  logic [Lanes-1:0] unused_empty, unused_full;

  // Brings a lane number from 0 to 2 Lanes - 1 back below Lanes.
  function automatic logic [HeadWidth-1:0] wrapped(input logic [HeadWidth-1:0] lane);
    wrapped = lane >= HeadWidth'(Lanes) ? lane - HeadWidth'(Lanes) : lane;
  endfunction

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Port = l % NumPorts;
    // Distance of this lane from the lane with the first burst.
    logic [HeadWidth-1:0] behind;

    assign behind       = wrapped(HeadWidth'(l + Lanes) - head_q);
    assign lane_pop[l]  = 8'(behind) < pop_i;
    assign lane_push[l] = push_i[Port] && turn_q[Port] == TurnWidth'(l / NumPorts);

    fifo #(
      .Width(BurstWidth), .Depth(LaneDepth)
    ) u_lane (
      .clk_i, .rst_ni, .clear_i(lanes_clear),
      .push_i(lane_push[l] || zeros), .data_i(zeros ? '0 : burst_i[Port]),
      .pop_i(lane_pop[l]), .data_o(lane_head[l]),
      .level_o(unused_levels[l]), .empty_o(unused_empty[l]), .full_o(unused_full[l])
    );
  end

  always_comb begin
    for (int unsigned i = 0; i < Heads; i++) begin
      head_o[i] = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (wrapped(head_q + HeadWidth'(i)) == HeadWidth'(l)) head_o[i] = lane_head[l];
      end
    end
  end

  assign head_d  = wrapped(head_q + HeadWidth'(pop_i));
  assign level_o = level_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q  <= '0;
      head_q  <= '0;
      level_q <= '0;
    end else if (clear_i) begin
      turn_q  <= '0;
      head_q  <= '0;
      level_q <= '0;
    end else begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (push_i[p]) begin
          turn_q[p] <= turn_q[p] == TurnWidth'(Turns - 1) ? '0 : turn_q[p] + 1'b1;
        end
      end
      head_q  <= head_d;
      level_q <= level_q + 16'(show_i) - 16'(pop_i);
    end
  end

  // Bursts of labels must not outlive their launch, so each lane is filled with zeros.
  if (Wipe) begin : gen_wipe
    localparam int unsigned WipeWidth = $clog2(LaneDepth + 1);
    logic [WipeWidth-1:0] left_q;
    logic last_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        left_q <= '0;
        last_q <= 1'b0;
      end else if (clear_i) begin
        left_q <= WipeWidth'(LaneDepth);
        last_q <= 1'b0;
      end else begin
        if (left_q != '0) left_q <= left_q - 1'b1;
        last_q <= left_q == WipeWidth'(1);
      end
    end

    assign zeros       = left_q != '0;
    assign wiping_o    = zeros || last_q;
    assign lanes_clear = clear_i || last_q;
  end else begin : gen_no_wipe
    assign zeros       = 1'b0;
    assign wiping_o    = 1'b0;
    assign lanes_clear = clear_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (16'(pop_i) <= level_q && 32'(pop_i) <= Heads)
        else $error("haac_burst_queue: pop beyond the level");
      assert (!(wiping_o && push_i != '0)) else $error("haac_burst_queue: push while wiping");
    end
  end
`endif

endmodule
