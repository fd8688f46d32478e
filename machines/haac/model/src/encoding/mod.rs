//! Encodings of instruction rows for the machine's instruction memory: [`plain`] has a fixed width,
//! [`compact`] is shorter. Both are lossless.
//!
//! An encoded program is one stream of bits for all engines, the lowest bit of the first byte
//! first, in whole bursts of memory. [`Encoder`] and [`Decoder`] handle both encodings, selected by
//! [`Encoding`].

mod bits;
pub mod compact;
pub mod plain;

use crate::instruction::Instruction;
use crate::isa::BURST_BYTES;
use crate::machine::Shape;
use std::fmt;
use std::str::FromStr;

/// The encoding of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Operation, two operands, live bit, of fixed widths: 37 bits for a window of 2 MB.
    Plain,
    /// Operands as differences from earlier operands.
    Compact,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 2] = [Encoding::Plain, Encoding::Compact];

    /// The encoding's name.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Plain => "plain",
            Encoding::Compact => "compact",
        }
    }

    /// Number of rows that are encoded, and decoded, as one group on machines of `shape`.
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

/// Why a row cannot be encoded.
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
    /// A field exceeds its width, a no-op has a field that is not 0, or the code of a unary
    /// operation is unknown.
    #[error("{instruction:?} is no instruction of a window of {window} labels")]
    Instruction {
        /// The instruction.
        instruction: Instruction,
        /// Labels of the window.
        window: u32,
    },
}

/// Why a stream of bits cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at bit {bit} of the instructions: {reason}")]
pub struct DecodeError {
    /// The bit's number in the stream, from 0. If the error shows only at the end of a row or
    /// group, the number of that row's or group's first bit.
    pub bit: u64,
    /// What is wrong.
    pub reason: &'static str,
}

/// Encodes rows.
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

    /// Takes the next row and appends all full bytes to `out`. Returns the bits by which the stream
    /// grew. If that is not 0, all rows taken so far have been packed.
    ///
    /// # Errors
    /// If the row's length is not the number of engines, or it holds an invalid instruction.
    #[inline]
    pub fn row(&mut self, row: &[Instruction], out: &mut Vec<u8>) -> Result<u32, EncodeError> {
        match self {
            Encoder::Plain(encoder) => encoder.row(row, out),
            Encoder::Compact(encoder) => encoder.row(row, out),
        }
    }

    /// Takes the next row only to measure its length: as [`row`](Encoder::row), but writes nothing
    /// and takes a fraction of the time. For an encoder, use either this for all rows or `row` for
    /// all.
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

    /// Packs the remaining rows and pads the last byte with zeros. Returns the bits by which the
    /// stream grew, without the padding.
    pub fn finish(self, out: &mut Vec<u8>) -> u32 {
        match self {
            Encoder::Plain(encoder) => encoder.finish(out),
            Encoder::Compact(encoder) => encoder.finish(out),
        }
    }
}

/// Decodes a stream of rows, in pieces as they arrive.
///
/// Memory: a piece, and 16 instructions or a row, whichever is more.
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

    /// The next row. `None` if more bytes are needed first, and after the last row.
    ///
    /// # Errors
    /// If the bits encode no valid instructions.
    pub fn row(&mut self) -> Result<Option<&[Instruction]>, DecodeError> {
        match self {
            Decoder::Plain(decoder) => decoder.row(),
            Decoder::Compact(decoder) => decoder.row(),
        }
    }

    /// Checks that all rows were decoded and that only zeros, less than a burst, are left.
    ///
    /// # Errors
    /// If rows are missing, or anything else is left.
    pub fn finish(&self) -> Result<(), DecodeError> {
        match self {
            Decoder::Plain(decoder) => decoder.finish(),
            Decoder::Compact(decoder) => decoder.finish(),
        }
    }
}

/// Bytes that a stream of `bits` bits takes in memory, in whole bursts.
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
