//! Engines against each other and against the reference.

mod engines;
mod fuzz_seeds;
mod vectors;
