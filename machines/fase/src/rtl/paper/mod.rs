//! The published machines in SystemVerilog as engines.

mod engine;
mod machine;
mod options;

pub use engine::{RtlPaper, Watcher};
pub use machine::Clock;
pub use options::PIPELINES;
