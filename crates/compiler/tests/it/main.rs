//! Checks compiled programs against their circuits.

mod common;
mod compile;
mod gate_engines;
