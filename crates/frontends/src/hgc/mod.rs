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
//! is reserved for a declared number before the bits are read. The line `end` shows that the file
//! was not cut short.
//!
//! Version 2 adds functions and calls:
//!
//! ```text
//! halfgate-circuit 2
//! function full-adder inputs 3 outputs 2
//! 3 = xor 0 1
//! 4 = xor 0 2
//! 5 = and 3 4
//! 6 = xor 5 0
//! 7 = xor 4 1
//! return 6..7
//! end-function
//! input a garbler 8 unsigned
//! input b evaluator 8 unsigned
//! 16 = xor 0 0
//! 17..25 = call full-adder fold 8 state 1
//! shared 16
//! slice 1 from 0 run-stride 1 bit-stride 0
//! slice 1 from 8 run-stride 1 bit-stride 0
//! output sum 9 unsigned
//! bits 18..25 17
//! end
//! ```
//!
//! Its words are reserved: in a file of version 1 they are an error, whose message mentions version
//! 2.
//!
//! Modules: `lexer` (lines to words), `types` (the types of ports as words), `words` (numbers, bits
//! and names), `line` (the kinds of lines), `read` (sections and their order), `ports`, `gate`,
//! `functions`, `call`, `body` and `definition` (lines of the reader), `write` (the writer, and its
//! ports), `write_body` (its functions, gates and calls); `error` is shared.

mod body;
mod call;
mod definition;
mod error;
mod functions;
mod gate;
mod lexer;
mod line;
mod ports;
mod read;
mod types;
mod words;
mod write;
mod write_body;

pub use crate::error::ReadError;
pub use error::{CallProblem, Problem, TypeProblem, WriteError};
pub use read::{read, read_structured};
pub use types::word as type_word;
pub use write::{write, write_structured};

/// The first word of a file.
pub const MAGIC: &str = "halfgate-circuit";
/// The newest version of the format, which has functions and calls.
pub const VERSION: u64 = 2;
/// The version of a file without functions. The writer uses it for a circuit without calls.
pub const FLAT_VERSION: u64 = 1;
/// Limit on the bytes that a name takes in a file, with quotation marks and escapes.
pub const MAX_NAME_BYTES: usize = 1 << 16;
/// Limit on the bits after the point of a fixed-point number.
pub const MAX_FRACTION: u32 = 1024;
/// Limit on the output bits of a file, in addition to one for each of its bytes and one for each
/// wire that its gates and calls drive. So a few words do not make outputs that fill the memory.
pub const MAX_REPEATED: u64 = 1 << 20;
/// Limit on the wires of a range in an argument or in a function's outputs, so that the memory of a
/// reader follows the bytes of the file.
pub const MAX_RANGE: u32 = 64;
