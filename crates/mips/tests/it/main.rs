//! The processor and its toolchain, against C on this machine.

mod common;
mod lockstep;
mod mutants;
mod privacy;
mod programs;
