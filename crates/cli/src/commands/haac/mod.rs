//! The commands for machines: compile, simulate, machines, reproduce.

mod compile;
mod machines;
mod prepare;
pub(super) mod program_file;
mod reproduce;
mod simulate;
mod simulated;

pub(super) use compile::execute as compile;
pub(super) use machines::execute as machines;
pub(super) use reproduce::execute as reproduce;
pub(super) use simulate::execute as simulate;
