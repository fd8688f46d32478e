//! Why a file could not be read, whatever its format.

use crate::format::Format;
use crate::{aby, bristol, hgc, scd, verilog};
use std::fmt;
use std::io;
use thiserror::Error;

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{file}: {source}")]
    Io {
        /// The file's name.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// The temporary file that holds the gates of a long circuit cannot be written or read.
    #[error("cannot keep the gates in a temporary file (TMPDIR says where): {0}")]
    Spool(#[from] io::Error),
    /// The file is not a circuit.
    #[error("{file}:{line}: {problem}")]
    Malformed {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong there.
        problem: Problem,
    },
    /// [`bristol::Options::parties`] does not fit the file.
    #[error(
        "{file}: owners are given for {given} inputs, but the circuit has {inputs} (inputs of \
         no bits are not counted)"
    )]
    Parties {
        /// The file's name.
        file: String,
        /// Number of owners given.
        given: usize,
        /// Number of inputs.
        inputs: usize,
    },
    /// More inputs than a file of its length can have a use for. Everybody who runs the circuit
    /// holds some bytes for each, so a few digits in a header must not ask for as many as they
    /// like.
    #[error(
        "{file}: it declares {bits} input bits in {bytes} bytes of file, so most of them are read by \
         nothing; at most {allowed} are taken from a file of this length"
    )]
    Inputs {
        /// The file's name.
        file: String,
        /// Input bits declared.
        bits: u64,
        /// The file's length.
        bytes: u64,
        /// Input bits allowed.
        allowed: u64,
    },
    /// A Verilog design.
    #[error(transparent)]
    Verilog(#[from] verilog::Error),
    /// An option that is not for files of this format.
    #[error("{file}: {option} for a file in {format} format, {why}")]
    Option {
        /// The file's name.
        file: String,
        /// What was asked for.
        option: &'static str,
        /// The file's format.
        format: Format,
        /// Why it makes no sense there.
        why: &'static str,
    },
}

/// What is wrong with a line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// With its characters.
    #[error(transparent)]
    Text(#[from] TextProblem),
    /// With a line of an HGC file.
    #[error(transparent)]
    Hgc(#[from] hgc::Problem),
    /// With a line of a Bristol file.
    #[error(transparent)]
    Bristol(#[from] bristol::Problem),
    /// With a line of an SCD or HSCD file.
    #[error(transparent)]
    Netlist(#[from] scd::Problem),
    /// With a line of an ABY file.
    #[error(transparent)]
    Aby(#[from] aby::Problem),
}

/// What is wrong with the characters of a line, in any format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages say what each one is.
pub enum TextProblem {
    #[error("character {} has no place in a circuit file", Shown(*.0))]
    Character(u8),
    #[error("a carriage return that no line feed follows")]
    LoneCarriageReturn,
    #[error("the number starting {0}… is too large")]
    NumberTooLarge(u64),
    #[error("numbers and letters run together in {start}{next}…")]
    RunTogether { start: String, next: char },
}

/// A byte of a file, as shown in a message: never as a raw control character.
struct Shown(u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            byte @ b'!'..=b'~' => write!(f, "{}", char::from(byte)),
            byte => write!(f, "with code {byte}"),
        }
    }
}
