// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_show, with responses and due requests in any cycles.

module haac_show_proof #(
  parameter int unsigned Most = 5
) (
  input logic clk_i,
  input logic clear_i,
  input logic due_i,
  input logic come_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic show, late;
  haac_show #(.Most(Most)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .due_i, .come_i, .show_o(show), .late_o(late)
  );

  // Requests due, responses that have arrived, and responses shown, with this cycle's.
  logic [31:0] due_q, come_q, shown_q, due, come, shown;
  assign due   = due_q + 32'(due_i);
  assign come  = come_q + 32'(come_i);
  assign shown = shown_q + 32'(show);
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) {due_q, come_q, shown_q} <= '0;
    else {due_q, come_q, shown_q} <= {due, come, shown};
  end

  always_comb begin
    if (rst_n) begin
      assume (due - shown_q <= Most && come - shown_q <= Most);

      not_early: assert (!show || (due != shown_q && come != shown_q));
      at_once: assert (show || due == shown_q || come == shown_q);
      reports_late: assert (late == (due != shown_q && come == shown_q));
      inv_counts: assert (32'(u_dut.due_q) == due_q - shown_q && 32'(u_dut.come_q) == come_q - shown_q
                          && due_q - shown_q <= Most && come_q - shown_q <= Most);

      shows: cover (show && shown_q == 2 && come == 4);
      lags: cover (late && due - shown_q == 3);
    end
  end

endmodule
