// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_bursts_left, with any requests up to the number that it offers.

module haac_bursts_left_proof #(
  parameter int unsigned Space = 5,
  parameter int unsigned Most  = 2
) (
  input logic        clk_i,
  input logic        clear_i,
  input logic [31:0] count_i,
  input logic [7:0]  request_i,
  input logic [7:0]  free_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [7:0] request;
  logic none;
  haac_bursts_left #(.Space(Space), .Most(Most)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .count_i, .request_i, .free_i, .request_o(request), .none_o(none)
  );

  // Bursts of the stream, requested, and in the buffer.
  logic [31:0] count_q, requested_q, held_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      count_q     <= rst_n ? count_i : '0;
      requested_q <= '0;
      held_q      <= '0;
    end else begin
      requested_q <= requested_q + 32'(request_i);
      held_q      <= held_q + 32'(request_i) - 32'(free_i);
    end
  end

  always_comb begin
    if (rst_n) begin
      assume (request_i <= request);
      assume (32'(free_i) <= held_q);

      no_overflow: assert (held_q <= Space && held_q + 32'(request) <= Space);
      not_beyond: assert (requested_q <= count_q && 32'(request) <= count_q - requested_q);
      offers: assert (none == (requested_q == count_q)
                      && (request != '0 || none || held_q == Space) && 32'(request) <= Most);
      inv_counts: assert (u_dut.left_q == count_q - requested_q && 32'(u_dut.held_q) == held_q);

      ends: cover (none && count_q == 3 && held_q == 3);
      fills: cover (held_q == Space && !none);
    end
  end

endmodule
