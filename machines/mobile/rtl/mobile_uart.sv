// SPDX-License-Identifier: MIT OR Apache-2.0

// The link as a serial line: eight bits, lowest first, and one stop bit.
//
//   port        bits  meaning
//   rx_i        1     the line, asynchronous; 1 when idle
//   tx_o        1
//   rx_valid_o  1     rx_byte_o was received
//   rx_byte_o   8
//   tx_valid_i  1     tx_byte_i is offered
//   tx_ready_o  1     the byte is taken
//   tx_byte_i   8
//
// Step is 2^16 times the line's rate, divided by the rate of clk_i. A bit takes at least three and
// a half clock cycles. A byte without a stop bit is dropped.
module mobile_uart #(
    parameter int unsigned Step = 4855
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       rx_i,
    output logic       tx_o,
    output logic       rx_valid_o,
    output logic [7:0] rx_byte_o,
    input  logic       tx_valid_i,
    output logic       tx_ready_o,
    input  logic [7:0] tx_byte_i
);
  localparam logic [16:0] Rate = 17'(Step);
  localparam logic [16:0] Half = 17'h08000;

  // ------------------------------------------------------------------------------------- receive
  logic [1:0] line_q;
  logic [15:0] phase_q;
  logic [3:0] left_q;
  logic [7:0] shift_q;
  // broken_q is set after a byte without a stop bit, until the line is idle.
  logic valid_q, broken_q;
  logic [16:0] phase;
  assign phase = {1'b0, phase_q} + Rate;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {phase_q, left_q, valid_q, broken_q} <= '0;
      line_q <= '1;
    end else begin
      line_q  <= {line_q[0], rx_i};
      valid_q <= 1'b0;
      if (left_q == '0) begin
        // A start bit is detected up to one clock cycle late. Half a clock cycle, the mean, is
        // added.
        phase_q <= Half[15:0] + Rate[16:1];
        if (line_q[1]) broken_q <= 1'b0;
        else if (!broken_q) left_q <= 4'd10;
      end else begin
        phase_q <= phase[15:0];
        if (phase[16]) begin
          left_q  <= left_q - 4'd1;
          // The start bit was only a glitch.
          if (left_q == 4'd10 && line_q[1]) left_q <= '0;
          valid_q  <= left_q == 4'd1 && line_q[1];
          broken_q <= left_q == 4'd1 && !line_q[1];
        end
      end
    end
  end
  always_ff @(posedge clk_i) if (phase[16] && left_q > 4'd1) shift_q <= {line_q[1], shift_q[7:1]};
  assign rx_valid_o = valid_q;
  assign rx_byte_o  = shift_q;

  // ------------------------------------------------------------------------------------- send
  logic [15:0] time_q;
  logic [3:0] bits_q;
  logic [8:0] out_q;
  logic [16:0] time_next;
  assign time_next  = {1'b0, time_q} + Rate;
  assign tx_ready_o = bits_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {time_q, bits_q} <= '0;
      out_q <= '1;
    end else if (bits_q == '0) begin
      time_q <= '0;
      if (tx_valid_i) begin
        bits_q <= 4'd10;
        out_q  <= {tx_byte_i, 1'b0};
      end
    end else begin
      time_q <= time_next[15:0];
      if (time_next[16]) begin
        bits_q <= bits_q - 4'd1;
        out_q  <= {1'b1, out_q[8:1]};
      end
    end
  end
  assign tx_o = out_q[0];
endmodule
