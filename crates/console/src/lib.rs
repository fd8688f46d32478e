//! Code that all commands share, those of `halfgate` and those of machines: [`error`] (error
//! messages and exit codes), [`mod@print`] and [`progress`] (output to the user), [`interrupt`]
//! (Ctrl-C), and the selection of a circuit: [`circuit_args`] (its options), [`source`] (from
//! options to a circuit and its program), [`mips_source`] (programs for the garbled processor);
//! [`places`] (the user's own folders).

pub mod circuit_args;
pub mod error;
pub mod interrupt;
pub mod mips_source;
pub mod places;
pub mod print;
pub mod progress;
pub mod source;
pub mod verilog_args;
