// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts the bursts of a stream that are left to request and those in its buffer, which all engines
// share. Gives the number that may be requested.
//
// | port     | width | meaning                                                                |
// |----------|-------|------------------------------------------------------------------------|
// | clear_i  | 1     | restarts: all count_i bursts are left, the buffer is empty             |
// | count_i  | 32    | bursts of the stream                                                   |
// | request_i | 8    | bursts requested in this cycle                                         |
// | free_i   | 8     | bursts that leave the buffer in this cycle                             |
// | request_o | 8    | bursts that may be requested: the least of Most, left, and free space  |
// | none_o   | 1     | all bursts were requested, as registered                               |
//
// Latency: space freed in c can be used in c + 1. Stalls: none.

module haac_bursts_left #(
  parameter int unsigned Space = 36,
  parameter int unsigned Most = 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic [31:0] count_i,
  input  logic [7:0] request_i,
  input  logic [7:0] free_i,
  output logic [7:0] request_o,
  output logic none_o
);

  // Bits of a number of bursts in the buffer; at least those of a request.
  localparam int unsigned HeldWidth = Space < 256 ? 8 : $clog2(Space + 1);

  // The upper bits of what is left are decremented in parallel with the lower ones, as request_i
  // comes late.
  logic [31:8] upper;
  logic [31:0] left_q, left_d;
  logic [HeldWidth-1:0] held_q, free;

  assign free = HeldWidth'(Space) - held_q;
  always_comb begin
    request_o = 8'(Most);
    if (32'(request_o) > left_q) request_o = left_q[7:0];
    if (HeldWidth'(request_o) > free) request_o = free[7:0];
  end

  assign upper  = left_q[31:8] - 1'b1;
  assign left_d = {left_q[7:0] < request_i ? upper : left_q[31:8], left_q[7:0] - request_i};

  assign none_o = left_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      held_q <= '0;
    end else if (clear_i) begin
      left_q <= count_i;
      held_q <= '0;
    end else begin
      left_q <= left_d;
      held_q <= held_q - HeldWidth'(free_i) + HeldWidth'(request_i);
    end
  end

endmodule
