// SPDX-License-Identifier: MIT OR Apache-2.0

// Round-robin arbiter: picks the next requesting client after the last one picked.
//
// | port   | width   | meaning                                                          |
// |--------|---------|------------------------------------------------------------------|
// | req_i  | Clients | requests                                                         |
// | take_i | 1       | a client may be picked in this cycle                             |
// | gnt_o  | Clients | the picked client, one-hot; 0 without request or take_i          |
//
// Latency: none. Stalls: a requesting client is passed over at most Clients - 1 times.

module haac_take_turns #(
  parameter int unsigned Clients = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [Clients-1:0] req_i,
  input  logic               take_i,
  output logic [Clients-1:0] gnt_o
);

  // first_q has ones from the client with the first turn upwards.
  logic [Clients-1:0] first_q, ahead, pick;

  assign ahead = req_i & first_q;
  // Picks the lowest requesting client from the first turn on, or else the lowest of all.
  assign pick  = ahead != '0 ? ahead & (~ahead + 1'b1) : req_i & (~req_i + 1'b1);
  assign gnt_o = take_i ? pick : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)           first_q <= '1;
    else if (gnt_o != '0) first_q <= ~(pick | (pick - 1'b1));
  end

endmodule
