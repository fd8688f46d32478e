//! The mobile coprocessor: engines and SystemVerilog.

mod command;
mod engine;
mod fuzz_seeds;
mod host;
mod port;
mod rtl;
mod spi;
