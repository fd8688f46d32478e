//! ABY's circuit files (`.aby`), which are read only.
//!
//! A line begins with a letter, and the numbers behind it are wires:
//!
//! | line | meaning |
//! |---|---|
//! | `S w…`, `C w…` | inputs, bit 0 first; of the server and of the client |
//! | `X a b out` | `out = a ^ b` |
//! | `A a b out` | `out = a & b` |
//! | `M a b s out` | `out = s ? b : a` |
//! | `I a out` | `out = !a` |
//! | `O w…` | outputs, bit 0 first |
//! | `0 w`, `1 w` | `w` is the constant |
//! | `# …` | a comment |
//!
//! Wires -2 and -3 are the constants 0 and 1 in every file. Others may have any numbers. A wire is
//! driven once, and before the line that reads it; only outputs may be named earlier. A word that
//! ends with a colon and stands alone (`DFFs:`) is a heading. ABY skips any other line that it does
//! not know; here it is an error.
//!
//! **What a file becomes.** Each `S` line that has wires is an input `server`, and each `C` line an
//! input `client`, with a number behind it (`server0`, `server1`) where there are several. `S` is
//! the garbler and `C` the evaluator, unless [`Options::parties`] says otherwise. ABY itself makes
//! no difference between the two letters, and its own files list the inputs of both parties in one
//! `S` line; such a line is split where the circuit is written as HGC. Each `O` line is an output
//! `out` (`out0`, `out1`). An inversion and a constant are no gates, and a multiplexer is two XORs
//! and an AND.

mod error;
mod lexer;
mod read;

pub use crate::error::ReadError;
pub use error::Problem;
pub use read::read;

use halfgate_circuit::Party;

/// How to read a file. The default makes the server's inputs the garbler's and folds inversions and
/// constants away.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whose each input is: one entry for each `S` or `C` line that has wires.
    pub parties: Option<Vec<Party>>,
    /// Keep inversions as gates, so that there is a gate for each line, and three for each
    /// multiplexer. Only gates with a constant input change: they become copies, or, where their
    /// value is constant, are left out.
    pub as_given: bool,
}
