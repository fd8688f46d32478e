//! The machine's subcommands and engines for the command line.

pub mod chip;
pub mod device;
pub mod engine;
pub mod reproduce;
pub mod simulate;
