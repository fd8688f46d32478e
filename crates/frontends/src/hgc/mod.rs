//! HGC, Halfgate's own circuit format: text with one gate per line, for circuits of every kind.
//! `docs/circuit-format.md` defines the format. A summary:
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
//! Wires have the same numbers as in a [`Circuit`](halfgate_circuit::Circuit): input bits,
//! flip-flops, gates. So the reader needs no map from wires of the file to wires of the circuit,
//! and a written circuit is read back gate for gate. No line declares a number of lines. No memory
//! is reserved for a declared width before the bits are read. The line `end` shows that the file
//! was not cut short.
//!
//! Version 2 will have functions and calls. Their words are reserved: in a file of version 1 they
//! are an error, whose message mentions version 2.
//!
//! Modules: `lexer` (lines to words), `types` (the types of ports as words), `words` (numbers, bits
//! and names), `read` (sections and their order), `ports` and `gate` (lines of the reader),
//! `write`; `error` is shared.

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
/// The version of the format that this code reads and writes.
pub const VERSION: u64 = 1;
/// Limit on the bytes that the name of a port takes in a file, with quotation marks and escapes.
pub const MAX_NAME_BYTES: usize = 1 << 16;
/// Limit on the bits after the point of a fixed-point number.
pub const MAX_FRACTION: u32 = 1024;
