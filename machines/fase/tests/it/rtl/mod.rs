//! Tests of FASE in SystemVerilog. Without Verilator, the tests print that they are not run.

mod abort;
mod command;
mod common;
mod equality;
mod memory;
mod modules;
mod mutants;
mod paper_equality;
mod paper_modules;
mod paper_mutants;
