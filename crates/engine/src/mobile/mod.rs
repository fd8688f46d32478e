//! Evaluating on the mobile coprocessor: what the phone does while the garbler's stream arrives ([`host`]), over any
//! [`Port`]; and the [model](engine) of the chip behind a link, as one.

pub mod engine;
pub mod host;
mod model;

pub use engine::MobileEngine;
pub use host::{Evaluates, Port, SUITES, Sent};
pub use model::{Clocked, Faulty, Hasher, Link, Linked, Modelled};
