//! Compares engines with each other and with the reference.

mod engines;
mod fuzz_seeds;
mod vectors;
