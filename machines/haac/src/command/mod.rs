//! The machine's commands (compile, simulate, disassemble, assemble, synth) and its engines.

mod assembly;
mod compared;
mod compile;
pub mod image;
pub mod model;
mod prepare;
pub mod program_file;
pub mod reproduce;
mod rtl;
pub mod rtl_engine;
mod simulate;
mod simulated;
pub mod synth;

pub use assembly::{assemble, disassemble};
pub use compile::execute as compile;
pub use simulate::execute as simulate;
