// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of fifo_burst, with any pushes and pops that its table of ports allows.
//
// One entry is watched: any entry may be chosen when it is pushed.

module fifo_burst_proof #(
  parameter int unsigned Width   = 2,
  parameter int unsigned Depth   = 6,
  parameter int unsigned MaxPush = 2,
  parameter int unsigned MaxPop  = 2,
  localparam int unsigned LevelWidth = $clog2(Depth + 1),
  localparam int unsigned PushWidth  = $clog2(MaxPush + 1),
  localparam int unsigned PopWidth   = $clog2(MaxPop + 1)
) (
  input logic                          clk_i,
  input logic                          clear_i,
  input logic [PushWidth-1:0]          push_i,
  input logic [MaxPush-1:0][Width-1:0] data_i,
  input logic [PopWidth-1:0]           pop_i,
  input logic                          watch_i,
  input logic [PushWidth-1:0]          which_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [MaxPop-1:0][Width-1:0] data;
  logic [LevelWidth-1:0] level;
  fifo_burst #(.Width(Width), .Depth(Depth), .MaxPush(MaxPush), .MaxPop(MaxPop)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .push_i, .data_i, .pop_i, .data_o(data), .level_o(level)
  );

  // Pushes less pops. The watched entry, and the number of entries ahead of it.
  logic [31:0] count_q, ahead_q;
  logic watching_q;
  logic [Width-1:0] watched_q, chosen;
  always_comb begin
    chosen = '0;
    for (int unsigned i = 0; i < MaxPush; i++) if (32'(which_i) == i) chosen = data_i[i];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      count_q    <= '0;
      watching_q <= 1'b0;
    end else begin
      count_q <= count_q + 32'(push_i) - 32'(pop_i);
      if (watching_q) begin
        ahead_q    <= ahead_q - 32'(pop_i);
        watching_q <= ahead_q >= 32'(pop_i);
      end else if (watch_i && which_i < push_i) begin
        watching_q <= 1'b1;
        watched_q  <= chosen;
        ahead_q    <= count_q + 32'(which_i) - 32'(pop_i);
      end
    end
  end

  // Places are numbered row by row.
  localparam int unsigned Lanes  = 2 ** $clog2(MaxPush > MaxPop ? MaxPush : MaxPop);
  localparam int unsigned Places = (Depth + Lanes - 1) / Lanes * Lanes;
  logic [31:0] head, tail, place;
  assign head  = 32'(u_dut.head_q.row) * Lanes + 32'(u_dut.head_q.lane);
  assign tail  = 32'(u_dut.tail_q.row) * Lanes + 32'(u_dut.tail_q.lane);
  assign place = (head + ahead_q) % Places;

  always_comb begin
    if (rst_n) begin
      assume (32'(push_i) <= MaxPush && 32'(level) + 32'(push_i) <= Depth);
      assume (32'(pop_i) <= MaxPop && 32'(pop_i) <= 32'(level));

      count: assert (32'(level) == count_q && count_q <= Depth);
      inv_pointers: assert (head < Places && tail == (head + count_q) % Places);
      inv_ahead: assert (!watching_q || ahead_q < count_q);

      leaves: cover (watching_q && ahead_q == 1 && 32'(pop_i) == MaxPop && 32'(push_i) == MaxPush);
      fills: cover (32'(level) == Depth && watching_q && ahead_q == Depth - 1);
    end
  end
  for (genvar i = 0; i < MaxPop; i++) begin : gen_order
    always_comb begin
      if (rst_n) order: assert (!watching_q || ahead_q != i || data[i] == watched_q);
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    always_comb begin
      if (rst_n && watching_q && place % Lanes == l) begin
        inv_kept: assert (u_dut.gen_lane[l].u_entries.gen_shallow.entries[place/Lanes] == watched_q);
      end
    end
  end

endmodule
