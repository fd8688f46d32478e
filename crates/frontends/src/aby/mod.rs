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
//! wire is driven once, and before the line that reads it; only an `O` line may name it earlier. A
//! single word that ends with a colon (`DFFs:`) is a heading. ABY skips any other unknown line;
//! here it is an error.
//!
//! **The circuit of a file.** Each `S` line that has wires is an input `server`, and each `C` line
//! an input `client`, with a number appended (`server0`, `server1`) if there are several. `S`
//! belongs to the garbler and `C` to the evaluator, unless [`Options::parties`] changes that. ABY
//! itself does not distinguish the two letters, and its own files list the inputs of both parties
//! in one `S` line. Such a line can be split after converting the circuit to HGC. Each `O` line is
//! an output `out` (`out0`, `out1`). Inversions and constants take no gates, and a multiplexer
//! takes two XORs and an AND.

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
    /// Keep inversions as gates. There is then one gate per line, and three for each multiplexer.
    /// Only gates with a constant input change: they become copies, or are left out if their value
    /// is constant.
    pub as_given: bool,
}
