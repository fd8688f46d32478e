//! Tests of the SystemVerilog library `rtl/lib`, and of the harness that simulates designs.

mod cache;
mod rtl;
