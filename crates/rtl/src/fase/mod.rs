//! The scheduled FASE in SystemVerilog as an engine.
//!
//! The machine of `rtl/fase`, built by Verilator, with a host that loads its kernel, starts it, and takes tables
//! and labels; what is done with these is the affair of every FASE
//! ([`Delivery`](halfgate_engine::fase::Delivery)).
//!
//! Read [`engine`], then `machine` (its ports and clock).
//!
//! Memory: the simulated machine, the code, and what the delivery holds. Labels, the seed and Δ are wiped, in the
//! machine too; waveforms, if they are asked for, have all of them.

pub mod engine;
mod machine;
mod options;

pub use engine::RtlFase;
pub use machine::Measured;
pub use options::Options;
