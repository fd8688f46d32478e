//! Compares the processor and its toolchain with C programs that are compiled for this computer.

mod common;
mod fuzz_seeds;
mod lockstep;
mod mutants;
mod privacy;
mod programs;
