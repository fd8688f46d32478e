//! The published machine.

mod engine;
mod machine;
mod options;

pub use engine::{RtlPaper, Watcher};
pub use machine::Clock;
pub use options::PIPELINES;
