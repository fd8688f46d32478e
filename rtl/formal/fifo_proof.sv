// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of fifo, with any pushes and pops that its table of ports allows.
//
// One entry is watched: any entry may be chosen when it is pushed.

module fifo_proof #(
  parameter int unsigned Width = 4,
  parameter int unsigned Depth = 5,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input logic             clk_i,
  input logic             clear_i,
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             pop_i,
  input logic             watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Width-1:0] data;
  logic [LevelWidth-1:0] level;
  logic empty, full;
  fifo #(.Width(Width), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .push_i, .data_i, .pop_i, .data_o(data), .level_o(level),
    .empty_o(empty), .full_o(full)
  );

  // Pushes less pops. The watched entry, and the number of entries ahead of it.
  logic [LevelWidth-1:0] count_q, ahead_q;
  logic watching_q;
  logic [Width-1:0] watched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      count_q    <= '0;
      watching_q <= 1'b0;
    end else begin
      count_q <= count_q + LevelWidth'(push_i) - LevelWidth'(pop_i);
      if (watching_q && pop_i) begin
        ahead_q    <= ahead_q - 1'b1;
        watching_q <= ahead_q != '0;
      end
      if (!watching_q && push_i && watch_i) begin
        watching_q <= 1'b1;
        watched_q  <= data_i;
        ahead_q    <= count_q - LevelWidth'(pop_i);
      end
    end
  end

  // Places of the watched entry and of the next entry that is pushed.
  logic [31:0] place, tail;
  assign place = (32'(u_dut.head_q) + 32'(ahead_q)) % Depth;
  assign tail  = (32'(u_dut.head_q) + 32'(level)) % Depth;

  always_comb begin
    if (rst_n) begin
      assume (!(push_i && full));
      assume (!(pop_i && empty));

      order: assert (!watching_q || ahead_q != '0 || data == watched_q);
      count: assert (level == count_q);
      flags: assert (32'(level) <= Depth && full == (32'(level) == Depth) && empty == (level == '0));
      inv_pointers: assert (32'(u_dut.head_q) < Depth && 32'(u_dut.tail_q) == tail);
      inv_ahead: assert (!watching_q || ahead_q < level);

      leaves: cover (watching_q && ahead_q == '0 && pop_i && push_i);
      fills: cover (full && watching_q && 32'(ahead_q) == Depth - 1);
    end
  end

  // The watched entry is at its place, and a block RAM has read the head ahead.
  if (Depth > 16) begin : gen_block
    always_comb begin
      if (rst_n) begin
        inv_kept: assert (!watching_q || u_dut.u_entries.gen_block.u_ram.u_macro.gen_one.words[place] == watched_q);
        inv_head: assert (empty || data == u_dut.u_entries.gen_block.u_ram.u_macro.gen_one.words[u_dut.head_q]);
      end
    end
  end else begin : gen_shallow
    always_comb begin
      if (rst_n) begin
        inv_kept: assert (!watching_q || u_dut.u_entries.gen_shallow.entries[place] == watched_q);
      end
    end
  end

endmodule
