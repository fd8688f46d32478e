// Chooses one of several requests in turns: the first at or after the one behind the last that was
// served.
//
// | port    | width      | meaning                                                       |
// |---------|------------|---------------------------------------------------------------|
// | clear_i | 1          | the next turn begins with 0                                   |
// | req_i   | Requests   | who asks                                                      |
// | ready_i | 1          | who is chosen is served: the turn goes on                     |
// | gnt_o   | Requests   | who is chosen, one bit at most; without a clock, whatever ready_i is |
// | index_o | IndexWidth | its number; 0 if nobody asks                                  |
// | valid_o | 1          | somebody asks                                                 |
//
// Latency: none. Stalls: a request that stays is chosen after at most Requests - 1 others.

module rr_arbiter #(
  parameter int unsigned Requests = 4,
  localparam int unsigned IndexWidth = Requests > 1 ? $clog2(Requests) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,

  input  logic [Requests-1:0]   req_i,
  input  logic                  ready_i,
  output logic [Requests-1:0]   gnt_o,
  output logic [IndexWidth-1:0] index_o,
  output logic                  valid_o
);

  // Ones from where the turn begins on.
  logic [Requests-1:0] turn_q, ahead, from;

  assign ahead   = req_i & turn_q;
  assign from    = |ahead ? ahead : req_i;
  assign gnt_o   = from & (~from + 1'b1);
  assign valid_o = |req_i;

  always_comb begin
    index_o = '0;
    for (int unsigned i = 0; i < Requests; i++) index_o |= gnt_o[i] ? IndexWidth'(i) : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '1;
    else if (clear_i) turn_q <= '1;
    // Above the one that was served: none if it was the last, and then the lowest comes.
    else if (ready_i && valid_o) turn_q <= ~((gnt_o - 1'b1) | gnt_o);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert ($onehot0(gnt_o)) else $error("rr_arbiter: two are chosen");
  end
`endif

endmodule
