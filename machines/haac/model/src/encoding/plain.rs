//! The encoding `plain`: every instruction has the fields of `machines/haac/spec/isa.toml`
//! (operation, first operand, second operand, live bit) in 3 + 2 log2(window) bits, 37 for a window
//! of 2 MB (HAAC, section 3.1.3). Instructions and rows follow each other without gaps.

use super::bits::{Buffer, Writer};
use super::{DecodeError, EncodeError, check};
use crate::instruction::{Instruction, Op, Unary};
use crate::isa;
use crate::machine::Shape;

/// Encodes rows. See [`Encoder`](super::Encoder).
#[derive(Debug)]
pub struct Encoder {
    shape: Shape,
    writer: Writer,
}

impl Encoder {
    /// An encoder for machines of `shape`.
    pub fn new(shape: Shape) -> Encoder {
        Encoder { shape, writer: Writer::default() }
    }

    /// See [`Encoder::row`](super::Encoder::row).
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn row(&mut self, row: &[Instruction], out: &mut Vec<u8>) -> Result<u32, EncodeError> {
        check(self.shape, row)?;
        let slot = self.shape.slot_bits();
        for i in row {
            let a_at = isa::op_bits(slot);
            let b_at = a_at + isa::a_bits(slot);
            let live_at = b_at + isa::b_bits(slot);
            let word = i.op() as u64
                | u64::from(i.a()) << a_at
                | u64::from(i.b()) << b_at
                | u64::from(i.is_live()) << live_at;
            self.writer.put(word, isa::instruction_bits(slot), out);
        }
        Ok(self.shape.engines * isa::instruction_bits(slot))
    }

    /// See [`Encoder::measure`](super::Encoder::measure).
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn measure(&mut self, row: &[Instruction]) -> Result<u32, EncodeError> {
        check(self.shape, row)?;
        Ok(self.shape.engines * self.shape.instruction_bits())
    }

    /// See [`Encoder::finish`](super::Encoder::finish).
    pub fn finish(self, out: &mut Vec<u8>) -> u32 {
        self.writer.finish(out);
        0
    }
}

/// Decodes rows. See [`Decoder`](super::Decoder).
#[derive(Debug)]
pub struct Decoder {
    shape: Shape,
    buffer: Buffer,
    rows: u64,
    row: Vec<Instruction>,
}

impl Decoder {
    /// A decoder of `rows` rows for machines of `shape`.
    pub fn new(shape: Shape, rows: u64) -> Decoder {
        Decoder { shape, buffer: Buffer::default(), rows, row: Vec::new() }
    }

    /// Adds the stream's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.feed(bytes);
    }

    /// See [`Decoder::row`](super::Decoder::row).
    ///
    /// # Errors
    /// If a no-op has a field that is not 0, or the code of a unary operation is unknown.
    pub fn row(&mut self) -> Result<Option<&[Instruction]>, DecodeError> {
        if self.rows == 0 {
            return Ok(None);
        }
        let slot = self.shape.slot_bits();
        let mut reader = self.buffer.reader();
        self.row.clear();
        for _ in 0..self.shape.engines {
            let op = reader.get(isa::op_bits(slot));
            let a = reader.get(isa::a_bits(slot));
            let b = reader.get(isa::b_bits(slot));
            let live = reader.get(isa::live_bits(slot));
            let (Some(op), Some(a), Some(b), Some(live)) = (op, a, b, live) else {
                return Ok(None);
            };
            let op = Op::from_code(op as u8);
            if op == Op::Nop && (a | b | live) != 0 {
                return Err(self.buffer.error("a no-op has fields that are not 0"));
            }
            if op == Op::Unary && b != Unary::Copy as u64 && b != Unary::Inv as u64 {
                return Err(self.buffer.error("a unary operation is neither COPY nor INV"));
            }
            self.row.push(Instruction::new(op, a as u32, b as u32, live == 1));
        }
        self.buffer.take(reader.at);
        self.rows -= 1;
        Ok(Some(&self.row))
    }

    /// See [`Decoder::finish`](super::Decoder::finish).
    ///
    /// # Errors
    /// As there.
    pub fn finish(&self) -> Result<(), DecodeError> {
        self.buffer.finish(self.rows)
    }
}
