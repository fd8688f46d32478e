// SPDX-License-Identifier: MIT OR Apache-2.0

// The coprocessor with its memory and its link. This is the board's design without the clock.
//
//   port    bits  meaning
//   sck_i, cs_ni, mosi_i, miso_o, miso_next_o   SPI (`mobile_spi`), if Link = 0
//   rx_i, tx_o                     a serial line, if Link = 1
//   busy_o  1     an item is being executed
module mobile_chip #(
    parameter int unsigned Link = 0,
    // For a serial line: its rate, see `mobile_uart`. The default is 3 Mbaud at 40.5 MHz.
    parameter int unsigned Step = 4855,
    // See `mobile`.
    parameter int unsigned Round = 0,
    localparam int unsigned Width = mobile_types_pkg::SlotWidth + 1
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic sck_i,
    input  logic cs_ni,
    input  logic mosi_i,
    output logic miso_o,
    output logic miso_next_o,
    input  logic rx_i,
    output logic tx_o,
    output logic busy_o
);
  logic rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_byte, tx_byte;
  if (Link == 0) begin : gen_spi
    mobile_spi u_spi (
        .clk_i, .rst_ni, .sck_i, .cs_ni, .mosi_i, .miso_o, .miso_next_o, .rx_valid_o(rx_valid), .rx_byte_o(rx_byte),
        .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_byte_i(tx_byte));
    // The serial line is not used, so it stays idle.
    assign tx_o = rx_i | 1'b1;
  end else begin : gen_uart
    mobile_uart #(.Step(Step)) u_uart (
        .clk_i, .rst_ni, .rx_i, .tx_o, .rx_valid_o(rx_valid), .rx_byte_o(rx_byte),
        .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_byte_i(tx_byte));
    assign {miso_o, miso_next_o} = {2{sck_i & cs_ni & mosi_i}};
  end

  logic mem_valid, mem_ready, mem_write, mem_came;
  logic [Width-1:0] mem_address;
  logic [63:0] mem_data, mem_word;
  // Outputs for tests.
  logic unused_taken;
  logic [7:0] unused_items;
  mobile_types_pkg::steps_t execute;
  mobile #(.Round(Round)) u_mobile (
      .clk_i, .rst_ni, .rx_valid_i(rx_valid), .rx_byte_i(rx_byte), .tx_valid_o(tx_valid),
      .tx_ready_i(tx_ready), .tx_byte_o(tx_byte), .mem_valid_o(mem_valid), .mem_ready_i(mem_ready),
      .mem_write_o(mem_write), .mem_address_o(mem_address), .mem_data_o(mem_data),
      .mem_valid_i(mem_came), .mem_data_i(mem_word), .taken_o(unused_taken), .items_o(unused_items),
      .execute_o(execute));
  mobile_ram #(.Width(Width)) u_ram (
      .clk_i, .rst_ni, .valid_i(mem_valid), .ready_o(mem_ready), .write_i(mem_write),
      .address_i(mem_address), .data_i(mem_data), .valid_o(mem_came), .data_o(mem_word));
  logic unused;
  assign unused = ^execute;
  assign busy_o = !execute[mobile_types_pkg::Idle];
endmodule
