// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of reset_sync, with a reset that may fall and rise at any time.

module reset_sync_proof #(
  parameter int unsigned Stages = 3
) (
  input logic clk_i,
  input logic rst_ni
);

  logic rst_n;
  reset_sync #(.Stages(Stages)) u_dut (.clk_i, .rst_ni, .rst_no(rst_n));

  // Clock edges since the reset rose, up to Stages.
  logic [31:0] edges_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)               edges_q <= '0;
    else if (edges_q < Stages) edges_q <= edges_q + 1;
  end

  // Every run begins with a reset.
  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;

  always_comb begin
    assume (begun_q || !rst_ni);

    at_once: assert (rst_ni || !rst_n);
    with_clock: assert (rst_n == (rst_ni && edges_q == Stages));
    inv_stages: assert (!begun_q || edges_q <= Stages);
    inv_chain: assert (!begun_q || u_dut.sync_q == (rst_ni ? Stages'((1 << edges_q) - 1) : '0));

    released: cover (begun_q && rst_n);
    again: cover (begun_q && !rst_ni && edges_q == 0);
  end

endmodule
