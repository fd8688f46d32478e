// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_window_wipe, with any writes outside a wipe. One row is watched: any may be
// chosen.

module haac_window_wipe_proof #(
  parameter int unsigned Rows = 8,
  localparam int unsigned RowWidth = Rows > 1 ? $clog2(Rows) : 1
) (
  input logic                clk_i,
  input logic                start_i,
  input logic                write_i,
  input logic [RowWidth-1:0] row_i,
  input logic [RowWidth-1:0] watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic wipe, wiping;
  logic [RowWidth-1:0] row;
  haac_window_wipe #(.Rows(Rows)) u_dut (
    .clk_i, .rst_ni(rst_n), .start_i, .write_i, .row_i, .wipe_o(wipe), .row_o(row), .wiping_o(wiping)
  );

  // Whether the watched row may hold a label, whether a wipe was started since the last write, and
  // the cycles that a wipe has taken.
  logic [RowWidth-1:0] watched_q;
  logic holds_q, started_q;
  logic [31:0] cycles_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      watched_q <= watch_i;
      holds_q   <= 1'b1;
      started_q <= 1'b0;
      cycles_q  <= '0;
    end else begin
      if (write_i && (watched_q & ~row_i) == '0) holds_q <= 1'b1;
      else if (wipe && (watched_q | RowWidth'(1)) == (row | RowWidth'(1))) holds_q <= 1'b0;
      started_q <= start_i || (started_q && !write_i);
      cycles_q  <= start_i || !wiping ? '0 : cycles_q + 1;
    end
  end

  always_comb begin
    if (rst_n) begin
      assume (!(write_i && (wiping || start_i)));

      all_rows: assert (!started_q || wiping || !holds_q);
      duration: assert (cycles_q <= Rows / 2 + 1);
      even: assert (!wipe || !row[0]);
      inv_used: assert (!holds_q || (u_dut.any_q && (watched_q & ~u_dut.used) == '0));
      inv_row: assert (!wipe || !holds_q || (watched_q | RowWidth'(1)) >= row);
      inv_wipe: assert (!wipe || (u_dut.any_q && row <= u_dut.used && 2 * cycles_q == 32'(row)));
      inv_started: assert (!started_q || wipe || !holds_q);
      inv_last: assert (!wiping || wipe || cycles_q <= Rows / 2);

      ends: cover (started_q && !wiping && 32'(watched_q) == 3 && cycles_q == 3);
    end
  end

endmodule
