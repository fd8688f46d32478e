//! The machine's subcommands and engines for the command line.

pub mod args;
pub mod engine;
pub mod layers;
pub mod reproduce;
pub mod simulate;
pub mod stream;
