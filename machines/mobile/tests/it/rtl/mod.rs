//! The mobile coprocessor in SystemVerilog. Without Verilator these tests report that they are not
//! run.

mod command;
mod common;
mod equality;
mod links;
mod mutants;
mod pins;
mod wide_common;
mod wide_equality;
mod wide_mutants;
