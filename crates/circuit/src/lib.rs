//! Circuits, independent of how they are garbled.
//!
//! Reading order: [`id`] (wires and bits), [`bit_runs`] (long lists of bits), [`gate`] (the three
//! gates), [`gates`] (the list of gates, which may exceed memory), [`circuit`] (a whole circuit,
//! with ports and flip-flops), [`verify`] (validity), [`builder`], [`int`], [`fixed`](mod@fixed)
//! and [`float`] (writing circuits), [`mod@array`], [`sort`], [`permute`], [`prefix`] and [`text`]
//! (lists of values), [`aes`], [`keccak`] and [`lfsr`] (cryptography inside a circuit), [`bits`]
//! (values), [`element`] (types of ports), [`clear`] (evaluation on public values), [`stats`] and
//! [`layers`] (sizes), [`structured`] (circuits with functions, maps and folds), [`SourceMap`]
//! (source lines of gates), [`random`] (circuits for tests), [`positioned`] (file access by
//! offset).

pub mod aes;
pub mod array;
pub mod bit_runs;
pub mod bits;
pub mod builder;
pub mod circuit;
pub mod clear;
pub mod element;
mod first_uses;
pub mod fixed;
pub mod float;
pub mod gate;
pub mod gates;
pub mod id;
pub mod int;
pub mod keccak;
#[cfg(test)]
mod lanes;
pub mod layers;
pub mod lfsr;
pub mod permute;
pub mod positioned;
pub mod prefix;
pub mod random;
pub mod sort;
mod source_map;
pub mod stats;
pub mod structured;
pub mod text;
pub mod verify;

pub use bit_runs::BitRuns;
pub use bits::Bits;
pub use builder::Builder;
pub use circuit::{Circuit, FlipFlop, Init, Input, Output, Party};
pub use element::{Element, ElementType};
pub use first_uses::first_uses;
pub use gate::{Gate, GateKind, Shape};
pub use gates::Gates;
pub use id::{Bit, Wire};
pub use layers::Layers;
pub use source_map::SourceMap;
pub use stats::Stats;
