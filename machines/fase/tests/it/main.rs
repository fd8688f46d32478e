//! FASE: engines and SystemVerilog.

mod command;
mod engine;
mod rtl;
