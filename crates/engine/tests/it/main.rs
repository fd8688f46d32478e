//! Compares engines with each other and with the reference.

mod authenticated;
mod engines;
mod fuzz_seeds;
mod vectors;
