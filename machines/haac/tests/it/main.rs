//! Tests of HAAC's engines and SystemVerilog.

mod command;
mod command_sessions;
mod engine;
mod engine_mutants;
mod fuzz_seeds;
mod rtl;
