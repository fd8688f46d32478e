# SPDX-License-Identifier: MIT OR Apache-2.0

# Timing constraints of overlay with LinkClock = 1 as a block, for synthesis and static timing
# analysis (SDC). Set `period` and `link_period` (ns) before, or change them here.

if {![info exists period]} { set period 5.0 }
if {![info exists link_period]} { set link_period 8.0 }
set shorter [expr $period < $link_period ? $period : $link_period]

create_clock -name clk -period $period [get_ports clk_i]
create_clock -name link -period $link_period [get_ports link_clk_i]

# The clocks are asynchronous. All paths between them are in fifo_async: pointers in Gray code, of
# which one bit changes at a time, and entries, which are stable while they are read. All bits of a
# pointer must arrive within one period, and so must an entry before its pointer is read.
set_max_delay $shorter -from [get_clocks link] -to [get_clocks clk]
set_max_delay $shorter -from [get_clocks clk] -to [get_clocks link]
set_false_path -hold -from [get_clocks link] -to [get_clocks clk]
set_false_path -hold -from [get_clocks clk] -to [get_clocks link]

# Ports belong to clk, except the link's.
set_input_delay [expr 0.6 * $period] -clock clk [get_ports -quiet {start_i half_i form_i* base_i* delta_i* point_i* wipe_i ddr_*_i* table_ready_i}]
set_output_delay [expr 0.4 * $period] -clock clk [all_outputs]
set_input_delay [expr 0.6 * $link_period] -clock link [get_ports {link_valid_i link_data_i* link_count_i*}]
set_output_delay [expr 0.4 * $link_period] -clock link [get_ports link_ready_o]

# The reset is released with clk (reset_sync), while link has no edge.
set_input_delay [expr 0.6 * $period] -clock clk [get_ports rst_ni]
set_false_path -from [get_ports rst_ni] -to [get_clocks link]
