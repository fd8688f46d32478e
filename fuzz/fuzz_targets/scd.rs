//! Any bytes as SCD: see `netlist.rs`.
#![no_main]

#[path = "../netlist.rs"]
mod netlist;

libfuzzer_sys::fuzz_target!(|data: &[u8]| netlist::check(data, false));
