// Requests of one kind: engines take turns, beginning after the one that was served last.
//
// | port     | width   | meaning                                                             |
// |----------|---------|---------------------------------------------------------------------|
// | clear_i  | 1       | the next turn begins with engine 0                                  |
// | req_i    | Engines | engines that ask in this cycle                                      |
// | allow_i  | 8       | how many may be served in this cycle                                |
// | gnt_o    | Engines | those that are                                                      |
// | requested_o  | 8       | how many ask; does not depend on allow_i                            |
//
// Latency: grants come in the cycle of the request. Stalls: an engine waits while allow_i is smaller
// than the number of engines that ask before it.

module haac_turns #(
  parameter int unsigned Engines = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic [Engines-1:0] req_i,
  input  logic [7:0] allow_i,
  output logic [Engines-1:0] gnt_o,
  output logic [7:0] requested_o
);

  localparam int unsigned TurnWidth = Engines > 1 ? $clog2(Engines) : 1;

  logic [TurnWidth-1:0] turn_q, turn_d;
  // How many engines ask below each, below the one whose turn it is, and altogether.
  logic [Engines-1:0][7:0] below;
  logic [7:0] below_turn, requested;
  // How many are asked before this one is.
  logic [Engines-1:0][7:0] rank;

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
      gnt_o[e] = req_i[e] && rank[e] < allow_i;
    end
    // The last that is served: nobody who asks after it is.
    for (int unsigned e = 0; e < Engines; e++) begin
      if (gnt_o[e] && (rank[e] + 8'd1 == allow_i || rank[e] + 8'd1 == requested)) begin
        turn_d = e + 1 == Engines ? '0 : TurnWidth'(e + 1);
      end
    end
  end

  assign requested_o = requested;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else if (clear_i) turn_q <= '0;
    else turn_q <= turn_d;
  end

endmodule
