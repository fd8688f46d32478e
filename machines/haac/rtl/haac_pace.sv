// SPDX-License-Identifier: MIT OR Apache-2.0

// Timing of the memory contract: determines when an accepted request is due.
//
// | port      | width | meaning                                                               |
// |-----------|-------|-----------------------------------------------------------------------|
// | clear_i   | 1     | forgets all requests                                                  |
// | latency_i | 9     | cycles from acceptance to response, up to MaxLatency                  |
// | gnt_i     | Width | requests accepted in this cycle, in any encoding                      |
// | due_o     | Width | gnt_i of latency_i cycles ago; 0 if before clear_i                    |
//
// latency_i must be stable from clear_i on. 0 means 1: a response is shown as soon as it has
// arrived.
//
// Latency: latency_i. Stalls: none. The delay is a RAM of MaxLatency words, addressed by the
// cycle's number. Its words from before clear_i are never used.

module haac_pace #(
  parameter int unsigned Width      = 8,
  parameter int unsigned MaxLatency = 256
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  logic [8:0]       latency_i,
  input  logic [Width-1:0] gnt_i,
  output logic [Width-1:0] due_o
);

  localparam int unsigned PointerWidth = $clog2(MaxLatency);

  logic [PointerWidth-1:0] now_q;
  // Cycles since clear_i, up to MaxLatency.
  logic [8:0] age_q, back;
  logic [Width-1:0] accepted;
  logic there_q;

  assign back  = latency_i == '0 ? '0 : latency_i - 1'b1;
  assign due_o = there_q ? accepted : '0;

  // If back is 0, the word of this cycle is read while it is written.
  ram_sdp #(.Width(Width), .Depth(MaxLatency)) u_accepted (
    .clk_i, .we_i(1'b1), .waddr_i(now_q), .wdata_i(gnt_i),
    .re_i(1'b1), .raddr_i(now_q - PointerWidth'(back)), .rdata_o(accepted)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q   <= '0;
      age_q   <= '0;
      there_q <= 1'b0;
    end else if (clear_i) begin
      now_q   <= '0;
      age_q   <= '0;
      there_q <= 1'b0;
    end else begin
      now_q   <= now_q + 1'b1;
      if (age_q < 9'(MaxLatency)) age_q <= age_q + 1'b1;
      there_q <= age_q >= back;
    end
  end

`ifndef SYNTHESIS
  initial assert (2 ** PointerWidth == MaxLatency && MaxLatency <= 256)
    else $error("haac_pace: MaxLatency must be a power of two up to 256");
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (latency_i <= 9'(MaxLatency)) else $error("haac_pace: latency above MaxLatency");
    end
  end
`endif

endmodule
