//! Decodes groups.

use super::history::History;
use super::{
    Class, LIVE_ALL, LIVE_BIT, LIVE_NONE, OPS_AND, OPS_BIT, OPS_TWO_BITS, OPS_XOR, TABLE_BITS,
    class_bits, rows_in_group,
};
use crate::encoding::DecodeError;
use crate::encoding::bits::{Buffer, Reader};
use crate::instruction::{Instruction, Op, Unary};
use crate::isa::COMPACT_TABLES;
use crate::machine::Shape;

/// Decodes rows. See [`Decoder`](crate::encoding::Decoder).
#[derive(Debug)]
pub struct Decoder {
    shape: Shape,
    /// Places in a group.
    places: usize,
    buffer: Buffer,
    history: History,
    /// Rows that [`row`](Decoder::row) has not returned yet.
    rows: u64,
    /// The current group, and the number of its places that were returned.
    group: Vec<Instruction>,
    given: usize,
}

/// Why there is no group: more bytes are needed, or its encoding is invalid.
enum Stop {
    Short,
    Wrong(&'static str),
}

impl Decoder {
    /// A decoder of `rows` rows for machines of `shape`. The program's first output has address
    /// `first_output`.
    pub fn new(shape: Shape, first_output: u32, rows: u64) -> Decoder {
        let places = rows_in_group(shape) * shape.engines as usize;
        Decoder {
            shape,
            places,
            buffer: Buffer::default(),
            history: History::new(shape, first_output, places),
            rows,
            group: Vec::new(),
            given: 0,
        }
    }

    /// Adds the stream's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.feed(bytes);
    }

    /// See [`Decoder::row`](crate::encoding::Decoder::row).
    ///
    /// # Errors
    /// If a group has an unknown mode or an invalid operand, or its last rows are not no-ops.
    pub fn row(&mut self) -> Result<Option<&[Instruction]>, DecodeError> {
        if self.rows == 0 {
            return Ok(None);
        }
        let engines = self.shape.engines as usize;
        if self.given == self.group.len() {
            match self.group() {
                Ok(()) => self.given = 0,
                Err(Stop::Short) => return Ok(None),
                Err(Stop::Wrong(reason)) => return Err(self.buffer.error(reason)),
            }
            let left = usize::try_from(self.rows).unwrap_or(usize::MAX).saturating_mul(engines);
            if left < self.places && self.group[left..].iter().any(|i| !i.is_nop()) {
                return Err(self.buffer.error("there are instructions after the last row"));
            }
        }
        let row = self.given..self.given + engines;
        self.given = row.end;
        self.rows -= 1;
        Ok(Some(&self.group[row]))
    }

    /// See [`Decoder::finish`](crate::encoding::Decoder::finish).
    ///
    /// # Errors
    /// As there.
    pub fn finish(&self) -> Result<(), DecodeError> {
        self.buffer.finish(self.rows)
    }

    /// Decodes the next group. Changes nothing if it is incomplete or invalid.
    fn group(&mut self) -> Result<(), Stop> {
        let mut reader = self.buffer.reader();
        let mut history = self.history.clone();
        let group = group(&mut reader, &mut history, self.shape, self.places)?;
        self.buffer.take(reader.at);
        (self.history, self.group) = (history, group);
        Ok(())
    }
}

fn group(
    reader: &mut Reader,
    history: &mut History,
    shape: Shape,
    places: usize,
) -> Result<Vec<Instruction>, Stop> {
    let ops = get(reader, 2)?;
    let live_mode = get(reader, 2)?;
    let table = |reader: &mut Reader| get(reader, TABLE_BITS).map(|t| COMPACT_TABLES[t as usize]);
    let tables = [table(reader)?, table(reader)?];
    if !matches!(live_mode, LIVE_NONE | LIVE_ALL | LIVE_BIT) {
        return Err(Stop::Wrong("the mode of live bits is unknown"));
    }

    // Not preallocated: most places take at least a bit, so a short file cannot claim a long list.
    let mut operations = Vec::new();
    for _ in 0..places {
        operations.push(match ops {
            OPS_XOR => Op::Xor,
            OPS_AND => Op::And,
            OPS_BIT if get(reader, 1)? == 1 => Op::And,
            OPS_BIT => Op::Xor,
            OPS_TWO_BITS.. => Op::from_code(get(reader, 2)? as u8),
        });
    }
    let mut live = Vec::with_capacity(places);
    for &op in &operations {
        live.push(match live_mode {
            _ if op == Op::Nop => false,
            LIVE_NONE => false,
            LIVE_ALL => true,
            _ => get(reader, 1)? == 1,
        });
    }
    let mut classes = Vec::with_capacity(places);
    for &op in &operations {
        let bits = if op == Op::Nop { 0 } else { class_bits(tables[0]) };
        classes.push([tables[0][get(reader, bits)? as usize], Class::Full]);
    }
    let mut inverts = vec![false; places];
    for (place, &op) in operations.iter().enumerate() {
        match op {
            Op::Nop => {}
            Op::Unary => inverts[place] = get(reader, 1)? == 1,
            Op::Xor | Op::And => {
                classes[place][1] = tables[1][get(reader, class_bits(tables[1]))? as usize];
            }
        }
    }
    let mut fields = vec![[0; 2]; places];
    for column in [0, 1] {
        for (place, &op) in operations.iter().enumerate() {
            if op != Op::Nop && (column == 0 || op != Op::Unary) {
                fields[place][column] =
                    get(reader, classes[place][column].width(shape.slot_bits()))?;
            }
        }
    }

    let mut group = Vec::with_capacity(places);
    for (place, &op) in operations.iter().enumerate() {
        if op == Op::Nop {
            group.push(Instruction::NOP);
            continue;
        }
        let mut operand = |column: usize| {
            slot(history, place, column, classes[place][column], fields[place][column])
        };
        let a = operand(0)?;
        let b = match op {
            Op::Unary if inverts[place] => Unary::Inv as u32,
            Op::Unary => Unary::Copy as u32,
            _ => operand(1)?,
        };
        group.push(Instruction::new(op, a, b, live[place]));
        history.advance();
    }
    Ok(group)
}

/// The slot of an operand; 0 if the operand is out of range.
fn slot(
    history: &mut History,
    place: usize,
    column: usize,
    class: Class,
    field: u64,
) -> Result<u32, Stop> {
    let distance = match class {
        Class::OutOfRange => return Ok(0),
        Class::Full if field == 0 => return Ok(0),
        Class::Full => history.distance(field as u32),
        Class::Distance(_) => field as u32 + 1,
        Class::Recent(reach, width) => {
            let index = field as usize & ((1 << reach) - 1);
            let unused = 64 - u32::from(width);
            let number = field >> reach;
            let number = (number as i64).checked_shl(unused).unwrap_or(0);
            let number = number.checked_shr(unused).unwrap_or(0);
            history.add(history.recent(column, index), number)
        }
        Class::Left(width) | Class::Up(width) | Class::Cross(width) => {
            let number = match width {
                0 => 0,
                _ => {
                    let magnitude = (field & ((1 << (width - 1)) - 1)) as i64 + 1;
                    if field >> (width - 1) == 1 { -magnitude } else { magnitude }
                }
            };
            history.add(history.reference(class, place, column), number)
        }
    };
    let slot = history.slot(distance);
    if slot == 0 {
        return Err(Stop::Wrong("an operand in the window has slot 0"));
    }
    history.push(place, column, distance);
    Ok(slot)
}

#[inline]
fn get(reader: &mut Reader, bits: u32) -> Result<u64, Stop> {
    reader.get(bits).ok_or(Stop::Short)
}
