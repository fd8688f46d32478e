//! ABY's circuit files (`.aby`), which can only be read.
//!
//! A line begins with a letter, and the numbers after it are wires:
//!
//! | line | meaning |
//! |---|---|
//! | `S w…`, `C w…` | inputs of the server and of the client, bit 0 first |
//! | `X a b out` | `out = a ^ b` |
//! | `A a b out` | `out = a & b` |
//! | `M a b s out` | `out = s ? b : a` |
//! | `I a out` | `out = !a` |
//! | `O w…` | outputs, bit 0 first |
//! | `0 w`, `1 w` | `w` is the constant |
//! | `# …` | a comment |
//!
//! Wires -2 and -3 are the constants 0 and 1 in every file. Other wires may have any numbers. A
//! wire is driven once, by a line before the lines that read it. Only `O` lines may name wires that
//! are driven later. A single word that ends with a colon (`DFFs:`) is a heading. Any other unknown
//! line is an error here. (ABY skips such lines.)
//!
//! **The circuit of a file.** Each `S` line that has wires becomes an input `server`, and each `C`
//! line an input `client`. If there are several, a number is appended (`server0`, `server1`). `S`
//! inputs belong to the garbler and `C` inputs to the evaluator, unless [`Options::parties`] gives
//! other owners. ABY itself does not distinguish the two letters, and its own files list the inputs
//! of both parties in one `S` line. To split such an input, convert the circuit to HGC and edit the
//! file. Each `O` line is an output `out` (`out0`, `out1`). Inversions and constants take no gates,
//! and a multiplexer takes two XORs and an AND.

mod error;
mod lexer;
mod read;

pub use crate::error::ReadError;
pub use error::Problem;
pub use read::read;

use halfgate_circuit::Party;

/// Options for reading a file. By default the server's inputs are the garbler's, and inversions and
/// constants are folded away.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The owner of each input: one entry for each `S` or `C` line that has wires.
    pub parties: Option<Vec<Party>>,
    /// Keep inversions as gates. Then each line becomes one gate, and a multiplexer three gates.
    /// Only gates with a constant input change: they become copies, or are left out if their value
    /// is constant.
    pub as_given: bool,
}
