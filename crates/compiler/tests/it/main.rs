//! Programs that the compiler makes, against the circuits they come from.

mod common;
mod compile;
mod gate_engines;
