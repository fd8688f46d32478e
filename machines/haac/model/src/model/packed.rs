//! The lengths of rows in an encoding, measured once and then looked up.

use std::io;

use halfgate_compiler::spool::{Spool, SpoolReader};

use super::rows::RowBits;
use crate::code::Code;
use crate::encoding::{Encoder, Encoding};
use crate::instruction::Instruction;

/// The lengths of a code's rows in an encoding. [`sizes`](Packed::sizes) passes them to a model,
/// any number of times.
///
/// Rows that are packed together arrive together: the first row of a group has the length of the
/// whole group, the others have 0.
///
/// Memory: nothing for `plain`; for `compact` four bytes per group of rows, in a temporary file if
/// there are many.
#[derive(Debug)]
pub struct Packed {
    lengths: Lengths,
    rows: u64,
    bits: u64,
}

#[derive(Debug)]
enum Lengths {
    /// The length of every row.
    Fixed(u32),
    /// The number of rows per group, and the lengths of the groups. The last group may have fewer
    /// rows.
    Groups(usize, Spool<4>),
}

impl Packed {
    /// Measures the rows of `code`.
    ///
    /// # Errors
    /// If a temporary file cannot be read or written, or the code has an invalid instruction.
    pub fn of(code: &Code, encoding: Encoding) -> io::Result<Packed> {
        let rows = code.rows.len() / u64::from(code.shape.engines);
        if encoding == Encoding::Plain {
            let row = code.shape.engines * code.shape.instruction_bits();
            return Ok(Packed { lengths: Lengths::Fixed(row), rows, bits: rows * u64::from(row) });
        }
        let mut encoder = Encoder::new(encoding, code.shape, code.first_output);
        let mut row = vec![Instruction::NOP; code.shape.engines as usize];
        let mut reader = code.rows.reader();
        let (mut groups, mut bits) = (Spool::new(), 0);
        let mut push = |group: u32| {
            bits += u64::from(group);
            // A row whose group is not full yet has no length.
            if group > 0 { groups.push(group.to_le_bytes()) } else { Ok(()) }
        };
        for _ in 0..rows {
            for place in &mut row {
                let packed = reader.next()?.ok_or(io::ErrorKind::UnexpectedEof)?;
                *place = Instruction::from_bits(u64::from_le_bytes(packed));
            }
            let group = encoder.measure(&row);
            push(group.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?)?;
        }
        push(encoder.finish(&mut Vec::new()))?;
        let lengths = Lengths::Groups(encoding.rows_in_group(code.shape), groups);
        Ok(Packed { lengths, rows, bits })
    }

    /// Bits of the whole stream.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Iterates over the lengths from the first row on.
    pub fn sizes(&self) -> Sizes<'_> {
        let next = match &self.lengths {
            Lengths::Fixed(row) => Next::Fixed(*row),
            Lengths::Groups(rows, groups) => {
                Next::Groups { rows: *rows, groups: groups.reader(), came: 0 }
            }
        };
        Sizes { next, left: self.rows }
    }
}

/// The lengths of rows, in order.
pub struct Sizes<'a> {
    next: Next<'a>,
    left: u64,
}

enum Next<'a> {
    Fixed(u32),
    Groups {
        rows: usize,
        groups: SpoolReader<'a, 4>,
        /// Rows of the current group that are left.
        came: usize,
    },
}

impl RowBits for Sizes<'_> {
    #[inline]
    fn bits(&mut self, _row: &[Instruction]) -> io::Result<u32> {
        self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::UnexpectedEof)?;
        match &mut self.next {
            Next::Fixed(row) => Ok(*row),
            Next::Groups { came, .. } if *came > 0 => {
                *came -= 1;
                Ok(0)
            }
            Next::Groups { rows, groups, came } => {
                *came = *rows - 1;
                Ok(u32::from_le_bytes(groups.next()?.ok_or(io::ErrorKind::UnexpectedEof)?))
            }
        }
    }
}
