//! SIFO's overlays as engines: the model with labels in it. They garble only: the evaluator is any
//! other engine.
//!
//! [`Host`] is the host's part, which the machine in SystemVerilog has as well: it puts labels into
//! DDR, takes tables as they are made and hands them on in the program's order, and takes outputs
//! from DDR.

mod error;
mod host;
mod overlay_engine;
mod tables;

pub use error::RunError;
pub use host::{Host, Launch, Launched, Planned, suites};
pub use overlay_engine::OverlayEngine;
pub use tables::Tables;
