// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of rr_arbiter, with any requests. One request is watched: any may be chosen.

module rr_arbiter_proof #(
  parameter int unsigned Requests = 4,
  localparam int unsigned IndexWidth = Requests > 1 ? $clog2(Requests) : 1
) (
  input logic                  clk_i,
  input logic                  clear_i,
  input logic [Requests-1:0]   req_i,
  input logic                  ready_i,
  input logic [IndexWidth-1:0] watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Requests-1:0] gnt;
  logic [IndexWidth-1:0] index;
  logic valid;
  rr_arbiter #(.Requests(Requests)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .req_i, .ready_i, .gnt_o(gnt), .index_o(index), .valid_o(valid)
  );

  // The watched request, and how many others were served since it began.
  logic [IndexWidth-1:0] watched_q;
  logic [31:0] others_q;
  logic waits;
  assign waits = req_i[watched_q] && !(gnt[watched_q] && ready_i);
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watch_i;
    if (!rst_n || clear_i || !waits) others_q <= '0;
    else if (valid && ready_i) others_q <= others_q + 1;
  end

  // The request at which the search starts, and how many come before the watched one.
  logic [31:0] start, ahead;
  always_comb begin
    start = 0;
    for (int i = Requests - 1; i >= 0; i--) if (u_dut.turn_q[i]) start = i;
    ahead = (32'(watched_q) + Requests - start) % Requests;
  end

  always_comb begin
    assume (32'(watch_i) < Requests);
    if (rst_n) begin
      one_grant: assert ((gnt & (gnt - 1'b1)) == '0);
      requester: assert ((gnt & ~req_i) == '0 && valid == (req_i != '0) && valid == (gnt != '0));
      index_of: assert (!valid || gnt == Requests'(1) << index);
      fair: assert (!req_i[watched_q] || others_q < Requests - 1
                    || (others_q == Requests - 1 && gnt[watched_q]));
      inv_watched: assert (32'(watched_q) < Requests);
      inv_mask: assert ((~u_dut.turn_q & (~u_dut.turn_q + 1'b1)) == '0);
      inv_ahead: assert (others_q + ahead <= Requests - 1);

      competes: cover (req_i == '1 && others_q == Requests - 1);
      wraps: cover (valid && start > 32'(index));
    end
  end

endmodule
