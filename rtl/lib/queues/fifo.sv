// SPDX-License-Identifier: MIT OR Apache-2.0

// A queue of any depth whose head can be read without removing it.
//
// | port    | width           | meaning                                                  |
// |---------|-----------------|----------------------------------------------------------|
// | clear_i | 1               | empties the queue at the end of the cycle; overrides push and pop |
// | push_i  | 1               | data_i becomes the last entry; not while full_o          |
// | data_i  | Width           | the entry to push                                        |
// | pop_i   | 1               | removes the head at the end of the cycle; not while empty_o |
// | data_o  | Width           | the head; undefined while empty_o                        |
// | level_o | LevelWidth      | number of entries, from a register                       |
// | empty_o | 1               | level_o is 0                                             |
// | full_o  | 1               | level_o is Depth                                         |
//
// Latency: an entry pushed in c can be read and removed in c + 1.
// Stalls: nothing. A full queue accepts no push, even if its head is removed in the same cycle.
// Entries are in a ram_queue, which a reset does not wipe.

module fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,

  input  logic                  push_i,
  input  logic [Width-1:0]      data_i,

  input  logic                  pop_i,
  output logic [Width-1:0]      data_o,

  output logic [LevelWidth-1:0] level_o,
  output logic                  empty_o,
  output logic                  full_o
);

  localparam int unsigned PointerWidth = Depth > 1 ? $clog2(Depth) : 1;
  localparam logic [PointerWidth-1:0] Last = PointerWidth'(Depth - 1);

  logic [PointerWidth-1:0] head_d, head_q, tail_q;
  logic [LevelWidth-1:0] level_q;

  always_comb begin
    head_d = head_q;
    if (pop_i)   head_d = head_q == Last ? '0 : head_q + 1'b1;
    if (clear_i) head_d = '0;
  end

  ram_queue #(.Width(Width), .Depth(Depth)) u_entries (
    .clk_i, .we_i(push_i), .waddr_i(tail_q), .wdata_i(data_i),
    .addr_i(head_q), .next_i(head_d), .moves_i(pop_i || clear_i), .data_o
  );

  assign level_o = level_q;
  assign empty_o = level_q == '0;
  assign full_o  = level_q == LevelWidth'(Depth);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      level_q <= '0;
    end else begin
      head_q <= head_d;
      if (push_i) tail_q <= tail_q == Last ? '0 : tail_q + 1'b1;
      if (push_i && !pop_i) level_q <= level_q + 1'b1;
      if (pop_i && !push_i) level_q <= level_q - 1'b1;
      if (clear_i) begin
        tail_q  <= '0;
        level_q <= '0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(push_i && full_o)) else $error("fifo: push while full");
      assert (!(pop_i && empty_o)) else $error("fifo: pop while empty");
    end
  end
`endif

endmodule
