//! The commands for machines: compile, simulate, disassemble, assemble, machines.

mod assembly;
mod compile;
pub(super) mod labels;
mod machines;
mod prepare;
pub(super) mod program_file;
mod rtl;
mod simulate;
mod simulated;

pub(super) use assembly::{assemble, disassemble};
pub(super) use compile::execute as compile;
pub(super) use machines::execute as machines;
pub(super) use simulate::execute as simulate;
