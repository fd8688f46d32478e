//! HGC, Halfgate's own circuit format: text, a gate a line, with everything that a circuit has.
//! `docs/circuit-format.md` defines it; this is the summary.
//!
//! ```text
//! halfgate-circuit 1
//! cycles 8
//! input a garbler 1 per-cycle unsigned
//! input b evaluator 1 per-cycle unsigned
//! flip-flop 2 = false
//! 3 = xor 0 2
//! 4 = xor 1 2
//! 5 = and 3 4
//! 6 = xor 5 2
//! 7 = xor 3 1
//! output sum 1 per-cycle unsigned
//! bits 7
//! next 2 = 6
//! end
//! ```
//!
//! Wires have the numbers that they have in a [`Circuit`](halfgate_circuit::Circuit): input bits,
//! flip-flops, gates. So a file is read without a map from its wires to the circuit's, and what was
//! written is read back gate for gate. Nothing in a file announces a number of lines, and nothing
//! is reserved for a width before the bits are there. The line `end` tells a whole file from one
//! that was cut short.
//!
//! Version 2 is to have functions and calls. Their words are reserved: in a file of version 1 they
//! are an error that says so.
//!
//! In here: `lexer` (lines to words), `types` (what the bits of a port mean, as words), `words`
//! (numbers, bits and names), `read` (sections and their order), `ports` and `gate` (lines of the
//! reader), `write`; `error` serves them.

mod error;
mod gate;
mod lexer;
mod ports;
mod read;
mod types;
mod words;
mod write;

pub use crate::error::ReadError;
pub use error::{Problem, TypeProblem, WriteError};
pub use read::read;
pub use types::word as type_word;
pub use write::write;

/// The first word of a file.
pub const MAGIC: &str = "halfgate-circuit";
/// The version of the format that is read and written.
pub const VERSION: u64 = 1;
/// Bytes that the name of a port may take in a file, with quotation marks and escapes.
pub const MAX_NAME_BYTES: usize = 1 << 16;
/// Bits after the point that a number of fixed point may have.
pub const MAX_FRACTION: u32 = 1024;
