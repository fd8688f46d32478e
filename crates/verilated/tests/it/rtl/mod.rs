//! Tests of the hardware library in SystemVerilog. Without Verilator they print that they are not
//! run.

mod aes;
mod gates;
mod harness;
mod library;
