//! SystemVerilog machines behind the Engine trait.
//!
//! The sources are under `rtl/`; Verilator makes a library of them when one is asked for, which is
//! loaded at run time, so that `cargo build` needs neither.

pub mod registers;
