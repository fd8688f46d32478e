// SPDX-License-Identifier: MIT OR Apache-2.0

// A reset synchroniser: resets at once, and releases the reset with the clock.
//
// | port    | width | meaning                                                                     |
// |---------|-------|-----------------------------------------------------------------------------|
// | rst_ni  | 1     | asynchronous reset; may rise at any time                                    |
// | rst_no  | 1     | falls with rst_ni, rises Stages clock edges after it                        |
//
// Latency: Stages cycles for the release. Stalls: none. The registers are marked for placement next
// to each other; the SDC files of the tops say what timing analysis must leave out.

module reset_sync #(
  parameter int unsigned Stages = 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic rst_no
);

  (* ASYNC_REG = "TRUE", keep = "true" *) logic [Stages-1:0] sync_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sync_q <= '0;
    else         sync_q <= {sync_q[Stages-2:0], 1'b1};
  end

  assign rst_no = sync_q[Stages-1];

endmodule
