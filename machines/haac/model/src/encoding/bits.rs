//! Bit fields in a stream of bytes, the lowest bit of the first byte first.

use crate::encoding::DecodeError;
use crate::isa::BURST_BYTES;

/// Appends fields of up to 64 bits.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pending: u128,
    filled: u32,
}

impl Writer {
    /// Appends the lowest `width` bits of `value`, at most 64. The other bits must be 0.
    #[inline]
    pub(super) fn put(&mut self, value: u64, width: u32, out: &mut Vec<u8>) {
        debug_assert!(width == 64 || value >> width == 0);
        self.pending |= u128::from(value) << self.filled;
        self.filled += width;
        if self.filled >= 64 {
            out.extend_from_slice(&(self.pending as u64).to_le_bytes());
            self.pending >>= 64;
            self.filled -= 64;
        }
    }

    /// Appends the pending bits, padded to a byte.
    pub(super) fn finish(self, out: &mut Vec<u8>) {
        let bytes = (self.pending as u64).to_le_bytes();
        out.extend_from_slice(&bytes[..self.filled.div_ceil(8) as usize]);
    }
}

/// Bytes that have arrived and are not decoded yet.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// Index of the next bit in `bytes`: the bits before it are decoded.
    at: usize,
    /// Number of bits that were decoded and dropped from `bytes`.
    before: u64,
}

impl Buffer {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let whole = self.at / 8;
        self.bytes.drain(..whole);
        self.before += 8 * whole as u64;
        self.at %= 8;
        self.bytes.extend_from_slice(bytes);
    }

    /// A reader from the next bit on. Bits that it reads count as decoded only after
    /// [`take`](Buffer::take).
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { bytes: &self.bytes, at: self.at }
    }

    /// Moves on to the bit at which a reader stopped.
    pub(super) fn take(&mut self, read: usize) {
        self.at = read;
    }

    /// Number of the stream's next bit.
    pub(super) fn bit(&self) -> u64 {
        self.before + self.at as u64
    }

    /// An error at the next bit.
    pub(super) fn error(&self, reason: &'static str) -> DecodeError {
        DecodeError { bit: self.bit(), reason }
    }

    /// Checks that all rows were read and that less than a burst of zeros is left.
    pub(super) fn finish(&self, rows_left: u64) -> Result<(), DecodeError> {
        if rows_left > 0 {
            return Err(self.error("the stream ends before the last row"));
        }
        let mut reader = self.reader();
        let mut left = 8 * self.bytes.len() - self.at;
        if left >= 8 * BURST_BYTES as usize {
            return Err(self.error("the stream goes on after the last row"));
        }
        while left > 0 {
            let width = left.min(32) as u32;
            if reader.get(width) != Some(0) {
                return Err(self.error("the padding of the stream is not all zeros"));
            }
            left -= width as usize;
        }
        Ok(())
    }
}

/// Reads fields.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    /// Index of the next bit.
    pub(super) at: usize,
}

impl Reader<'_> {
    /// The next `width` bits, at most 57. `None` if they have not all arrived.
    #[inline]
    pub(super) fn get(&mut self, width: u32) -> Option<u64> {
        let end = self.at + width as usize;
        let start = self.at / 8;
        let word = match self.bytes.get(start..start + 8) {
            Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")),
            None if end <= 8 * self.bytes.len() => {
                let mut bytes = [0; 8];
                let there = self.bytes.len() - start;
                bytes[..there].copy_from_slice(&self.bytes[start..]);
                u64::from_le_bytes(bytes)
            }
            None => return None,
        };
        let value = word >> (self.at % 8) & ((1 << width) - 1);
        self.at = end;
        Some(value)
    }
}
