# SPDX-License-Identifier: MIT OR Apache-2.0

# Timing constraints of mobile_wide_chip as a block, for synthesis and static timing analysis (SDC).
# Set `period` (ns) before, or change it here.

if {![info exists period]} { set period 18.2 }

create_clock -name clk -period $period [get_ports clk_i]

# The serial line belongs to no clock, and busy_o is slow.
set_false_path -from [get_ports rx_i]
set_false_path -to [get_ports {tx_o busy_o}]
# The reset is synchronised outside (reset_sync or the board's registers).
set_input_delay [expr 0.6 * $period] -clock clk [get_ports rst_ni]
