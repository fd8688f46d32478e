# SPDX-License-Identifier: MIT OR Apache-2.0

# Timing constraints of garbledcpu as a block, for synthesis and static timing analysis (SDC). Set
# `period` (ns) before, or change it here.

if {![info exists period]} { set period 5.0 }

create_clock -name clk -period $period [get_ports clk_i]

# Ports belong to clk. Each side of a port gets a part of the period.
set_input_delay [expr 0.6 * $period] -clock clk [get_ports -quiet {load_* start_i point_i* interval_i* words_i* delay_i* cycles_i* ands_i* initials_i* wipe_i input_* table_valid_i* table_i* ready_i rst_ni}]
set_output_delay [expr 0.4 * $period] -clock clk [all_outputs]

# The reset is synchronised outside (reset_sync), so its release is timed as any other input.
