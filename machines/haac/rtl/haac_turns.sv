// SPDX-License-Identifier: MIT OR Apache-2.0

// Round-robin arbiter for requests of one kind: engines take turns, starting after the last served.
//
// | port     | width   | meaning                                                             |
// |----------|---------|---------------------------------------------------------------------|
// | clear_i  | 1       | the next turn begins with engine 0                                  |
// | req_i    | Engines | requests in this cycle                                              |
// | run_i    | 1       | clock enable; without it nothing is granted                         |
// | allow_i  | Engines | bit n: at least n + 1 grants are allowed in this cycle              |
// | gnt_o    | Engines | grants                                                              |
// | requested_o | 8    | number of requests; does not depend on allow_i                      |
//
// Latency: grants come in the cycle of the request. Stalls: an engine waits if as many requests as
// are allowed are served before its own.

module haac_turns #(
  parameter int unsigned Engines = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic run_i,
  input  logic [Engines-1:0] req_i,
  input  logic [Engines-1:0] allow_i,
  output logic [Engines-1:0] gnt_o,
  output logic [7:0] requested_o
);

  localparam int unsigned TurnWidth = Engines > 1 ? $clog2(Engines) : 1;

  logic [TurnWidth-1:0] turn_q, turn_d;
  // Number of requests from engines below each engine, below the engine with the first turn, and in
  // total.
  logic [Engines-1:0][7:0] below;
  logic [7:0] below_turn, requested;
  // Number of requests served before this one.
  logic [Engines-1:0][7:0] rank;
  logic [Engines-1:0] gnt;
  // Bit n: more than n grants are allowed.
  logic [Engines:0] more;

  assign more = {1'b0, allow_i};

  always_comb begin
    requested      = '0;
    below_turn = '0;
    for (int unsigned e = 0; e < Engines; e++) begin
      below[e] = requested;
      if (turn_q == TurnWidth'(e)) below_turn = requested;
      requested = requested + 8'(req_i[e]);
    end
  end

  always_comb begin
    turn_d = turn_q;
    for (int unsigned e = 0; e < Engines; e++) begin
      rank[e] = below[e] - below_turn;
      if (TurnWidth'(e) < turn_q) rank[e] = below[e] + requested - below_turn;
      gnt[e] = 1'b0;
      for (int unsigned n = 0; n < Engines; n++) begin
        if (rank[e] == 8'(n)) gnt[e] = req_i[e] && more[n];
      end
    end
    // Requests after this one are not granted in this cycle.
    for (int unsigned e = 0; e < Engines; e++) begin
      for (int unsigned n = 0; n < Engines; n++) begin
        if (gnt[e] && rank[e] == 8'(n) && (!more[n+1] || requested == 8'(n + 1))) begin
          turn_d = e + 1 == Engines ? '0 : TurnWidth'(e + 1);
        end
      end
    end
  end

  assign gnt_o       = run_i ? gnt : '0;
  assign requested_o = requested;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else if (clear_i) turn_q <= '0;
    else if (run_i) turn_q <= turn_d;
  end

endmodule
