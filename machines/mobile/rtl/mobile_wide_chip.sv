// SPDX-License-Identifier: MIT OR Apache-2.0

// The coprocessor with the wide core and its link, a serial line. This is the board's design
// without the clock.
//
//   parameter  meaning
//   Units      AND units
//   Step       rate of the line, see `mobile_uart`; the default is 3 Mbaud at 55 MHz
//
//   port    bits  meaning
//   rx_i    1     the serial line
//   tx_o    1
//   busy_o  1     labels are read, written or wiped
module mobile_wide_chip #(
    parameter int unsigned Units = 4,
    parameter int unsigned Step  = 3575
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic rx_i,
    output logic tx_o,
    output logic busy_o
);
  logic rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_byte, tx_byte;
  mobile_uart #(.Step(Step)) u_uart (
      .clk_i, .rst_ni, .rx_i, .tx_o, .rx_valid_o(rx_valid), .rx_byte_o(rx_byte), .tx_valid_i(tx_valid),
      .tx_ready_o(tx_ready), .tx_byte_i(tx_byte));
  mobile_wide_device #(.Units(Units)) u_device (
      .clk_i, .rst_ni, .rx_valid_i(rx_valid), .rx_byte_i(rx_byte), .tx_valid_o(tx_valid), .tx_ready_i(tx_ready),
      .tx_byte_o(tx_byte), .busy_o);
endmodule
