//! The two Bristol formats: Tillich and Smart's circuits of bits ("old"), and their successor
//! Bristol Fashion.
//!
//! Both are text, a gate a line, with wires named by number. The first wires are the inputs,
//! the last ones the outputs, bit 0 of each value first.
//!
//! | | old | Fashion |
//! |---|---|---|
//! | line 1 | `gates wires` | `gates wires` |
//! | line 2 | `n1 n2 n3`: bits of two inputs and the output | number of inputs, width of each |
//! | line 3 | | number of outputs, width of each |
//! | gates | `2 1 a b out XOR`, `AND`; `1 1 a out INV` | the same, and `1 1 0\|1 out EQ` (a constant), `1 1 a out EQW` (a copy), `2k k a1…ak b1…bk out1…outk MAND` (k ANDs) |
//! | names here | inputs `a`, `b`; output `out` | inputs `in0`, `in1`, …; outputs `out0`, `out1`, … |
//!
//! [`read`] tells the two apart by the third line that is not blank, which in a Fashion file is
//! one more line of numbers and in an old one a gate. (Three numbers that do not begin with 2
//! are an old file's widths in any case.) Fashion's gates are also read in old files.
//!
//! **Dialects.** Files of other projects also have `2 1 a b out` with `OR`, `NAND`, `NOR` and
//! `XNOR`, each of which is one gate here (an AND with inversions, or an XOR); `NOT` for `INV`, and
//! `BUF` for `EQW`; names of gates in small letters; and comments from `#` or `//` to the end of
//! the line, in the header too. Blank lines, spaces, tabs, CRLF and a missing last line end are
//! accepted. Everything else that is not as above is refused with file, line and reason, gates out
//! of order included. Which bit of a value comes first is the file's own affair: EMP's `aes_128`,
//! for one, has the highest bit of a block's first byte on wire 0.
//!
//! Neither format says whose an input is: see [`Options::parties`]. Neither has state or
//! cycles, so sequential circuits cannot be written.
//!
//! In here: `lexer` (bytes to lines of numbers), `header`, `read` (checks, in file order),
//! `write`; `error` serves them. The wires assigned so far are in `assigned`, and the way from file
//! wires to circuit wires is `renumber`, both beside this folder.

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

/// Which of the two formats a file is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `gates wires`, then `n1 n2 n3`.
    Old,
    /// `gates wires`, then a line of input widths and a line of output widths.
    Fashion,
}

/// How to read a file. The default detects the format, makes the first input the garbler's and
/// the rest the evaluator's, and folds copies, inverters and constants away.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format; detected if `None`.
    pub format: Option<Format>,
    /// Whose each input is: one entry for each input that has bits (an input of width 0, as in
    /// old files of one input, is no input of the circuit). If `None`, the header's first input
    /// is the garbler's and the others the evaluator's.
    pub parties: Option<Vec<Party>>,
    /// Keep `INV` and `EQW` as gates, so that gates are numbered as in the file, one each
    /// (`k` for a `MAND`). Only gates whose value is constant are still left out, as a
    /// circuit's gates cannot read constants.
    pub as_given: bool,
}
