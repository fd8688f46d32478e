//! GarbledCPU's evaluators in SystemVerilog (`machines/garbledcpu/rtl`) as engines.
//!
//! Built by Verilator, with a host that loads the gate memory, gives input labels and tables in the order in which the
//! machine wants them, and takes the labels of outputs; what the program's order has to do with that is the affair of
//! [`Supply`](crate::engine::Supply).
//!
//! Read [`engine`], then `machine` (ports and clock) and `feed` (which label and table are next).
//!
//! Memory: the simulated machine, the code, and what the supply holds. Labels are wiped, in the machine too;
//! waveforms, if they are asked for, have all of them.

pub mod engine;
mod feed;
mod machine;

pub use engine::{Options, RtlGarbledCpu};
