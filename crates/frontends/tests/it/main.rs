//! Tests of the readers and writers of circuit formats.

mod common;
mod dialects;
mod fuzz_seeds;
mod hgc_malformed;
mod hgc_round_trip;
mod hgc_structured;
mod hgc_structured_malformed;
mod malformed;
mod mutated;
mod netlist_malformed;
mod netlist_round_trip;
mod netlists;
mod round_trip;
mod samples;
mod verilog_cells;
mod verilog_common;
mod verilog_designs;
mod verilog_errors;
mod verilog_functions;
mod verilog_functions_kept;
mod verilog_kept;
mod verilog_large;
mod verilog_operators;
