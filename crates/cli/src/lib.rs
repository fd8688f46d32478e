//! The `halfgate` command as a library, with everything but `main`, so that tests reach the parts
//! of a command.
//!
//! A command passes through these modules: [`args`] (command line), [`ports`] (properties of a
//! circuit's ports), [`inputs`] (a party's bits), [`options`] (options of a session),
//! [`connection`] (a channel to the peer), [`config`] (peers and keys by name), [`commands`] (one
//! file each), [`report`] (results), and [`guard`] (protection of this process). Errors and
//! circuits are in `halfgate_console`. [`logging`] and [`serving`] (the host of a server) are not
//! part of this sequence.

pub mod args;
pub mod commands;
pub mod config;
pub mod connection;
pub mod failures;
pub mod guard;
pub mod inputs;
pub mod instances_args;
pub mod live;
pub mod logging;
pub mod mips_args;
pub mod options;
pub mod phases;
pub mod ports;
pub mod preprocessing_args;
pub mod report;
pub mod serve_args;
pub mod serving;
pub mod session_args;
pub mod silicon_args;
pub mod stream;
pub mod tool_args;
