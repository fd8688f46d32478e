//! What all commands share, those of the `halfgate` command and those of machines: [`error`] (what
//! went wrong, and the exit code), [`mod@print`] and [`progress`] (what the user sees),
//! [`interrupt`] (Ctrl-C), and how a circuit is named: [`circuit_args`] (the options), [`source`]
//! (from these to a circuit and its program), [`mips_source`] (programs for the garbled processor).

pub mod circuit_args;
pub mod error;
pub mod interrupt;
pub mod mips_source;
pub mod print;
pub mod progress;
pub mod source;
pub mod verilog_args;
