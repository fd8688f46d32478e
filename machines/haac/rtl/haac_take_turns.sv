// Picks one of many in turns: the next one asking after the one that was picked last.
//
// | port   | width   | meaning                                                          |
// |--------|---------|------------------------------------------------------------------|
// | req_i  | Clients | who asks                                                         |
// | take_i | 1       | whether one may be picked in this cycle                          |
// | gnt_o  | Clients | who is picked; zero or one, and none without take_i              |
//
// Latency: none. Stalls: nobody that asks is passed over more than Clients - 1 times.

module haac_take_turns #(
  parameter int unsigned Clients = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [Clients-1:0] req_i,
  input  logic               take_i,
  output logic [Clients-1:0] gnt_o
);

  // Ones from the client on that is first in this turn.
  logic [Clients-1:0] first_q, ahead, pick;

  assign ahead = req_i & first_q;
  // The lowest bit of those ahead, or else of all.
  assign pick  = ahead != '0 ? ahead & (~ahead + 1'b1) : req_i & (~req_i + 1'b1);
  assign gnt_o = take_i ? pick : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)           first_q <= '1;
    else if (gnt_o != '0) first_q <= ~(pick | (pick - 1'b1));
  end

endmodule
