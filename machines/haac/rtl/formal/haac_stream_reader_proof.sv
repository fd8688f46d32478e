// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_stream_reader, with any requests up to the number that may wait.

module haac_stream_reader_proof #(
  parameter int unsigned AddrWidth    = 12,
  parameter int unsigned RequestWidth = 2,
  parameter int unsigned Step         = 128,
  parameter int unsigned Most         = 5
) (
  input logic                    clk_i,
  input logic                    start_i,
  input logic [AddrWidth-1:0]    base_i,
  input logic [RequestWidth-1:0] request_i,
  input logic                    ack_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic req;
  logic [AddrWidth-1:0] addr;
  haac_stream_reader #(
    .AddrWidth(AddrWidth), .RequestWidth(RequestWidth), .Step(Step), .Most(Most)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .start_i, .base_i, .request_i, .req_o(req), .addr_o(addr), .ack_i
  );

  // Bursts requested and sent since the start, and its base.
  logic started_q;
  logic [31:0] requested_q, sent_q;
  logic [AddrWidth-1:0] base_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || start_i) begin
      started_q   <= rst_n;
      requested_q <= '0;
      sent_q      <= '0;
      base_q      <= base_i;
    end else begin
      requested_q <= requested_q + 32'(request_i);
      sent_q      <= sent_q + 32'(ack_i);
    end
  end

  always_comb begin
    if (rst_n) begin
      assume (!ack_i || req);
      assume (requested_q - sent_q + 32'(request_i) <= Most);

      order: assert (!started_q || addr == AddrWidth'(32'(base_q) + sent_q * Step));
      no_more: assert (req == (requested_q != sent_q) && requested_q - sent_q <= Most);
      inv_waiting: assert (32'(u_dut.waiting_q) == requested_q - sent_q);

      sends: cover (started_q && ack_i && sent_q == 2 && requested_q == 4);
      waits: cover (requested_q - sent_q == Most);
    end
  end

endmodule
