// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_credit, with any requests and constants that are stable.

module haac_credit_proof #(
  parameter int unsigned MaxLabels = 2,
  parameter int unsigned MaxBursts = 2
) (
  input logic        clk_i,
  input logic        clear_i,
  input logic        run_i,
  input logic [31:0] step_i,
  input logic [3:0]  byte_i,
  input logic [31:0] cap_i,
  input logic [7:0]  labels_i,
  input logic [7:0]  bursts_i
);

  localparam logic [6:0] WireBytes = 7'd16;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [7:0] labels, bursts;
  logic bound;
  haac_credit #(.MaxLabels(MaxLabels), .MaxBursts(MaxBursts)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .run_i, .step_i, .byte_i(32'(byte_i)), .cap_i,
    .wire_bytes_i(WireBytes), .labels_i, .bursts_i, .labels_o(labels), .bursts_o(bursts),
    .bound_o(bound)
  );

  // The constants, and for how many cycles they have been stable without run_i.
  logic [67:0] constants, constants_q;
  logic [1:0] stable_q;
  assign constants = {step_i, byte_i, cap_i};
  always_ff @(posedge clk_i) begin
    constants_q <= constants;
    if (!rst_n) stable_q <= '0;
    else if (!run_i && stable_q != 2'd2) stable_q <= stable_q + 1'b1;
  end

  // The credit with this cycle's step, and the price of what it covers.
  logic [39:0] credit, spent;
  logic [7:0] paid_labels, paid_bursts;
  always_comb begin
    credit = u_dut.credit_q + 40'(step_i);
    if (credit > 40'(cap_i)) credit = 40'(cap_i);
    paid_labels = labels_i < labels ? labels_i : labels;
    paid_bursts = bursts_i < bursts ? bursts_i : bursts;
    spent = 40'(paid_labels) * 40'(byte_i) * WireBytes + 40'(paid_bursts) * 40'(byte_i) * 64;
  end
  // What the credit must be in this cycle.
  logic checks_q;
  logic [39:0] left_q;
  always_ff @(posedge clk_i) begin
    checks_q <= rst_n && run_i && !clear_i && step_i != '0;
    left_q   <= credit - spent;
  end

  always_comb begin
    assume (32'(labels_i) <= MaxLabels && 32'(bursts_i) <= MaxBursts);
    if (rst_n) begin
      assume (constants == constants_q);
      assume (stable_q == 2'd2 || !run_i);

      above_zero: assert (!(run_i && step_i != '0) || spent <= credit);
      below_cap: assert (u_dut.credit_q <= 40'(cap_i));
      paid: assert (!checks_q || u_dut.credit_q == left_q);
      reports_bound: assert (!(run_i && step_i != '0)
                          || bound == (labels_i > labels || bursts_i > bursts));
      inv_space: assert (stable_q == 0 || (u_dut.space_q == 40'(cap_i) - 40'(step_i)
                         && u_dut.full_q == (cap_i < step_i)
                         && u_dut.label_price_q == 40'(byte_i) * WireBytes));

      spends: cover (run_i && labels_i == 8'(MaxLabels) && bursts_i == 8'(MaxBursts) && !bound && spent != 0 && checks_q);
      bounds: cover (run_i && bound && labels_i == 8'd2 && labels == 8'd1 && byte_i != '0);
      capped: cover (run_i && u_dut.credit_q == 40'(cap_i) && cap_i > step_i && step_i != '0);
    end
  end
  for (genvar k = 0; k <= MaxLabels; k++) begin : gen_labels
    always_comb if (rst_n && stable_q == 2'd2) inv_labels: assert (u_dut.labels_price_q[k] == 40'(byte_i) * WireBytes * k);
  end
  for (genvar j = 0; j <= MaxBursts; j++) begin : gen_bursts
    always_comb if (rst_n && stable_q != '0) inv_bursts: assert (u_dut.bursts_price_q[j] == 40'(byte_i) * 64 * j);
  end

endmodule
