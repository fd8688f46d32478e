//! The CPU engine.

pub mod code;
mod engine;
mod latch;
mod liveness;
pub mod lower;
mod outputs;
pub mod rate;
mod run;
mod skip;
mod slots;
mod spool;

pub use engine::CpuEngine;
