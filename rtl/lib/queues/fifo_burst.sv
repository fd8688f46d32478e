// SPDX-License-Identifier: MIT OR Apache-2.0

// A queue that takes and gives several entries per cycle: for example, it takes bursts of words and
// gives single words, or takes single tables and gives bursts of two.
//
// | port    | width           | meaning                                                        |
// |---------|-----------------|----------------------------------------------------------------|
// | clear_i | 1               | empties the queue at the end of the cycle; overrides push and pop |
// | push_i  | PushWidth       | number of entries of data_i that are pushed, 0 to MaxPush      |
// | data_i  | MaxPush x Width | the entries to push, entry 0 first                             |
// | pop_i   | PopWidth        | entries that are removed at the end of the cycle, up to MaxPop |
// | data_o  | MaxPop x Width  | the first entries, the head at index 0; undefined from index   |
// |         |                 | level_o on                                                     |
// | level_o | LevelWidth      | number of entries, from a register                             |
//
// Latency: an entry pushed in c can be read and removed in c + 1.
// Stalls: nothing. level_o plus push_i must not exceed Depth, even if entries are removed in the
// same cycle. Entries are spread over lanes: the greater of MaxPush and MaxPop, rounded up to a
// power of two. Each lane is a ram_queue, which a reset does not wipe.

module fifo_burst #(
  parameter int unsigned Width   = 32,
  parameter int unsigned Depth   = 32,
  parameter int unsigned MaxPush = 16,
  parameter int unsigned MaxPop  = 1,
  localparam int unsigned LevelWidth = $clog2(Depth + 1),
  localparam int unsigned PushWidth  = $clog2(MaxPush + 1),
  localparam int unsigned PopWidth   = $clog2(MaxPop + 1)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           clear_i,

  input  logic [PushWidth-1:0]           push_i,
  input  logic [MaxPush-1:0][Width-1:0]  data_i,

  input  logic [PopWidth-1:0]            pop_i,
  output logic [MaxPop-1:0][Width-1:0]   data_o,

  output logic [LevelWidth-1:0]          level_o
);

  // Entry i of the queue is in lane i mod Lanes. The row indices of all lanes wrap around together.
  localparam int unsigned Widest    = MaxPush > MaxPop ? MaxPush : MaxPop;
  localparam int unsigned LaneWidth = Widest > 1 ? $clog2(Widest) : 1;
  localparam int unsigned Lanes     = 2 ** LaneWidth;
  localparam int unsigned Rows      = (Depth + Lanes - 1) / Lanes;
  localparam int unsigned RowWidth  = Rows > 1 ? $clog2(Rows) : 1;
  localparam logic [RowWidth-1:0] LastRow = RowWidth'(Rows - 1);

  typedef struct packed {
    logic [RowWidth-1:0]  row;
    logic [LaneWidth-1:0] lane;
  } pointer_t;

  pointer_t head_d, head_q, tail_q;
  logic [LevelWidth-1:0] level_q;
  logic [Lanes-1:0][Width-1:0] lane_out;

  function automatic logic [RowWidth-1:0] next_row(input logic [RowWidth-1:0] row);
    next_row = row == LastRow ? '0 : row + 1'b1;
  endfunction

  // The row of the entry `by` positions after `from`. It is the same row or the next one.
  function automatic logic [RowWidth-1:0] row_at(input pointer_t from, input logic [LaneWidth:0] by);
    logic [LaneWidth:0] sum;
    sum = {1'b0, from.lane} + by;
    row_at = sum[LaneWidth] ? next_row(from.row) : from.row;
  endfunction

  function automatic pointer_t advance(input pointer_t from, input logic [LaneWidth:0] by);
    advance.row  = row_at(from, by);
    advance.lane = from.lane + by[LaneWidth-1:0];
  endfunction

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam logic [LaneWidth-1:0] Lane = LaneWidth'(l);
    logic [LaneWidth-1:0] nth;
    logic [Width-1:0] data;
    logic write;

    // Index, among the pushed entries, of the entry that goes to this lane.
    assign nth   = Lane - tail_q.lane;
    assign write = (PushWidth + LaneWidth)'(nth) < (PushWidth + LaneWidth)'(push_i);

    always_comb begin
      data = '0;
      for (int unsigned i = 0; i < MaxPush; i++) begin
        if (nth == LaneWidth'(i)) data = data_i[i];
      end
    end

    // Each lane reads the row of its first entry, counted from the head of the queue.
    ram_queue #(.Width(Width), .Depth(Rows)) u_entries (
      .clk_i, .we_i(write), .waddr_i(row_at(tail_q, {1'b0, nth})), .wdata_i(data),
      .addr_i(row_at(head_q, {1'b0, LaneWidth'(Lane - head_q.lane)})),
      .next_i(row_at(head_d, {1'b0, LaneWidth'(Lane - head_d.lane)})),
      .moves_i(pop_i != '0 || clear_i), .data_o(lane_out[l])
    );
  end

  for (genvar i = 0; i < MaxPop; i++) begin : gen_out
    assign data_o[i] = lane_out[LaneWidth'(head_q.lane + LaneWidth'(i))];
  end

  assign level_o = level_q;
  assign head_d  = clear_i ? '0 : advance(head_q, (LaneWidth + 1)'(pop_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      level_q <= '0;
    end else begin
      head_q  <= head_d;
      tail_q  <= clear_i ? '0 : advance(tail_q, (LaneWidth + 1)'(push_i));
      level_q <= clear_i ? '0 : level_q + LevelWidth'(push_i) - LevelWidth'(pop_i);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (32'(push_i) <= MaxPush) else $error("fifo_burst: more pushed than MaxPush");
      assert (32'(pop_i) <= MaxPop) else $error("fifo_burst: more popped than MaxPop");
      assert (32'(level_q) + 32'(push_i) <= Depth) else $error("fifo_burst: push without free space");
      assert (32'(pop_i) <= 32'(level_q)) else $error("fifo_burst: pop of more entries than there are");
    end
  end
`endif

endmodule
