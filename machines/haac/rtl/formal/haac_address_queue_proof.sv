// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_address_queue, with a stream of any length whose bursts are requested, pushed
// and shown in any cycles. One burst is watched: any may be chosen when it is pushed.

module haac_address_queue_proof
  import haac_isa_pkg::*;
#(
  parameter int unsigned Depth = 32,
  parameter int unsigned WindowLabels = 64,
  localparam int unsigned HalfBits = $clog2(WindowLabels) - 1,
  localparam int unsigned HalfWidth = AddressWidth - HalfBits,
  localparam int unsigned LevelWidth = $clog2(Depth + 1),
  localparam int unsigned Bursts = 2 + (Depth - 2) / 16
) (
  input logic                  clk_i,
  input logic                  clear_i,
  input logic [4:0]            request_i,
  input logic                  push_i,
  input logic [BurstWidth-1:0] burst_i,
  input logic [4:0]            show_i,
  input logic                  pop_i,
  input logic                  watch_i,
  input logic [AddressWidth-1:0] first_output_i,
  input logic                  advances_i
);

  // Numbers of words in the stream. They wrap at 256.
  typedef logic [7:0] number_t;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  oor_word_t head;
  logic in_memory;
  logic [LevelWidth-1:0] level, taken;
  logic [HalfWidth-1:0] complete_q;
  haac_address_queue #(.Depth(Depth), .WindowLabels(WindowLabels)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .request_i, .push_i, .burst_i, .show_i, .pop_i, .first_output_i,
    .complete_i(complete_q), .advances_i, .head_o(head), .in_memory_o(in_memory), .level_o(level),
    .taken_o(taken)
  );

  // Halves become complete one after the other; the first output does not change.
  logic [AddressWidth-1:0] first_output_q;
  always_ff @(posedge clk_i) begin
    first_output_q <= first_output_i;
    if (!rst_n || clear_i) complete_q <= first_output_i[AddressWidth-1:HalfBits];
    else complete_q <= complete_q + HalfWidth'(advances_i);
  end

  // Words requested, pushed (16 for each burst), shown and popped; whether the last burst, which
  // may be shorter, was requested. The watched burst and the number of its first word.
  number_t requested_q, pushed_q, shown_q, popped_q, watched_q;
  logic last_q, watching_q;
  logic [15:0][31:0] burst_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      {requested_q, pushed_q, shown_q, popped_q} <= '0;
      {last_q, watching_q} <= '0;
    end else begin
      requested_q <= requested_q + number_t'(request_i);
      pushed_q    <= pushed_q + (push_i ? number_t'(16) : number_t'(0));
      shown_q     <= shown_q + number_t'(show_i);
      popped_q    <= popped_q + number_t'(pop_i);
      last_q      <= last_q || (request_i != '0 && request_i != 5'd16);
      if (watching_q && pop_i && popped_q == number_t'(watched_q + number_t'(15))) watching_q <= 1'b0;
      if (!watching_q && watch_i && push_i) begin
        watching_q <= 1'b1;
        watched_q  <= pushed_q;
        burst_q    <= burst_i;
      end
    end
  end

  // Distances from the first word of the first burst.
  number_t first, requested, pushed, shown, watched, requested_now;
  assign first     = popped_q & number_t'(8'hf0);
  assign requested = requested_q - first;
  assign pushed    = pushed_q - first;
  assign shown     = shown_q - first;
  assign watched   = watched_q - first;
  assign requested_now     = requested + number_t'(request_i);

  // The watched burst's entry in the queue.
  logic [31:0] place;
  assign place = (32'(u_dut.u_bursts.head_q) + 32'(watched) / 16) % Bursts;

  always_comb begin
    if (rst_n) begin
      assume (32'(taken) + 32'(request_i) <= Depth && request_i <= 5'd16);
      assume (!last_q || request_i == '0);
      assume (!push_i || pushed < requested_now);
      // Bursts are shown whole, and not before they are pushed.
      assume (show_i == '0 || (show_i <= 5'd16 && shown < pushed + (push_i ? 8'd16 : 8'd0)
                               && (show_i == 5'd16 || shown + number_t'(show_i) == requested_now)
                               && shown + number_t'(show_i) <= requested_now));
      assume (!pop_i || level != '0);

      assume (first_output_i == first_output_q && (!advances_i || complete_q != '1));

      in_memory_known: assert (level == '0 || in_memory == (head.address < first_output_i
                               || head.address[AddressWidth-1:HalfBits] < complete_q));
      order: assert (level == '0 || !watching_q || watched != '0 || head == burst_q[popped_q[3:0]]);
      count: assert (number_t'(level) == number_t'(shown_q - popped_q)
                     && number_t'(taken) == number_t'(requested_q - popped_q));
      no_overflow: assert (!(push_i && u_dut.u_bursts.full_o) && 32'(taken) <= Depth);
      inv_order: assert (number_t'(shown_q - popped_q) <= number_t'(requested_q - popped_q)
                         && shown <= requested && shown <= pushed
                         && pushed <= ((requested + number_t'(15)) & 8'hf0));
      inv_groups: assert (shown_q[3:0] == '0 || shown_q == requested_q);
      inv_last: assert (last_q || requested_q[3:0] == '0);
      inv_index: assert (u_dut.index_q == popped_q[3:0] && pushed_q[3:0] == '0);
      inv_queue: assert (32'(u_dut.u_bursts.level_q) == 32'(pushed) / 16 && 32'(u_dut.u_bursts.head_q) < Bursts
                         && 32'(u_dut.u_bursts.tail_q) == (32'(u_dut.u_bursts.head_q) + 32'(pushed) / 16) % Bursts);
      inv_firsts: assert (32'(u_dut.u_firsts.level_q) == (pushed == '0 ? 0 : 32'(pushed) / 16 - 1)
                          && 32'(u_dut.u_firsts.head_q) < Bursts - 1
                          && 32'(u_dut.u_firsts.tail_q)
                             == (32'(u_dut.u_firsts.head_q) + 32'(u_dut.u_firsts.level_q)) % (Bursts - 1));
      inv_head: assert (pushed == '0 || head == u_dut.words[u_dut.index_q]);
      inv_known: assert (pushed == '0 || in_memory == (head.address < first_output_i
                         || head.address[AddressWidth-1:HalfBits] < complete_q));
      inv_watched: assert (!watching_q || (watched < pushed && watched_q[3:0] == '0
                           && u_dut.u_bursts.u_entries.gen_shallow.entries[place] == burst_q));

      becomes: cover (level != '0 && in_memory && head.address >= first_output_i && complete_q == HalfWidth'(3));
      leaves: cover (watching_q && pop_i && watched == '0 && popped_q == 8'd17);
      fills: cover (32'(taken) == Depth && 32'(u_dut.u_bursts.level_q) == Bursts);
      ends: cover (last_q && requested_q == popped_q && requested_q == 8'd3);
    end
  end

  for (genvar i = 1; i < Bursts; i++) begin : gen_after
    logic [31:0] at, of;
    assign at = (32'(u_dut.u_firsts.head_q) + i - 1) % (Bursts - 1);
    assign of = (32'(u_dut.u_bursts.head_q) + i) % Bursts;
    always_comb begin
      if (rst_n) begin
        inv_after: assert (32'(pushed) / 16 <= i
                           || u_dut.u_firsts.u_entries.gen_shallow.entries[at]
                              == u_dut.u_bursts.u_entries.gen_shallow.entries[of][31:0]);
      end
    end
  end

endmodule
