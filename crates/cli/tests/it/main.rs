//! Tests of the command as a user runs it.

mod bad_input;
mod guard;
mod hgc;
mod instances;
mod kept;
mod library;
mod machines;
mod malicious;
mod mips;
mod netlists;
mod output;
mod peers;
mod preprocessing;
mod programs;
mod recorded;
mod security;
mod serve;
mod tools;
mod unknown_peers;
mod values;
mod verilog;
mod walks;
