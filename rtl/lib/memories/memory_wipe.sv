// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts through the addresses of memories to wipe them, after a reset and on request.
//
// | port      | width        | meaning                                        |
// |-----------|--------------|------------------------------------------------|
// | start_i   | 1            | wiping starts (again) in the next cycle        |
// | wiping_o  | 1            | write zeros to address_o in this cycle         |
// | address_o | AddressWidth |                                                |
//
// Latency: Depth + 1 cycles. Word 0 is wiped twice. A memory that reads word 0 during the second
// time has 0 at its output, and not an old word. Stalls: nothing.

module memory_wipe #(
  parameter int unsigned Depth = 1024,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,
  output logic                    wiping_o,
  output logic [AddressWidth-1:0] address_o
);

  // 1: word 0 is being wiped for the second time.
  logic again_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wiping_o  <= 1'b1;
      again_q   <= 1'b0;
      address_o <= '0;
    end else if (start_i) begin
      wiping_o  <= 1'b1;
      again_q   <= 1'b0;
      address_o <= '0;
    end else if (wiping_o) begin
      wiping_o  <= !again_q;
      again_q   <= 32'(address_o) + 1 == Depth;
      address_o <= 32'(address_o) + 1 == Depth ? '0 : address_o + 1'b1;
    end
  end

endmodule
