//! The CPU engine.

mod authenticated;
mod chunk;
pub mod code;
mod engine;
mod instances;
mod latch;
mod liveness;
pub mod lower;
mod outputs;
mod parts;
mod piece;
mod program;
pub mod rate;
mod role;
mod run;
mod skip;
mod slots;
mod spool;
mod structured;
mod threads;
#[cfg(test)]
mod together_tests;
mod walk;

pub use engine::CpuEngine;
pub use threads::Threads;

/// The engine's name in errors.
const ENGINE: &str = "cpu";
