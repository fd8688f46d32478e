//! The library of SystemVerilog in SystemVerilog. Without Verilator these tests say that they are
//! not run.

mod aes;
mod gates;
mod harness;
mod library;
