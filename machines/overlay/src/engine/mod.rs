//! Engines of SIFO's overlays: the model, run with labels. They only garble; any other engine can
//! evaluate.
//!
//! [`Host`] is the host's part, which the SystemVerilog machine also uses. It writes labels into
//! DDR, passes tables on in the program's order, and reads outputs from DDR.

mod error;
mod host;
mod overlay_engine;
mod tables;

pub use error::RunError;
pub use host::{Host, Launch, Launched, Planned, suites};
pub use overlay_engine::OverlayEngine;
pub use tables::Tables;
