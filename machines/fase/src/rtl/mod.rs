//! FASE machines in SystemVerilog as engines.
//!
//! The machines of `machines/fase/rtl` (scheduled) and `machines/fase/rtl/paper` (published), built
//! by Verilator, with hosts that load them, start them, and take tables and labels; what is done
//! with these is the affair of every FASE ([`Delivery`](crate::engine::Delivery)).
//!
//! Read [`engine`], then `machine` (ports and clock); [`paper`] is the same for the published machine.
//!
//! Memory: the simulated machine, the code, and what the delivery holds. Labels, the seed and Δ are wiped, in the
//! machine too; waveforms, if they are asked for, have all of them.

pub mod engine;
mod machine;
mod options;
pub mod paper;

pub use engine::RtlFase;
pub use halfgate_scheduled::Measured;
pub use options::Options;
