//! The processor and its toolchain, against C on this machine.

mod common;
mod fuzz_seeds;
mod lockstep;
mod mutants;
mod privacy;
mod programs;
