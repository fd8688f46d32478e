//! A garbled processor: C programs run on secret inputs, one instruction per cycle.
//!
//! Songhori, Zeitouni, Dessouky, Schneider, Sadeghi and Koushanfar (DAC 2016) garble a MIPS
//! processor. So anyone who can write C can compute with another party. What stays private depends
//! on how much of the processor is garbled.
//!
//! Reading order: [`isa`] (instructions and sets of them), [`word`] (the encoding of an
//! instruction), [`processor`] (the processor in the clear, which is the reference), [`core`] (the
//! processor as a circuit), [`image`] (a program with its ports), [`mod@lower`] (fits assembly to
//! a set), [`toolchain`] (builds a program from C), [`mod@bind`] and [`mod@unroll`] (make the
//! circuit that two parties run), [`privacy`] (the modes, and what each reveals), [`known`] (what
//! is public while a public program runs) and [`interface`] (the description of a private program
//! for the evaluator).

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
