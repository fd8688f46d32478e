//! The CPU engine.

pub mod code;
pub mod lower;
mod liveness;
mod spool;
