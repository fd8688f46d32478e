// SPDX-License-Identifier: MIT OR Apache-2.0

// Memory bandwidth: the number of requests in a cycle that the credit covers.
//
// | port             | width | meaning                                                            |
// |------------------|-------|--------------------------------------------------------------------|
// | clear_i, run_i   | 1     | clears the credit; clock enable: the cycle is counted              |
// | step_i, byte_i, cap_i | 32 | credit added per cycle, cost of a byte, cap; step 0: no limit    |
// | wire_bytes_i     | 7     | bytes of an access to a label: 64, those of a burst, at most       |
// | labels_i         | 8     | requested accesses to labels in this cycle                         |
// | bursts_i         | 8     | requested bursts, after the labels                                 |
// | labels_o         | MaxLabels | bit n: the credit covers n + 1 label accesses; from registers  |
// | bursts_o         | MaxBursts | bit n: it covers n + 1 bursts after labels_i accesses          |
// | bound_o          | 1     | the credit does not cover all requests                             |
//
// Latency: none. The constants must be stable for ten cycles before a run; changes during a run
// have no effect. Stalls: none.
//
// Credit is added first. A request has one of two prices, that of a label or that of a burst;
// labels come first. How many labels a cycle's credit covers was compared in the previous cycle.
// The credit left after them and each number of bursts is computed in parallel: its sign shows
// whether the credit suffices, and beside it, with the next step added, it is the next credit. So
// one sum and two comparisons are in series from one credit to the next.

module haac_credit #(
  parameter int unsigned MaxLabels = 8,
  parameter int unsigned MaxBursts = 12
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic run_i,
  input  logic [31:0] step_i,
  input  logic [31:0] byte_i,
  input  logic [31:0] cap_i,
  input  logic [6:0]  wire_bytes_i,
  input  logic [7:0] labels_i,
  input  logic [7:0] bursts_i,
  output logic [MaxLabels-1:0] labels_o,
  output logic [MaxBursts-1:0] bursts_o,
  output logic bound_o
);

  // A price is below 2^31 if a byte costs less than 2^25. The sum of 256 prices fits.
  localparam int unsigned Width = 40;
  localparam int unsigned Half  = Width / 2;
  typedef logic [Width-1:0] credit_t;

  // Constants of a run: prices, whether the cap is below that of k labels (never_q[k]), and what j
  // bursts leave of a step.
  credit_t [3:0] part_q;
  credit_t few_q, many_q, label_price_q, burst_price_q;
  logic [31:0] step_q;
  credit_t [MaxLabels:0] labels_price;
  credit_t [MaxBursts:0] bursts_price, gain_q;
  // The lower half of each gain with its borrow, one cycle before the upper half.
  logic [MaxBursts:0][Half:0] low_q;
  logic [MaxLabels:1] never_q;
  logic off_q;

  // The credit with this cycle's step, before the cap; whether it exceeds the cap; the numbers of
  // labels that the credit covers.
  credit_t sum_q, sum_d, next;
  logic over_q;
  logic [MaxLabels:1] covers_q;

  credit_t credit, price;
  // Whether the credit covers the labels and j bursts, and the next credit after them.
  logic [MaxBursts:0] short_of, paid;
  credit_t [MaxBursts:0] after_bursts;
  logic labels_fit;
  // Bit k: the credit covers more than k labels, or bursts.
  logic [MaxLabels:0] more;
  logic [MaxBursts:0] more_bursts;

  assign credit = over_q ? Width'(cap_i) : sum_q;

  assign labels_o    = covers_q;
  assign more        = {1'b0, covers_q};
  assign more_bursts = {1'b0, bursts_o};
  always_comb begin
    logic pays;
    price      = '0;
    labels_fit = labels_i == '0;
    for (int unsigned k = 1; k <= MaxLabels; k++) begin
      pays = labels_i >= 8'(k) && covers_q[k]
          && (labels_i == 8'(k) || !more[k]);
      price |= labels_price[k] & {Width{pays}};
      if (covers_q[k] && labels_i == 8'(k)) labels_fit = 1'b1;
    end
  end

  // Sums of three numbers in carry-save form.
  for (genvar j = 0; j <= MaxBursts; j++) begin : gen_bursts
    credit_t less, sum, carry, next_sum, next_carry;
    logic [Width:0] left;
    logic [1:0] unused;
    logic unused_left;

    // credit - price - bursts_price[j]. The top bits of the two complements add up to a carry. The
    // last bit carries the second 1 of the complements into the sum.
    assign less  = ~bursts_price[j];
    assign sum   = credit ^ ~price ^ less;
    assign carry = (credit & ~price) | (credit & less) | (~price & less);
    assign {left, unused[0]} = {1'b0, sum, 1'b1} + {carry, 2'b11};
    assign short_of[j] = left[Width];
    assign unused_left = ^left[Width-1:0];

    // credit - price + gain_q[j]
    assign next_sum   = credit ^ ~price ^ gain_q[j];
    assign next_carry = (credit & ~price) | (credit & gain_q[j]) | (~price & gain_q[j]);
    assign after_bursts[j] = next_sum + {next_carry[Width-2:0], 1'b1};
    assign unused[1] = next_carry[Width-1];
  end

  // If not all labels fit, what is left is less than the price of a label, and so of a burst.
  for (genvar j = 0; j < MaxBursts; j++) begin : gen_covers
    assign bursts_o[j] = off_q || !short_of[j+1];
  end

  // No bursts are always covered.
  logic unused_short;
  assign unused_short = short_of[0];

  // The number of bursts that are paid for, one-hot.
  always_comb begin
    paid    = '0;
    bound_o = !labels_fit;
    for (int unsigned j = 0; j <= MaxBursts; j++) begin
      paid[j] = bursts_i >= 8'(j) && (j == 0 || bursts_o[j-1])
          && (bursts_i == 8'(j) || !more_bursts[j]);
    end
    for (int unsigned j = 1; j <= MaxBursts; j++) begin
      if (bursts_i == 8'(j) && !bursts_o[j-1]) bound_o = 1'b1;
    end
  end

  always_comb begin
    next = '0;
    for (int unsigned j = 0; j <= MaxBursts; j++) begin
      next |= after_bursts[j] & {Width{paid[j]}};
    end
    sum_d = run_i && !off_q ? next : sum_q;
    if (clear_i) sum_d = Width'(step_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q    <= '0;
      over_q   <= 1'b0;
      covers_q <= '0;
    end else begin
      sum_q  <= sum_d;
      over_q <= sum_d > Width'(cap_i);
      for (int unsigned k = 1; k <= MaxLabels; k++) begin
        covers_q[k] <= off_q || (sum_d >= labels_price[k] && !never_q[k]);
      end
    end
  end

  haac_multiples #(.Width(Width), .Most(MaxLabels)) u_labels (
    .clk_i, .hold_i(run_i), .one_i(label_price_q), .all_o(labels_price)
  );
  haac_multiples #(.Width(Width), .Most(MaxBursts)) u_bursts (
    .clk_i, .hold_i(run_i), .one_i(burst_price_q), .all_o(bursts_price)
  );

  // The other constants, which do not change during a run.
  always_ff @(posedge clk_i) begin
    if (!run_i) begin
      off_q         <= step_i == '0;
      step_q        <= step_i;
      burst_price_q <= Width'(byte_i) << 6;
      for (int unsigned n = 0; n < 4; n++) begin
        part_q[n] <= Width'(byte_i) * Width'(2'(wire_bytes_i >> (2 * n)));
      end
      few_q         <= (part_q[1] << 2) + part_q[0];
      many_q        <= (part_q[3] << 2) + part_q[2];
      label_price_q <= (many_q << 4) + few_q;
      for (int unsigned k = 1; k <= MaxLabels; k++) never_q[k] <= labels_price[k] > Width'(cap_i);
      for (int unsigned j = 0; j <= MaxBursts; j++) begin
        low_q[j]  <= {1'b0, step_q[Half-1:0]} - {1'b0, bursts_price[j][Half-1:0]};
        gain_q[j] <= {
          Half'(step_q[31:Half]) - bursts_price[j][Width-1:Half] - Half'(low_q[j][Half]),
          low_q[j][Half-1:0]
        };
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i) begin
      assert (wire_bytes_i <= 7'd64) else $error("haac_credit: a label costs more than a burst");
      assert (32'(labels_i) <= MaxLabels) else $error("haac_credit: more labels than MaxLabels");
    end
  end
`endif

endmodule
