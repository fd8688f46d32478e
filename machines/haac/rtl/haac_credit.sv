// SPDX-License-Identifier: MIT OR Apache-2.0

// Memory bandwidth: the number of requests in a cycle that the credit covers.
//
// | port             | width | meaning                                                            |
// |------------------|-------|--------------------------------------------------------------------|
// | clear_i, run_i   | 1     | clears the credit; clock enable: the cycle is counted              |
// | step_i, byte_i, cap_i | 32 | credit added per cycle, cost of a byte, cap; step 0: no limit    |
// | wire_bytes_i     | 7     | bytes of an access to a label                                      |
// | labels_i         | 8     | requested accesses to labels in this cycle                         |
// | bursts_i         | 8     | requested bursts, after the labels                                 |
// | labels_o         | 8     | number of label accesses that the credit covers                    |
// | bursts_o         | 8     | number of bursts, after labels_i accesses (0 if not covered)       |
// | bound_o          | 1     | the credit does not cover all requests                             |
//
// Latency: none. The constants must be stable for two cycles before a run; changes during a run
// have no effect. Stalls: none.
//
// Credit is added first. A request has one of two prices, that of a label or that of a burst;
// labels come first. For each possible number of requests, the credit left after them is computed
// in parallel, and its sign shows whether the credit suffices. So only three sums are in series
// from one credit to the next: comparisons need none of their own.

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
  output logic [7:0] labels_o,
  output logic [7:0] bursts_o,
  output logic bound_o
);

  // A price is below 2^31 if a byte costs less than 2^25. The sum of 256 prices fits.
  localparam int unsigned Width = 40;

  // Prices by number of requests; the credit at which a step reaches the cap (space_q); whether one
  // step exceeds the cap (full_q).
  logic [MaxLabels:0][Width-1:0] labels_price_q;
  logic [MaxBursts:0][Width-1:0] bursts_price_q;
  logic [Width-1:0] label_price_q, space_q;
  logic full_q;
  logic [Width-1:0] credit_q, credit, credit_d;
  // Credit left after k labels, and after j more bursts. A set top bit means that it is too low.
  logic [Width:0] after_requested;
  logic [MaxLabels:0][Width:0] after_labels;
  logic [MaxBursts:0][Width:0] after_bursts;
  logic off, labels_fit;
  logic [7:0] paid_bursts;

  assign off    = step_i == '0;
  assign credit = full_q || credit_q > space_q ? Width'(cap_i) : credit_q + Width'(step_i);

  for (genvar k = 0; k <= MaxLabels; k++) begin : gen_labels
    assign after_labels[k] = {1'b0, credit} - {1'b0, labels_price_q[k]};
  end

  always_comb begin
    labels_o    = '0;
    after_requested = after_labels[0];
    for (int unsigned k = 1; k <= MaxLabels; k++) begin
      if (off || !after_labels[k][Width]) labels_o = 8'(k);
      if (labels_i == 8'(k)) after_requested = after_labels[k];
    end
  end

  assign labels_fit = off || !after_requested[Width];

  for (genvar j = 0; j <= MaxBursts; j++) begin : gen_bursts
    assign after_bursts[j] = {1'b0, after_requested[Width-1:0]} - {1'b0, bursts_price_q[j]};
  end

  always_comb begin
    bursts_o = '0;
    for (int unsigned j = 1; j <= MaxBursts; j++) begin
      if (labels_fit && (off || !after_bursts[j][Width])) bursts_o = 8'(j);
    end
  end

  assign paid_bursts = bursts_i <= bursts_o ? bursts_i : bursts_o;
  assign bound_o     = !labels_fit || bursts_i > bursts_o;

  always_comb begin
    credit_d = after_bursts[0][Width-1:0];
    for (int unsigned j = 1; j <= MaxBursts; j++) begin
      if (paid_bursts == 8'(j)) credit_d = after_bursts[j][Width-1:0];
    end
    if (!labels_fit) begin
      for (int unsigned k = 0; k <= MaxLabels; k++) begin
        if (labels_o == 8'(k)) credit_d = after_labels[k][Width-1:0];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)            credit_q <= '0;
    else if (clear_i)       credit_q <= '0;
    else if (run_i && !off) credit_q <= credit_d;
  end

  // The constants, which do not change during a run.
  always_ff @(posedge clk_i) begin
    if (!run_i) begin
      label_price_q <= Width'(byte_i) * Width'(wire_bytes_i);
      for (int unsigned k = 0; k <= MaxLabels; k++) labels_price_q[k] <= label_price_q * Width'(k);
      for (int unsigned j = 0; j <= MaxBursts; j++) begin
        bursts_price_q[j] <= (Width'(byte_i) << 6) * Width'(j);
      end
      space_q <= Width'(cap_i) - Width'(step_i);
      full_q <= cap_i < step_i;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i) begin
      assert (32'(labels_i) <= MaxLabels) else $error("haac_credit: more labels than MaxLabels");
    end
  end
`endif

endmodule
