// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_take_turns, with any requests. One client is watched: any may be chosen.

module haac_take_turns_proof #(
  parameter int unsigned Clients = 5,
  localparam int unsigned ClientWidth = $clog2(Clients)
) (
  input logic                   clk_i,
  input logic [Clients-1:0]     req_i,
  input logic                   take_i,
  input logic [ClientWidth-1:0] watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Clients-1:0] gnt;
  haac_take_turns #(.Clients(Clients)) u_dut (.clk_i, .rst_ni(rst_n), .req_i, .take_i, .gnt_o(gnt));

  // The watched client, and how many others were picked since its request began.
  logic [ClientWidth-1:0] watched_q;
  logic [31:0] others_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watch_i;
    if (!rst_n || !req_i[watched_q] || gnt[watched_q]) others_q <= '0;
    else if (gnt != '0) others_q <= others_q + 1;
  end

  // The client with the first turn, and how many come before the watched one.
  logic [31:0] first, ahead;
  always_comb begin
    first = 0;
    for (int i = Clients - 1; i >= 0; i--) if (u_dut.first_q[i]) first = i;
    ahead = (32'(watched_q) + Clients - first) % Clients;
  end

  always_comb begin
    assume (32'(watch_i) < Clients);
    if (rst_n) begin
      one_grant: assert ((gnt & (gnt - 1'b1)) == '0);
      requester: assert ((gnt & ~req_i) == '0 && (gnt != '0) == (take_i && req_i != '0));
      fair: assert (!req_i[watched_q] || others_q < Clients - 1
                    || (others_q == Clients - 1 && (!take_i || gnt[watched_q])));
      inv_watched: assert (32'(watched_q) < Clients);
      inv_mask: assert ((~u_dut.first_q & (~u_dut.first_q + 1'b1)) == '0);
      inv_ahead: assert (others_q + ahead <= Clients - 1);

      competes: cover (req_i == '1 && take_i && others_q == Clients - 1);
    end
  end

endmodule
