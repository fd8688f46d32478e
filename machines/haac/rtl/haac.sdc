# SPDX-License-Identifier: MIT OR Apache-2.0

# Timing constraints of haac_1ge and the other tops of this machine as a block, for synthesis and
# static timing analysis (SDC). Set `period` (ns) before, or change it here.

if {![info exists period]} { set period 1.0 }

create_clock -name clk -period $period [get_ports clk_i]

# Ports belong to clk. Each side of a port gets a part of the period.
set_input_delay [expr 0.6 * $period] -clock clk [get_ports -quiet {s_axil_*_i* m_axi_*_i*}]
set_output_delay [expr 0.4 * $period] -clock clk [all_outputs]

# The reset falls and rises at any time. Inside it reaches only reset_sync, which releases it with
# the clock.
set_false_path -from [get_ports rst_ni]
