//! Compares the processor and its toolchain with C on this machine.

mod common;
mod fuzz_seeds;
mod lockstep;
mod mutants;
mod privacy;
mod programs;
