// SPDX-License-Identifier: MIT OR Apache-2.0

// Detects that memory no longer responds: a request is pending and nothing has moved for too long.
//
// | port      | width | meaning                                                    |
// |-----------|-------|------------------------------------------------------------|
// | timeout_i | 32    | cycles without progress that are too long; 0: no limit     |
// | pending_i | 1     | responses of memory are missing                            |
// | moved_i   | 1     | a transfer took place in this cycle                        |
// | dead_o    | 1     | high for one cycle each time the limit is reached          |
//
// Latency: timeout_i cycles. Stalls: none.

module haac_watchdog (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] timeout_i,
  input  logic        pending_i,
  input  logic        moved_i,
  output logic        dead_o
);

  logic [31:0] still_q;

  assign dead_o = timeout_i != '0 && still_q >= timeout_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                               still_q <= '0;
    else if (!pending_i || moved_i || dead_o)  still_q <= '0;
    else                                       still_q <= still_q + 1'b1;
  end

endmodule
