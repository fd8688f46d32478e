// The bandwidth of memory: how many requests of a cycle the credit suffices for.
//
// | port             | width | meaning                                                             |
// |------------------|-------|---------------------------------------------------------------------|
// | clear_i, run_i   | 1     | credit 0; a cycle that counts                                       |
// | step_i, byte_i, cap_i | 32 | added in each cycle, cost of a byte, greatest value; step 0: no limit |
// | wire_bytes_i     | 7     | bytes of an access to a label                                       |
// | labels_i         | 8     | accesses to labels that are asked for in this cycle                 |
// | bursts_i         | 8     | bursts that are, after them                                         |
// | labels_o         | 8     | for how many accesses to labels the credit suffices                 |
// | bursts_o         | 8     | for how many bursts, after labels_i accesses; 0 if not for these    |
// | bound_o          | 1     | not for all of them                                                 |
//
// Latency: none; the constants are looked at a cycle after they change. Stalls: nothing.
//
// Credit is added first. All requests cost one of two prices, the label's first, so that each count is
// one row of comparisons with multiples of a price, side by side.

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

  // Prices are below 2^31 for bytes below 2^25; sums of up to 256 of them fit.
  localparam int unsigned Width = 40;
  localparam int unsigned Most  = MaxLabels > MaxBursts ? MaxLabels : MaxBursts;

  logic [Width-1:0] label_price_q, burst_price_q;
  logic [Width-1:0] credit_q, credit, after_labels, credit_d;
  logic [Most:0][Width-1:0] label_prices, burst_prices;
  logic off, labels_fit;
  logic [7:0] paid_bursts;

  assign off    = step_i == '0;
  assign credit = credit_q + Width'(step_i) > Width'(cap_i) ? Width'(cap_i)
                                                            : credit_q + Width'(step_i);

  always_comb begin
    for (int unsigned k = 0; k <= Most; k++) begin
      label_prices[k] = label_price_q * Width'(k);
      burst_prices[k] = burst_price_q * Width'(k);
    end
  end

  always_comb begin
    labels_o = '0;
    for (int unsigned k = 1; k <= MaxLabels; k++) begin
      if (off || label_prices[k] <= credit) labels_o = 8'(k);
    end
  end

  assign labels_fit = labels_i <= labels_o;

  always_comb begin
    after_labels = credit;
    for (int unsigned k = 1; k <= MaxLabels; k++) begin
      if ((labels_fit ? labels_i : labels_o) == 8'(k)) after_labels = credit - label_prices[k];
    end
  end

  always_comb begin
    bursts_o = '0;
    for (int unsigned k = 1; k <= MaxBursts; k++) begin
      if (labels_fit && (off || burst_prices[k] <= after_labels)) bursts_o = 8'(k);
    end
  end

  assign paid_bursts = bursts_i <= bursts_o ? bursts_i : bursts_o;
  assign bound_o     = !labels_fit || bursts_i > bursts_o;

  always_comb begin
    credit_d = after_labels;
    for (int unsigned k = 1; k <= MaxBursts; k++) begin
      if (paid_bursts == 8'(k)) credit_d = after_labels - burst_prices[k];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credit_q      <= '0;
      label_price_q <= '0;
      burst_price_q <= '0;
    end else begin
      label_price_q <= Width'(byte_i) * Width'(wire_bytes_i);
      burst_price_q <= Width'(byte_i) << 6;
      if (clear_i) credit_q <= '0;
      else if (run_i && !off) credit_q <= credit_d;
    end
  end

endmodule
