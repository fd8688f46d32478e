//! HAAC in SystemVerilog. Without Verilator these tests print that they are skipped.

mod axi_port;
mod command;
mod common;
mod control;
mod disturbed;
#[cfg(feature = "dram")]
mod dram;
mod driver;
mod engine_bench;
mod equality;
mod faults;
mod folded;
mod forwarding;
mod front;
mod gate_engine;
mod memory_bench;
mod memory_parts;
mod mutants;
mod registers;
mod shapes;
mod window;
