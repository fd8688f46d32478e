// SPDX-License-Identifier: MIT OR Apache-2.0

// The coprocessor with the wide core on a ULX3S, which has an ECP5 LFE5U-85F and a crystal of 25
// MHz. This Verilog is only for Yosys and nextpnr, because the clock is a cell of the part.
//
// The serial line is on the FTDI chip of the board's first USB port.
module ulx3s #(
    // The PLL's output is 25 MHz * CLKFB / CLKI. Its oscillator runs at CLKOP times this frequency,
    // which must be 400 to 800 MHz.
    parameter CLKI = 5,
    parameter CLKFB = 11,
    parameter CLKOP = 11
) (
    input  wire clk_25mhz,
    input  wire btn_pwr_n,
    input  wire ftdi_txd,
    output wire ftdi_rxd,
    output wire led
);
    wire core, locked;
    (* FREQUENCY_PIN_CLKI = "25" *)
    EHXPLLL #(
        .PLLRST_ENA("DISABLED"),
        .INTFB_WAKE("DISABLED"),
        .STDBY_ENABLE("DISABLED"),
        .DPHASE_SOURCE("DISABLED"),
        .OUTDIVIDER_MUXA("DIVA"),
        .OUTDIVIDER_MUXB("DIVB"),
        .OUTDIVIDER_MUXC("DIVC"),
        .OUTDIVIDER_MUXD("DIVD"),
        .CLKI_DIV(CLKI),
        .CLKOP_ENABLE("ENABLED"),
        .CLKOP_DIV(CLKOP),
        .CLKOP_CPHASE(CLKOP / 2),
        .CLKOP_FPHASE(0),
        .FEEDBK_PATH("CLKOP"),
        .CLKFB_DIV(CLKFB)
    ) u_pll (
        .RST(1'b0),
        .STDBY(1'b0),
        .CLKI(clk_25mhz),
        .CLKOP(core),
        .CLKFB(core),
        .PHASESEL0(1'b0),
        .PHASESEL1(1'b0),
        .PHASEDIR(1'b1),
        .PHASESTEP(1'b1),
        .PHASELOADREG(1'b1),
        .PLLWAKESYNC(1'b0),
        .ENCLKOP(1'b0),
        .LOCK(locked)
    );
    // The reset ends synchronously with the clock.
    reg [2:0] reset_q = 3'd0;
    always @(posedge core) reset_q <= {reset_q[1:0], locked & btn_pwr_n};

    // This instance has the parameters with which Yosys elaborated the module.
    mobile_wide_chip u_chip (
        .clk_i(core),
        .rst_ni(reset_q[2]),
        .rx_i(ftdi_txd),
        .tx_o(ftdi_rxd),
        .busy_o(led)
    );
endmodule
