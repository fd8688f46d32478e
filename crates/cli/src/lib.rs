//! The `halfgate` command as a library: everything but `main`, so that tests reach
//! what is below a command.
//!
//! The way of a command: [`args`] (what was typed), [`ports`] (what is known about a circuit's
//! ports), [`inputs`] (a party's bits), [`options`] (what a session wants), [`connection`] (a
//! channel with the peer), [`commands`] (one file each), [`report`] (what came out), errors and
//! circuits are `halfgate_console`'s.

pub mod args;
pub mod commands;
pub mod connection;
pub mod inputs;
pub mod live;
pub mod mips_args;
pub mod options;
pub mod ports;
pub mod report;
pub mod session_args;
pub mod stream;
