//! The two Bristol formats: Tillich and Smart's circuits of bits ("old"), and Bristol Fashion,
//! which succeeds it.
//!
//! Both are text with one gate per line; wires are named by number. The first wires are the inputs,
//! the last wires the outputs, bit 0 of each value first.
//!
//! | | old | Fashion |
//! |---|---|---|
//! | line 1 | `gates wires` | `gates wires` |
//! | line 2 | `n1 n2 n3`: bits of two inputs and the output | number of inputs, width of each |
//! | line 3 | | number of outputs, width of each |
//! | gates | `2 1 a b out XOR`, `AND`; `1 1 a out INV` | the same, and those below |
//! | names here | inputs `a`, `b`; output `out` | inputs `in0`, …; outputs `out0`, … |
//!
//! Fashion's own gates are `1 1 0 out EQ` and `1 1 1 out EQ` (a constant), `1 1 a out EQW` (a copy)
//! and `2k k a1…ak b1…bk out1…outk MAND` (k ANDs).
//!
//! [`read`] distinguishes the formats by the third line that is not blank. In a Fashion file the
//! third line has only numbers, in an old file it is a gate. (Three numbers in the second line that
//! do not begin with 2 are always an old file's widths.) Fashion's gates are also accepted in old
//! files.
//!
//! **Dialects.** Files of other projects also have `2 1 a b out` with `OR`, `NAND`, `NOR` and
//! `XNOR`, each of which is one gate here (an AND with inversions, or an XOR). They have `NOT` for
//! `INV`, and `BUF` for `EQW`; gate names in lower case; and comments from `#` or `//` to the end
//! of the line, in the header too. Blank lines, spaces, tabs, CRLF and a missing last line end are
//! accepted. Anything else, such as gates out of order, is rejected with file, line and reason. The
//! file alone determines the bit order of a value: EMP's `aes_128`, for example, has the highest
//! bit of a block's first byte on wire 0.
//!
//! Neither format states the owner of an input: see [`Options::parties`]. Neither has state or
//! cycles, so sequential circuits cannot be written.
//!
//! Modules: `lexer` (bytes to lines of numbers), `header`, `read` (checks, in file order), `write`;
//! `error` is shared. Outside this folder, `assigned` is the set of wires that are assigned so far,
//! and `renumber` maps the wires of a file to those of a circuit.

mod error;
mod header;
mod lexer;
mod read;
#[cfg(test)]
mod streaming_tests;
mod write;

pub use crate::error::ReadError;
pub use error::{Problem, WriteError};
pub use read::{open, read};
pub use write::{write_fashion, write_old};

use halfgate_circuit::Party;

/// One of the two Bristol formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `gates wires`, then `n1 n2 n3`.
    Old,
    /// `gates wires`, then a line of input widths and a line of output widths.
    Fashion,
}

/// Options for reading a file. By default the format is detected, the first input is the garbler's
/// and the others the evaluator's, and copies, inverters and constants are folded away.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format, or `None` to detect it.
    pub format: Option<Format>,
    /// The owner of each input that has bits. (An input of width 0, as in old files of one input,
    /// is no input of the circuit.) If `None`, the header's first input is the garbler's and the
    /// others are the evaluator's.
    pub parties: Option<Vec<Party>>,
    /// Keep `INV` and `EQW` as gates, so that gates are numbered as in the file: one gate per line,
    /// or `k` for a `MAND`. Only gates whose value is constant are still left out, because a
    /// circuit's gates cannot read constants.
    pub as_given: bool,
}
