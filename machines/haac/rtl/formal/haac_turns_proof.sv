// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_turns, with any requests and any number of grants that is allowed. One engine
// is watched: any may be chosen.

module haac_turns_proof #(
  parameter int unsigned Engines = 4,
  localparam int unsigned EngineWidth = Engines > 1 ? $clog2(Engines) : 1
) (
  input logic                   clk_i,
  input logic                   clear_i,
  input logic [Engines-1:0]     req_i,
  input logic                   run_i,
  input logic [7:0]             allow_i,
  input logic [EngineWidth-1:0] watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Engines-1:0] gnt;
  logic [7:0] requested;
  logic [Engines-1:0] allow;
  always_comb begin
    for (int unsigned n = 0; n < Engines; n++) allow[n] = allow_i > 8'(n);
  end
  haac_turns #(.Engines(Engines)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .run_i, .req_i, .allow_i(allow), .gnt_o(gnt),
    .requested_o(requested)
  );

  logic [31:0] requests, grants;
  always_comb begin
    requests = 0;
    grants   = 0;
    for (int unsigned e = 0; e < Engines; e++) begin
      requests += 32'(req_i[e]);
      grants   += 32'(gnt[e]);
    end
  end

  // The watched engine, how many grants others got since its request began, and how many engines
  // come before it.
  logic [EngineWidth-1:0] watched_q;
  logic [31:0] others_q, ahead;
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watch_i;
    if (!rst_n || clear_i || !req_i[watched_q] || gnt[watched_q]) others_q <= '0;
    else others_q <= others_q + grants;
  end
  assign ahead = (32'(watched_q) + Engines - 32'(u_dut.turn_q)) % Engines;

  always_comb begin
    assume (32'(watch_i) < Engines);
    if (rst_n) begin
      number: assert (grants == (!run_i ? 0 : requests < 32'(allow_i) ? requests : 32'(allow_i)) && 32'(requested) == requests);
      requester: assert ((gnt & ~req_i) == '0);
      fair: assert (others_q <= Engines - 1);
      inv_watched: assert (32'(watched_q) < Engines && 32'(u_dut.turn_q) < Engines);
      inv_ahead: assert (others_q + ahead <= Engines - 1);

      competes: cover (req_i == '1 && allow_i == 1 && others_q == Engines - 1);
      some: cover (req_i == '1 && 32'(allow_i) == Engines - 1 && gnt[0] && !gnt[1]);
    end
  end

endmodule
