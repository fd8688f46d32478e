// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of fifo_async, with any two clocks. One entry of each 64 is watched: any may be
// chosen.
//
// Clocks are free inputs: an edge of either, of both or of none may come in a step of the proof.

module fifo_async_proof #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4,
  localparam int unsigned PointerWidth = $clog2(Depth) + 1
) (
  input logic             from_clk_i,
  input logic             to_clk_i,
  input logic             release_i,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic [5:0]       pick_i
);

  typedef logic [PointerWidth-1:0] pointer_t;

  // The reset ends at some edge of release_i.
  logic rst_n = 1'b0;
  always_ff @(posedge release_i) rst_n <= 1'b1;

  logic ready, valid;
  logic [Width-1:0] data;
  fifo_async #(.Width(Width), .Depth(Depth)) u_dut (
    .from_clk_i, .to_clk_i, .rst_ni(rst_n), .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i,
    .data_o(data)
  );

  // The number of entries accepted and removed, and the watched entry.
  logic [5:0] in_q, out_q, watch_q;
  logic [Width-1:0] watched_q;
  pointer_t tail_before_q, head_before_q;
  always_ff @(posedge from_clk_i or negedge rst_n) begin
    if (!rst_n) begin
      in_q          <= '0;
      tail_before_q <= '0;
    end else begin
      in_q          <= in_q + 6'(valid_i && ready);
      tail_before_q <= u_dut.tail_gray_q;
    end
  end
  always_ff @(posedge from_clk_i) begin
    if (!rst_n) watch_q <= pick_i;
    if (valid_i && ready && in_q == watch_q) watched_q <= data_i;
  end
  always_ff @(posedge to_clk_i or negedge rst_n) begin
    if (!rst_n) begin
      out_q         <= '0;
      head_before_q <= '0;
    end else begin
      out_q         <= out_q + 6'(valid && ready_i);
      head_before_q <= u_dut.head_gray_q;
    end
  end

  function automatic logic one_bit(input pointer_t a, input pointer_t b);
    one_bit = ((a ^ b) & ((a ^ b) - 1'b1)) == '0;
  endfunction

  function automatic pointer_t binary(input pointer_t gray);
    binary = gray;
    for (int unsigned i = 1; i < PointerWidth; i++) binary ^= gray >> i;
  endfunction

  // Distances from the oldest view of the head to the tail itself, through all synchronisers.
  pointer_t [4:0] distance;
  logic [31:0] total;
  always_comb begin
    distance[0] = binary(u_dut.head_meta_q) - binary(u_dut.head_seen_q);
    distance[1] = u_dut.head_q - binary(u_dut.head_meta_q);
    distance[2] = binary(u_dut.tail_seen_q) - u_dut.head_q;
    distance[3] = binary(u_dut.tail_meta_q) - binary(u_dut.tail_seen_q);
    distance[4] = u_dut.tail_q - binary(u_dut.tail_meta_q);
    total = 0;
    for (int i = 0; i < 5; i++) total += 32'(distance[i]);
  end

  always_comb begin
    if (rst_n) begin
      gray: assert (one_bit(u_dut.tail_gray_q, tail_before_q) && one_bit(u_dut.head_gray_q, head_before_q));
      never_pass: assert (6'(in_q - out_q) <= 6'(Depth) && (!valid || in_q != out_q)
                          && (!ready || 6'(in_q - out_q) < 6'(Depth)));
      order: assert (!valid || out_q != watch_q || data == watched_q);
      inv_binary: assert (binary(u_dut.tail_gray_q) == u_dut.tail_q && binary(u_dut.head_gray_q) == u_dut.head_q);
      inv_before: assert (pointer_t'(u_dut.tail_q - binary(tail_before_q)) <= pointer_t'(1)
                          && pointer_t'(u_dut.head_q - binary(head_before_q)) <= pointer_t'(1));
      inv_counts: assert (pointer_t'(in_q) == u_dut.tail_q && pointer_t'(out_q) == u_dut.head_q);
      inv_views: assert (total <= Depth);
      inv_kept: assert (6'(watch_q - out_q) >= 6'(in_q - out_q)
                        || u_dut.entries[watch_q[PointerWidth-2:0]] == watched_q);

      leaves: cover (valid && out_q == watch_q && watch_q == 6'd1);
      fills: cover (!ready && 6'(in_q - out_q) == 6'(Depth));
    end
  end

endmodule
