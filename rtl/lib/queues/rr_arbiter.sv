// SPDX-License-Identifier: MIT OR Apache-2.0

// A round-robin arbiter. The search starts after the request that was served last, and wraps
// around. The first request that it finds is granted.
//
// | port    | width      | meaning                                                       |
// |---------|------------|---------------------------------------------------------------|
// | clear_i | 1          | the search starts at 0 again                                  |
// | req_i   | Requests   | requests                                                      |
// | ready_i | 1          | the granted request is served; the next search starts after it |
// | gnt_o   | Requests   | the granted request, one bit at most; combinational from req_i |
// | index_o | IndexWidth | number of the granted request; 0 without a request            |
// | valid_o | 1          | there is a request                                            |
//
// Latency: none. Stalls: a request that stays is granted after at most Requests - 1 other requests.

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

  // turn_q has ones from the start of the search upwards.
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
    // Sets the ones above the served request. After the last request there are none, so the search
    // starts at 0.
    else if (ready_i && valid_o) turn_q <= ~((gnt_o - 1'b1) | gnt_o);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert ($onehot0(gnt_o)) else $error("rr_arbiter: two requests are granted");
  end
`endif

endmodule
