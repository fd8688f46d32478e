// The coprocessor on an iCEBreaker: iCE40 UP5K, a crystal of 12 MHz. Verilog for Yosys and nextpnr alone: the clock is a cell of the part.
//
// SPI is at PMOD 1A, the serial line at the FTDI chip's second port.
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
    // Leaves its reset with a clock.
    reg [2:0] reset_q = 3'd0;
    always @(posedge core) reset_q <= {reset_q[1:0], locked & button_n};

    wire busy;
    // With the parameters that it was read with.
    mobile_chip u_chip (
        .clk_i(core),
        .rst_ni(reset_q[2]),
        .sck_i(sck),
        .cs_ni(cs_n),
        .mosi_i(mosi),
        .miso_o(miso),
        .rx_i(rx),
        .tx_o(tx),
        .busy_o(busy)
    );
    assign led_n = !busy;
endmodule
