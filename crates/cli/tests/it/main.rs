//! The command as a user has it.

mod bad_input;
mod common;
mod machines;
mod mips;
mod mobile;
mod netlists;
mod output;
mod peers;
mod programs;
mod rtl;
mod verilog;
