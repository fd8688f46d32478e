// SPDX-License-Identifier: MIT OR Apache-2.0

// Queue of the bytes that follow items, mostly tables. Bytes stay here until their item needs them.
//
//   parameter  meaning
//   Depth      capacity in items, a power of two
//
//   port     bits  meaning
//   clear_i  1     empties the queue; wipes it if this lasts for Depth clock cycles
//   low_i    1     row_i is the lower half of a new entry
//   high_i   1     row_i is the higher half of the new entry, and completes it
//   row_i    128
//   next_i   1     removes the first entry
//   data_o   256   the first entry
//
// Latency: one clock cycle from high_i. It never stalls: it has space for all unfinished items.
module mobile_wide_rows #(
    parameter int unsigned Depth = 16
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         low_i,
    input  logic         high_i,
    input  logic [127:0] row_i,
    input  logic         next_i,
    output logic [255:0] data_o
);
  localparam int unsigned Width = $clog2(Depth);
  logic [127:0] low[Depth];
  logic [127:0] high[Depth];
  logic [127:0] row;
  logic [Width-1:0] put_q, first_q;
  assign row    = clear_i ? '0 : row_i;
  assign data_o = {high[first_q], low[first_q]};
  always_ff @(posedge clk_i) begin
    if (low_i || clear_i) low[put_q] <= row;
    if (high_i || clear_i) high[put_q] <= row;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {put_q, first_q} <= '0;
    else if (clear_i) {put_q, first_q} <= {2{put_q + 1'b1}};
    else begin
      if (high_i) put_q <= put_q + 1'b1;
      if (next_i) first_q <= first_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!next_i || put_q != first_q) else $error("mobile_wide_rows: an entry is removed from an empty queue");
      assert (!high_i || put_q + 1'b1 != first_q) else $error("mobile_wide_rows: the queue overflows");
    end
  end
`endif
endmodule
