//! Tests of FASE's engines and SystemVerilog.

mod command;
mod engine;
mod rtl;
