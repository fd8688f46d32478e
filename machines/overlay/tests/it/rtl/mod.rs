//! SIFO's overlay in SystemVerilog. Without Verilator these tests report that they are not run.

mod abort;
mod command;
mod common;
mod equality;
mod modules;
mod mutants;
