//! GarbledCPU's evaluators in SystemVerilog (`machines/garbledcpu/rtl`) as engines.
//!
//! Verilator builds them. The host loads the gate memory, supplies input labels and tables in the
//! machine's order, and takes the labels of outputs. [`Supply`](crate::engine::Supply) converts
//! between this order and the program's.
//!
//! Read [`engine`], then `machine` (ports and clock) and `feed` (the sequence of labels and
//! tables).
//!
//! Memory: the simulated machine, the code, and the supply's buffers. Labels are wiped, also in the
//! machine. A waveform file, if requested, contains all of them.

pub mod engine;
mod feed;
mod machine;

pub use engine::{Options, RtlGarbledCpu};
