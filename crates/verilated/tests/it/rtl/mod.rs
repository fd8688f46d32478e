//! Tests of the hardware library in SystemVerilog. Without Verilator, the tests print that they are
//! not run.

mod aes;
mod gate_level;
mod gates;
mod harness;
mod library;
