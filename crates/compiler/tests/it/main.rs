//! Checks compiled programs against their circuits.

mod common;
mod compile;
mod functions;
mod gate_engines;
