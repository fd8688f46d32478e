// SPDX-License-Identifier: MIT OR Apache-2.0

// The coprocessor on an iCEBreaker, which has an iCE40 UP5K and a crystal of 12 MHz. This Verilog
// is only for Yosys and nextpnr, because the clock is a cell of the part.
//
// SPI is on the lower row of PMOD 1A, and the serial line on the FTDI chip's second port.
module icebreaker #(
    // The PLL's output is 12 MHz * (DIVF + 1) / 2^DIVQ.
    parameter DIVF = 53,
    parameter DIVQ = 4
) (
    input  wire clk,
    input  wire button_n,
    input  wire sck,
    input  wire cs_n,
    input  wire mosi,
    output wire miso,
    input  wire rx,
    output wire tx,
    output wire led_n
);
    wire core, locked;
    SB_PLL40_PAD #(
        .FEEDBACK_PATH("SIMPLE"),
        .DIVR(4'd0),
        .DIVF(DIVF),
        .DIVQ(DIVQ),
        .FILTER_RANGE(3'd1)
    ) u_pll (
        .PACKAGEPIN(clk),
        .PLLOUTGLOBAL(core),
        .LOCK(locked),
        .RESETB(1'b1),
        .BYPASS(1'b0)
    );
    // The reset ends synchronously with the clock.
    reg [2:0] reset_q = 3'd0;
    always @(posedge core) reset_q <= {reset_q[1:0], locked & button_n};

    // SPI's clock is on a global clock net. The bit to the host leaves from a register in its pad
    // at the falling edge, which has the shortest delay.
    wire spi_clock, miso_next;
    SB_GB_IO #(
        .PIN_TYPE(6'b000001)
    ) u_sck (
        .PACKAGE_PIN(sck),
        .GLOBAL_BUFFER_OUTPUT(spi_clock)
    );
    SB_IO #(
        .PIN_TYPE(6'b010101),
        .NEG_TRIGGER(1'b1)
    ) u_miso (
        .PACKAGE_PIN(miso),
        .OUTPUT_CLK(spi_clock),
        .D_OUT_0(miso_next)
    );

    wire busy;
    // This instance has the parameters with which Yosys elaborated the module.
    mobile_chip u_chip (
        .clk_i(core),
        .rst_ni(reset_q[2]),
        .sck_i(spi_clock),
        .cs_ni(cs_n),
        .mosi_i(mosi),
        .miso_o(),
        .miso_next_o(miso_next),
        .rx_i(rx),
        .tx_o(tx),
        .busy_o(busy)
    );
    assign led_n = !busy;
endmodule
