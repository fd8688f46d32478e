//! Tests of GarbledCPU's evaluator: engines and SystemVerilog.

mod command;
mod engine;
mod rtl;
