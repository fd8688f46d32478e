//! SIFO's overlay: engines and SystemVerilog.

mod command;
mod engine;
mod fuzz_seeds;
mod rtl;
