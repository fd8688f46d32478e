# SPDX-License-Identifier: MIT OR Apache-2.0

# Timing constraints of mobile_chip with Link = 0 (SPI) as a block, for synthesis and static
# timing analysis (SDC). Set `period` and `sck_period` (ns) before, or change them here.

if {![info exists period]} { set period 22.2 }
if {![info exists sck_period]} { set sck_period 66.7 }
set shorter [expr $period < $sck_period ? $period : $sck_period]

create_clock -name clk -period $period [get_ports clk_i]
create_clock -name sck -period $sck_period [get_ports sck_i]

# SPI's clock is asynchronous. A byte crosses when turn_q toggles, which clk sees through registers
# while the byte is stable for eight periods of sck. The byte to the host changes two to three periods
# of clk after that, and is taken when turn_q toggles next (mobile_spi).
set_max_delay $shorter -from [get_clocks sck] -to [get_clocks clk]
set_max_delay $shorter -from [get_clocks clk] -to [get_clocks sck]
set_false_path -hold -from [get_clocks sck] -to [get_clocks clk]
set_false_path -hold -from [get_clocks clk] -to [get_clocks sck]

set_input_delay [expr 0.4 * $sck_period] -clock sck [get_ports mosi_i]
set_output_delay [expr 0.1 * $sck_period] -clock sck [get_ports {miso_o miso_next_o}]
# Chip select and the serial line (Link = 1) belong to no clock, and tx_o and busy_o are slow.
set_false_path -from [get_ports {cs_ni rx_i}]
set_false_path -to [get_ports {tx_o busy_o}]
# The reset is synchronised outside (reset_sync or the board's registers).
set_input_delay [expr 0.6 * $period] -clock clk [get_ports rst_ni]
