//! Bit fields of the words that machines read.

/// A range of bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Number of the lowest bit.
    pub low: u32,
    /// Number of bits.
    pub width: u32,
}

impl Field {
    /// Encodes a difference in the field's bits, modulo 2 to the power of its width.
    pub fn difference(self, value: i64) -> u64 {
        value as u64 & ((1 << self.width) - 1)
    }
}
