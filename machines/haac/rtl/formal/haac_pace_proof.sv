// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_pace, with any requests and any latency that is stable. One request is
// watched: any may be chosen when it is accepted.

module haac_pace_proof #(
  parameter int unsigned Width      = 3,
  parameter int unsigned MaxLatency = 4
) (
  input logic             clk_i,
  input logic             clear_i,
  input logic [8:0]       latency_i,
  input logic [Width-1:0] gnt_i,
  input logic             watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Width-1:0] due;
  haac_pace #(.Width(Width), .MaxLatency(MaxLatency)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .latency_i, .gnt_i, .due_o(due)
  );

  // Cycles since the start, and since the watched request was accepted.
  logic [8:0] latency_q, latency;
  logic [31:0] age_q, since_q;
  logic watching_q;
  logic [Width-1:0] gnt_q;
  assign latency = latency_i == '0 ? 9'd1 : latency_i;
  always_ff @(posedge clk_i) begin
    latency_q <= latency_i;
    since_q   <= since_q + 1;
    age_q     <= age_q == MaxLatency + 1 ? age_q : age_q + 1;
    if (!rst_n || clear_i) begin
      age_q      <= '0;
      watching_q <= 1'b0;
    end else if (watching_q && since_q == 32'(latency)) begin
      watching_q <= 1'b0;
    end else if (!watching_q && watch_i) begin
      watching_q <= 1'b1;
      since_q    <= 1;
      gnt_q      <= gnt_i;
    end
  end

  // The word of the watched request.
  logic [$clog2(MaxLatency)-1:0] place;
  assign place = u_dut.now_q - since_q[$clog2(MaxLatency)-1:0];

  always_comb begin
    if (rst_n) begin
      assume (32'(latency_i) <= MaxLatency && latency_i == latency_q);

      on_time: assert (!watching_q || since_q != 32'(latency) || due == gnt_q);
      forgets: assert (age_q >= 32'(latency) || due == '0);
      inv_age: assert (32'(u_dut.age_q) == (age_q > MaxLatency ? MaxLatency : age_q)
                       && age_q <= MaxLatency + 1 && u_dut.there_q == (age_q >= 32'(latency)));
      inv_since: assert (!watching_q || (since_q >= 1 && since_q <= 32'(latency) && since_q <= age_q));
      inv_kept: assert (!watching_q || since_q == 32'(latency) || u_dut.u_accepted.u_macro.gen_one.words[place] == gnt_q);

      comes: cover (watching_q && since_q == 32'(latency) && latency_i == 9'd4 && due == '1);
      at_once: cover (watching_q && since_q == 32'(latency) && latency_i == '0 && due == '1);
    end
  end

endmodule
