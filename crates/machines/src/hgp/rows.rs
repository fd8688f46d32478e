//! Instructions as bits in a stream of bytes, the lowest bit of the first byte first.

use super::header::Encoding;
use crate::haac::instruction::{Instruction, Op};
use crate::haac::machine::Shape;

/// Packs rows one after the other.
pub(super) struct RowEncoder {
    width: u32,
    bits: u128,
    filled: u32,
}

impl RowEncoder {
    pub(super) fn new(shape: Shape, _encoding: Encoding) -> RowEncoder {
        RowEncoder { width: shape.window.trailing_zeros(), bits: 0, filled: 0 }
    }

    /// Appends the whole bytes that `row` completes to `out`.
    pub(super) fn row(&mut self, row: &[Instruction], out: &mut Vec<u8>) {
        for &i in row {
            let w = self.width;
            let word = i.op() as u64
                | u64::from(i.a()) << 2
                | u64::from(i.b()) << (2 + w)
                | u64::from(i.is_live()) << (2 + 2 * w);
            self.bits |= u128::from(word) << self.filled;
            self.filled += 3 + 2 * w;
            while self.filled >= 8 {
                out.push(self.bits as u8);
                self.bits >>= 8;
                self.filled -= 8;
            }
        }
    }

    /// Appends the last byte.
    pub(super) fn finish(self, out: &mut Vec<u8>) {
        if self.filled > 0 {
            out.push(self.bits as u8);
        }
    }
}

/// Takes rows apart again, from pieces of the stream.
pub(super) struct RowDecoder {
    width: u32,
    bytes: Vec<u8>,
    /// Bits of `bytes` that were read.
    at: usize,
}

impl RowDecoder {
    pub(super) fn new(shape: Shape, _encoding: Encoding) -> RowDecoder {
        RowDecoder { width: shape.window.trailing_zeros(), bytes: Vec::new(), at: 0 }
    }

    /// Adds the stream's next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at / 8);
        self.at %= 8;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next instruction; none where more bytes must come first.
    pub(super) fn next(&mut self) -> Option<Instruction> {
        let w = self.width;
        let bits = (3 + 2 * w) as usize;
        if self.at + bits > 8 * self.bytes.len() {
            return None;
        }
        let start = self.at / 8;
        let mut window = [0; 16];
        let there = self.bytes.len().min(start + 16) - start;
        window[..there].copy_from_slice(&self.bytes[start..start + there]);
        let word = (u128::from_le_bytes(window) >> (self.at % 8)) as u64;
        self.at += bits;
        let mask = (1 << w) - 1;
        let (a, b) = ((word >> 2) as u32 & mask, (word >> (2 + w)) as u32 & mask);
        let live = word >> (2 + 2 * w) & 1 == 1;
        Some(Instruction::new(Op::from_code(word as u8), a, b, live))
    }

    /// Whether nothing is left but the filling of the last byte, zeros.
    pub(super) fn is_at_end(&self) -> bool {
        let rest = &self.bytes[self.at / 8..];
        match rest {
            [] => true,
            [last] => last >> (self.at % 8) == 0,
            _ => false,
        }
    }
}
