// SPDX-License-Identifier: MIT OR Apache-2.0

// Selects the rows of the window to be wiped in each cycle.
//
// | port     | width    | meaning                                                             |
// |----------|----------|---------------------------------------------------------------------|
// | start_i  | 1        | pulse: wipes all rows that may have been written; restarts a wipe   |
// | write_i  | 1        | the window is written                                               |
// | row_i    | RowWidth | the OR of the rows that are written                                 |
// | wipe_o   | 1        | every bank wipes row_o and the row above                            |
// | row_o    | RowWidth | an even row                                                         |
// | wiping_o | 1        | a wipe is in progress: one cycle longer than wipe_o                 |
//
// Latency: wipe_o starts in the cycle after start_i and lasts for half as many cycles as there are
// rows in use: up to the next power of two above the highest row written since the last wipe. After
// a reset, when the contents of the RAMs are unknown, all rows count. Stalls: the machine does not
// run meanwhile.

module haac_window_wipe #(
  parameter int unsigned Rows = 2048,
  localparam int unsigned RowWidth = Rows > 1 ? $clog2(Rows) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                start_i,
  input  logic                write_i,
  input  logic [RowWidth-1:0] row_i,

  output logic                wipe_o,
  output logic [RowWidth-1:0] row_o,
  output logic                wiping_o
);

  logic [RowWidth-1:0] used_q, used, row_q;
  logic any_q, wipe_q, last_q;

  // Rows that may be in use: all up to the highest bit set in any written row.
  always_comb begin
    used = used_q;
    for (int unsigned i = RowWidth - 1; i > 0; i--) used[i-1] = used[i-1] || used[i];
  end

  assign wipe_o   = wipe_q;
  assign row_o    = row_q;
  assign wiping_o = wipe_q || last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '1;
      any_q  <= 1'b1;
      row_q  <= '0;
      wipe_q <= 1'b0;
      last_q <= 1'b0;
    end else begin
      last_q <= wipe_q;
      if (start_i) begin
        wipe_q <= any_q;
        row_q  <= '0;
      end else if (wipe_q) begin
        if ((row_q | RowWidth'(1)) == (used | RowWidth'(1))) begin
          wipe_q <= 1'b0;
          used_q <= '0;
          any_q  <= 1'b0;
        end
        row_q <= row_q + RowWidth'(2);
      end
      if (write_i) begin
        used_q <= used_q | row_i;
        any_q  <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(write_i && wiping_o)) else $error("haac_window_wipe: write in a wipe");
  end
`endif

endmodule
