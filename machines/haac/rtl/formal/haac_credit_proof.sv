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

  logic [MaxLabels-1:0] labels_covered;
  logic [MaxBursts-1:0] bursts_covered;
  logic [7:0] labels, bursts;
  logic bound, shaped;
  haac_credit #(.MaxLabels(MaxLabels), .MaxBursts(MaxBursts)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .run_i, .step_i, .byte_i(32'(byte_i)), .cap_i,
    .wire_bytes_i(WireBytes), .labels_i, .bursts_i, .labels_o(labels_covered), .bursts_o(bursts_covered),
    .bound_o(bound)
  );

  // A number is covered only if each smaller one is.
  always_comb begin
    labels = '0;
    bursts = '0;
    for (int unsigned n = 0; n < MaxLabels; n++) labels += 8'(labels_covered[n]);
    for (int unsigned n = 0; n < MaxBursts; n++) bursts += 8'(bursts_covered[n]);
    shaped = (labels_covered & (labels_covered + 1'b1)) == '0
        && (bursts_covered & (bursts_covered + 1'b1)) == '0;
  end

  // The constants, and for how many cycles they have been stable without run_i.
  logic [67:0] constants, constants_q;
  logic [3:0] stable_q;
  assign constants = {step_i, byte_i, cap_i};
  always_ff @(posedge clk_i) begin
    constants_q <= constants;
    if (!rst_n) stable_q <= '0;
    else if (!run_i && stable_q != 4'd10) stable_q <= stable_q + 1'b1;
  end

  // The credit, and the price of what it covers.
  logic [39:0] credit, spent;
  logic [7:0] paid_labels, paid_bursts;
  always_comb begin
    credit = u_dut.sum_q > 40'(cap_i) ? 40'(cap_i) : u_dut.sum_q;
    paid_labels = labels_i < labels ? labels_i : labels;
    paid_bursts = bursts_i < bursts ? bursts_i : bursts;
    spent = 40'(paid_labels) * 40'(byte_i) * WireBytes + 40'(paid_bursts) * 40'(byte_i) * 64;
  end
  // What the credit must be in this cycle.
  logic checks_q;
  logic [39:0] left_q;
  always_ff @(posedge clk_i) begin
    checks_q <= rst_n && run_i && !clear_i && step_i != '0;
    left_q   <= credit - spent + 40'(step_i);
  end

  always_comb begin
    assume (32'(labels_i) <= MaxLabels && 32'(bursts_i) <= MaxBursts);
    if (rst_n) begin
      assume (constants == constants_q);
      assume (stable_q == 4'd10 || !run_i);

      above_zero: assert (!(run_i && step_i != '0) || spent <= credit);
      below_cap: assert (stable_q < 2 || u_dut.credit <= 40'(cap_i));
      paid: assert (!checks_q || u_dut.sum_q == left_q);
      reports_bound: assert (!(run_i && step_i != '0)
                          || bound == (labels_i > labels || bursts_i > bursts));
      in_order: assert (!(run_i && step_i != '0) || shaped);
      inv_small: assert (stable_q == 0 || (u_dut.off_q == (step_i == '0) && u_dut.step_q == step_i
                         && u_dut.part_q[0] == 40'(byte_i) * 40'(WireBytes[1:0])
                         && u_dut.part_q[1] == 40'(byte_i) * 40'(WireBytes[3:2])
                         && u_dut.part_q[2] == 40'(byte_i) * 40'(WireBytes[5:4])
                         && u_dut.part_q[3] == 40'(byte_i) * 40'(WireBytes[6])));
      inv_halves: assert (stable_q < 2 || (u_dut.few_q == 40'(byte_i) * 40'(WireBytes[3:0])
                          && u_dut.many_q == 40'(byte_i) * 40'(WireBytes[6:4])));
      inv_price: assert (stable_q < 3 || u_dut.label_price_q == 40'(byte_i) * WireBytes);
      inv_over: assert (stable_q < 2 || u_dut.over_q == (u_dut.sum_q > 40'(cap_i)));
      inv_sum: assert (u_dut.sum_q <= 40'(cap_i) + 40'(step_i));

      spends: cover (run_i && labels_i == 8'(MaxLabels) && bursts_i == 8'(MaxBursts) && !bound && spent != 0 && checks_q);
      bounds: cover (run_i && bound && labels_i == 8'd2 && labels == 8'd1 && byte_i != '0);
      capped: cover (run_i && u_dut.over_q && cap_i > step_i && step_i != '0);
    end
  end
  for (genvar k = 1; k <= MaxLabels; k++) begin : gen_labels
    logic [39:0] cost;
    assign cost = 40'(byte_i) * WireBytes * k;
    always_comb begin
      if (rst_n && stable_q >= 4) inv_labels: assert (u_dut.labels_price[k] == cost);
      if (rst_n && stable_q >= 5) begin
        inv_never: assert (u_dut.never_q[k] == (cost > 40'(cap_i)));
      end
      if (rst_n && stable_q >= 6) begin
        inv_covers: assert (u_dut.covers_q[k] == (step_i == '0 || credit >= cost));
      end
    end
  end
  for (genvar j = 0; j <= MaxBursts; j++) begin : gen_bursts
    always_comb begin
      if (rst_n && stable_q != '0) inv_bursts: assert (u_dut.bursts_price[j] == 40'(byte_i) * 64 * j);
      if (rst_n && stable_q >= 2) begin
        inv_low: assert (u_dut.low_q[j] == 21'(step_i[19:0]) - 21'(20'(40'(byte_i) * 64 * j)));
      end
      if (rst_n && stable_q >= 3) inv_gain: assert (u_dut.gain_q[j] == 40'(step_i) - 40'(byte_i) * 64 * j);
    end
  end

endmodule
