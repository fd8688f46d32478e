//! How rows of instructions are packed for the machine's instruction memory: [`plain`] has a fixed
//! width, [`compact`] is shorter and loses nothing.
//!
//! Either is one stream of bits for all engines, the lowest bit of the first byte first, which lies
//! in memory in whole bursts. [`Encoder`] and [`Decoder`] take any of the two by [`Encoding`].

mod bits;
pub mod compact;
pub mod plain;

use crate::instruction::Instruction;
use crate::isa::BURST_BYTES;
use crate::machine::Shape;
use std::fmt;
use std::str::FromStr;

/// How instructions are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Operation, two operands, live bit, of fixed widths: 37 bits for a window of 2 MB.
    Plain,
    /// Operands by what they have in common with those before.
    Compact,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 2] = [Encoding::Plain, Encoding::Compact];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Plain => "plain",
            Encoding::Compact => "compact",
        }
    }

    /// How many rows are packed together for machines of `shape`, and come together.
    pub fn rows_in_group(self, shape: Shape) -> usize {
        match self {
            Encoding::Plain => 1,
            Encoding::Compact => compact::rows_in_group(shape),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Encoding {
    type Err = String;
    fn from_str(text: &str) -> Result<Encoding, String> {
        let found = Encoding::ALL.into_iter().find(|encoding| encoding.name() == text);
        found.ok_or_else(|| format!("unknown encoding {text:?}: there are plain and compact"))
    }
}

/// Why a row cannot be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// The row has more or fewer places than the machine has engines.
    #[error("a row of {places} instructions for {engines} engines")]
    Row {
        /// Instructions in the row.
        places: usize,
        /// Engines of the shape.
        engines: u32,
    },
    /// A field does not fit its width, a no-op's is not 0, or a unary operation has no such code.
    #[error("{instruction:?} is no instruction of a window of {window} labels")]
    Instruction {
        /// The instruction.
        instruction: Instruction,
        /// Labels of the window.
        window: u32,
    },
}

/// Why a stream of bits cannot be taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at bit {bit} of the instructions: {reason}")]
pub struct DecodeError {
    /// The place in the stream, counted from 0; that of the row or group where only its end shows
    /// that something is wrong.
    pub bit: u64,
    /// What is wrong.
    pub reason: &'static str,
}

/// Packs rows.
///
/// Memory: 16 instructions or a row, whichever is more.
#[derive(Debug)]
pub enum Encoder {
    /// See [`plain`].
    Plain(plain::Encoder),
    /// See [`compact`].
    Compact(Box<compact::Encoder>),
}

impl Encoder {
    /// An encoder of a program whose first output has address `first_output`.
    pub fn new(encoding: Encoding, shape: Shape, first_output: u32) -> Encoder {
        match encoding {
            Encoding::Plain => Encoder::Plain(plain::Encoder::new(shape)),
            Encoding::Compact => {
                Encoder::Compact(Box::new(compact::Encoder::new(shape, first_output)))
            }
        }
    }

    /// Takes the next row; appends the bytes that are full to `out`. Returns the bits that the
    /// stream grew by: rows that had not been packed are, where it is not 0.
    ///
    /// # Errors
    /// If the row is not as long as there are engines, or has something that is no instruction.
    #[inline]
    pub fn row(&mut self, row: &[Instruction], out: &mut Vec<u8>) -> Result<u32, EncodeError> {
        match self {
            Encoder::Plain(encoder) => encoder.row(row, out),
            Encoder::Compact(encoder) => encoder.row(row, out),
        }
    }

    /// Takes the next row for its length alone: as [`row`](Encoder::row), but writes nothing, and
    /// takes a fraction of the time. An encoder takes all rows in the one way or in the other.
    ///
    /// # Errors
    /// As [`row`](Encoder::row).
    #[inline]
    pub fn measure(&mut self, row: &[Instruction]) -> Result<u32, EncodeError> {
        match self {
            Encoder::Plain(encoder) => encoder.measure(row),
            Encoder::Compact(encoder) => encoder.measure(row),
        }
    }

    /// Packs what is left, and fills up the last byte with zeros. Returns the bits that the stream
    /// grew by, those zeros not counted.
    pub fn finish(self, out: &mut Vec<u8>) -> u32 {
        match self {
            Encoder::Plain(encoder) => encoder.finish(out),
            Encoder::Compact(encoder) => encoder.finish(out),
        }
    }
}

/// Takes a stream of rows apart, in pieces as it comes.
///
/// Memory: the piece, 16 instructions or a row.
#[derive(Debug)]
pub enum Decoder {
    /// See [`plain`].
    Plain(plain::Decoder),
    /// See [`compact`].
    Compact(Box<compact::Decoder>),
}

impl Decoder {
    /// A decoder of `rows` rows of a program whose first output has address `first_output`.
    pub fn new(encoding: Encoding, shape: Shape, first_output: u32, rows: u64) -> Decoder {
        match encoding {
            Encoding::Plain => Decoder::Plain(plain::Decoder::new(shape, rows)),
            Encoding::Compact => {
                Decoder::Compact(Box::new(compact::Decoder::new(shape, first_output, rows)))
            }
        }
    }

    /// Adds the stream's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        match self {
            Decoder::Plain(decoder) => decoder.feed(bytes),
            Decoder::Compact(decoder) => decoder.feed(bytes),
        }
    }

    /// The next row; none where more bytes must come first, and after the last.
    ///
    /// # Errors
    /// If no instructions are packed like that.
    pub fn row(&mut self) -> Result<Option<&[Instruction]>, DecodeError> {
        match self {
            Decoder::Plain(decoder) => decoder.row(),
            Decoder::Compact(decoder) => decoder.row(),
        }
    }

    /// Checks that all rows have come and nothing but zeros, less than a burst, is left.
    ///
    /// # Errors
    /// If that is not so.
    pub fn finish(&self) -> Result<(), DecodeError> {
        match self {
            Decoder::Plain(decoder) => decoder.finish(),
            Decoder::Compact(decoder) => decoder.finish(),
        }
    }
}

/// Bytes that a stream of `bits` bits takes in memory: whole bursts.
pub const fn burst_bytes(bits: u64) -> u64 {
    bits.div_ceil(8).next_multiple_of(BURST_BYTES as u64)
}

/// Checks a row against the shape.
fn check(shape: Shape, row: &[Instruction]) -> Result<(), EncodeError> {
    if row.len() != shape.engines as usize {
        return Err(EncodeError::Row { places: row.len(), engines: shape.engines });
    }
    for &instruction in row {
        let fits = if instruction.is_nop() {
            instruction == Instruction::NOP
        } else {
            let unary = instruction.op() == crate::instruction::Op::Unary;
            instruction.a() < shape.window
                && instruction.b() < shape.window
                && (!unary || instruction.unary().is_some())
        };
        if !fits {
            return Err(EncodeError::Instruction { instruction, window: shape.window });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
