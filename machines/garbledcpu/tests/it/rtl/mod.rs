//! Tests of GarbledCPU's evaluator in SystemVerilog. Without Verilator, the tests print that they
//! are not run.

mod abort;
mod command;
mod common;
mod equality;
mod modules;
mod mutants;
