//! GarbledCPU's evaluator in SystemVerilog. Without Verilator these tests say that they are not
//! run.

mod abort;
mod command;
mod common;
mod equality;
mod modules;
mod mutants;
