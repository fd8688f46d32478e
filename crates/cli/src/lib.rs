//! The `halfgate` command as a library: everything but `main`, so that tests reach
//! what is below a command.
//!
//! The way of a command: [`args`] (what was typed), [`source`] (a circuit, its program and
//! ports), [`inputs`] (a party's values, by [`halfgate_values`]), [`options`] (what a session wants),
//! [`connection`] (a channel with the peer),
//! [`commands`] (one file each), [`report`] (what came out), [`error`] (what went wrong, and the
//! exit code).

pub mod args;
pub mod commands;
pub mod connection;
pub mod device_engine;
pub mod error;
pub mod fase_engine;
pub mod garbledcpu_engine;
pub mod inputs;
pub mod interrupt;
pub mod live;
pub mod machine_args;
pub mod machine_engine;
pub mod mips_args;
pub mod mips_source;
pub mod mobile_engine;
pub mod options;
pub mod overlay_args;
pub mod overlay_engine;
pub mod print;
pub mod progress;
pub mod report;
pub mod rtl_engine;
pub mod session_args;
pub mod source;
pub mod stream;
pub mod verilog_args;
