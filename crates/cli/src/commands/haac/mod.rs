//! The commands for machines: compile, simulate, disassemble, assemble, machines, reproduce.

mod assembly;
mod compile;
mod labels;
mod machines;
mod prepare;
pub(super) mod program_file;
mod reproduce;
mod rtl;
mod simulate;
mod simulated;

pub(super) use assembly::{assemble, disassemble};
pub(super) use compile::execute as compile;
pub(super) use machines::execute as machines;
pub(super) use reproduce::execute as reproduce;
pub(super) use simulate::execute as simulate;
