//! The library of SystemVerilog and the harness that simulates it.

mod cache;
mod rtl;
