// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_burst_queue: bursts that are striped over ports come out in the order of the
// stream. One burst is watched: any may be chosen when it is pushed. Four of its bits stand for
// all.

module haac_burst_queue_proof
  import haac_isa_pkg::*;
#(
  parameter int unsigned NumPorts = 2,
  parameter int unsigned Heads    = 3,
  parameter int unsigned Depth    = 8,
  localparam type burst_t = logic [BurstWidth-1:0]
) (
  input logic                   clk_i,
  input logic                   clear_i,
  input logic [NumPorts-1:0]    push_i,
  input burst_t [NumPorts-1:0]  burst_i,
  input logic [7:0]             show_i,
  input logic [7:0]             pop_i,
  input logic [NumPorts-1:0]    watch_i
);

  localparam int unsigned Turns     = (Heads + NumPorts - 1) / NumPorts;
  localparam int unsigned Lanes     = NumPorts * Turns;
  localparam int unsigned LaneDepth = (Depth + Lanes - 1) / Lanes;

  // Numbers of bursts in the stream. They wrap at 64, a multiple of the places in all lanes.
  typedef logic [5:0] number_t;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  function automatic logic [3:0] sample(input burst_t burst);
    sample = {burst[511], burst[256], burst[255], burst[0]};
  endfunction

  logic wiping;
  burst_t [Heads-1:0] head;
  logic [15:0] level;
  haac_burst_queue #(.NumPorts(NumPorts), .Heads(Heads), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .wiping_o(wiping), .push_i, .burst_i, .show_i, .pop_i,
    .head_o(head), .level_o(level)
  );

  // Each port's next burst, the first burst that is not shown, the first in the queue, and the
  // watched burst.
  number_t [NumPorts-1:0] next_q;
  number_t shown_q, first_q, watched_q;
  logic watching_q;
  logic [3:0] burst_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      for (int unsigned p = 0; p < NumPorts; p++) next_q[p] <= number_t'(p);
      shown_q    <= '0;
      first_q    <= '0;
      watching_q <= 1'b0;
    end else begin
      shown_q <= shown_q + number_t'(show_i);
      first_q <= first_q + number_t'(pop_i);
      if (watching_q && number_t'(watched_q - first_q) < number_t'(pop_i)) watching_q <= 1'b0;
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (push_i[p]) begin
          next_q[p] <= next_q[p] + number_t'(NumPorts);
          if (!watching_q && watch_i == NumPorts'(1) << p) begin
            watching_q <= 1'b1;
            watched_q  <= next_q[p];
            burst_q    <= sample(burst_i[p]);
          end
        end
      end
    end
  end

  // Distances from the first burst. The place of the watched burst.
  number_t shown, watched, lane, row;
  number_t [NumPorts-1:0] next;
  always_comb begin
    shown   = shown_q - first_q;
    watched = watched_q - first_q;
    lane    = watched_q % Lanes;
    row     = watched_q / Lanes % LaneDepth;
    for (int unsigned p = 0; p < NumPorts; p++) next[p] = next_q[p] - first_q;
  end

  always_comb begin
    if (rst_n) begin
      assume (32'(pop_i) <= Heads && pop_i <= 8'(shown) && 32'(show_i) <= Heads);

      count: assert (level == 16'(shown));
      inv_first: assert (32'(u_dut.head_q) == 32'(first_q) % Lanes);
      inv_watched: assert (!watching_q || watched < next[watched_q%NumPorts]);

      leaves: cover (watching_q && watched == 1 && pop_i == 8'd2 && push_i == '1);
      wraps: cover (watching_q && 32'(watched_q) == Depth + 1 && watched == 0 && pop_i == 8'd1);
    end
  end
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    always_comb begin
      if (rst_n) begin
        // A burst is requested only if there is space for it, and shown only after it was pushed.
        assume (!push_i[p] || 32'(next[p]) < Depth);
        assume (32'(shown) + 32'(show_i) <= 32'(next[p]) + (push_i[p] ? NumPorts : 0));

        inv_next: assert (32'(next_q[p]) % NumPorts == p && shown <= next[p]
                          && 32'(next[p]) < Depth + NumPorts
                          && 32'(u_dut.turn_q[p]) == 32'(next_q[p]) / NumPorts % Turns);
      end
    end
  end

  // How many bursts each lane has got and given.
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    number_t got, given, held;
    burst_t entry;
    assign entry = u_dut.gen_lane[l].u_lane.u_entries.gen_shallow.entries[row];
    assign got   = number_t'(next_q[l%NumPorts] + number_t'(Lanes - 1 - l)) / Lanes;
    assign given = number_t'(first_q + number_t'(Lanes - 1 - l)) / Lanes;
    assign held  = number_t'(got - given) % (64 / Lanes);
    always_comb begin
      if (rst_n) begin
        inv_lane: assert (32'(u_dut.gen_lane[l].u_lane.tail_q) == 32'(got) % LaneDepth
                          && 32'(u_dut.gen_lane[l].u_lane.head_q) == 32'(given) % LaneDepth
                          && 32'(u_dut.gen_lane[l].u_lane.level_q) == 32'(held)
                          && 32'(held) <= LaneDepth);
        inv_kept: assert (!watching_q || 32'(lane) != l || sample(entry) == burst_q);
      end
    end
  end
  for (genvar i = 0; i < Heads; i++) begin : gen_order
    always_comb begin
      if (rst_n) order: assert (!watching_q || 32'(watched) != i || sample(head[i]) == burst_q);
    end
  end

endmodule
