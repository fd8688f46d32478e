//! The `halfgate` command as a library: everything but `main`, so that tests reach
//! what is below a command.
//!
//! The way of a command: [`args`] (what was typed), [`ports`] (what is known about a circuit's
//! ports), [`inputs`] (a party's bits), [`options`] (what a session wants), [`connection`] (a
//! channel with the peer), [`config`] (peers and keys by name), [`commands`] (one file each),
//! [`report`] (what came out), [`guard`] (who may look on); errors and circuits are
//! `halfgate_console`'s. [`logging`] is beside that way, and so is [`serving`] (what a server asks
//! of the command).

pub mod args;
pub mod commands;
pub mod config;
pub mod connection;
pub mod failures;
pub mod guard;
pub mod inputs;
pub mod live;
pub mod logging;
pub mod mips_args;
pub mod options;
pub mod ports;
pub mod report;
pub mod serve_args;
pub mod serving;
pub mod session_args;
pub mod stream;
pub mod tool_args;
