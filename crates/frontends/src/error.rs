//! Errors in reading a file, for all formats.

use crate::format::Format;
use crate::{aby, bristol, hgc, scd, verilog};
use halfgate_circuit::structured::FlattenError;
use std::fmt;
use std::io;
use thiserror::Error;

/// Errors in reading a file.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{file}: {source}")]
    Io {
        /// Name of the file.
        file: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The temporary file that holds the gates of a long circuit cannot be written or read.
    #[error("cannot write the gates to a temporary file (in TMPDIR): {0}")]
    Spool(#[from] io::Error),
    /// The file is not a circuit.
    #[error("{file}:{line}: {problem}")]
    Malformed {
        /// Name of the file.
        file: String,
        /// Number of the line, from 1.
        line: u64,
        /// The error in the line.
        problem: Problem,
    },
    /// [`bristol::Options::parties`] does not fit the file.
    #[error(
        "{file}: owners are given for {given} inputs, but the circuit has {inputs} (inputs of \
         no bits are not counted)"
    )]
    Parties {
        /// Name of the file.
        file: String,
        /// Number of owners given.
        given: usize,
        /// Number of inputs.
        inputs: usize,
    },
    /// The file declares more inputs than a file of its length can use. A party that runs the
    /// circuit needs some bytes of memory per input, so a few digits in a header must not cause
    /// unlimited memory.
    #[error(
        "{file} declares {bits} input bits in {bytes} bytes, so nothing can read most of them; a file \
         of this length may have at most {allowed}"
    )]
    Inputs {
        /// Name of the file.
        file: String,
        /// Number of declared input bits.
        bits: u64,
        /// Length of the file in bytes.
        bytes: u64,
        /// Number of allowed input bits.
        allowed: u64,
    },
    /// The file calls functions, and cannot be written out with all of them.
    #[error("{file}: {source}")]
    Flatten {
        /// Name of the file.
        file: String,
        /// The error in flattening.
        source: FlattenError,
    },
    /// An error in a Verilog design.
    #[error(transparent)]
    Verilog(#[from] verilog::Error),
    /// An option that files of this format do not support.
    #[error("{file}: {option} for a file in {format} format, {why}")]
    Option {
        /// Name of the file.
        file: String,
        /// The option.
        option: &'static str,
        /// Format of the file.
        format: Format,
        /// Why the option does not apply.
        why: &'static str,
    },
}

/// Errors in a line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// An error in the line's characters.
    #[error(transparent)]
    Text(#[from] TextProblem),
    /// An error in a line of an HGC file.
    #[error(transparent)]
    Hgc(#[from] hgc::Problem),
    /// An error in a line of a Bristol file.
    #[error(transparent)]
    Bristol(#[from] bristol::Problem),
    /// An error in a line of an SCD or HSCD file.
    #[error(transparent)]
    Netlist(#[from] scd::Problem),
    /// An error in a line of an ABY file.
    #[error(transparent)]
    Aby(#[from] aby::Problem),
}

/// Errors in the characters of a line, in any format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
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

/// A byte of a file for a message. It never appears as a raw control character.
struct Shown(u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            byte @ b'!'..=b'~' => write!(f, "{}", char::from(byte)),
            byte => write!(f, "with code {byte}"),
        }
    }
}
