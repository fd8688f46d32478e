//! A processor as the circuit: C programs run on secret inputs, one instruction a cycle.
//!
//! Songhori, Zeitouni, Dessouky, Schneider, Sadeghi and Koushanfar (DAC 2016) garble a MIPS
//! processor: who can write C can compute with another party, and how much of the processor is
//! garbled decides what stays private.
//!
//! Read in this order: [`isa`] (instructions and the sets of them that a processor may have), [`word`] (an
//! instruction in its 32 bits), [`processor`] (what it does, in the clear: the oracle),
//! [`core`] (the processor as a circuit), [`image`] (a program with its ports), [`mod@lower`] (fitting assembly to a
//! set), [`toolchain`] (from C to a program), [`mod@bind`] and [`mod@unroll`] (from both to the circuit that two parties run), [`privacy`] (how much
//! of a program that hides), [`known`] (what both know of a public program as it runs) and [`interface`] (what the evaluator is told of it).

pub mod bind;
pub mod core;
pub mod image;
pub mod interface;
pub mod isa;
pub mod known;
pub mod lower;
mod places;
pub mod privacy;
pub mod processor;
pub mod toolchain;
pub mod unroll;
pub mod word;
