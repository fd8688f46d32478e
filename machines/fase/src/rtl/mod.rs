//! FASE machines in SystemVerilog as engines.
//!
//! These are the machines of `machines/fase/rtl` (scheduled) and `machines/fase/rtl/paper`
//! (published), built by Verilator. Their hosts load them, start them, and receive tables and
//! labels. [`Delivery`](crate::engine::Delivery), which all FASE engines share, passes these on to
//! the caller.
//!
//! Read [`engine`], then `machine` (ports and clock). [`paper`] has the same for the published
//! machine.
//!
//! Memory: the simulated machine, the code, and the delivery's buffers. Labels, the seed and Δ are
//! wiped, also in the machine. A waveform file, if requested, contains all of them.

pub mod engine;
mod machine;
mod options;
pub mod paper;

pub use engine::RtlFase;
pub use halfgate_scheduled::Measured;
pub use options::Options;
