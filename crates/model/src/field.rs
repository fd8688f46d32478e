//! Fields of the words that machines read.

/// Bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The lowest.
    pub low: u32,
    /// How many.
    pub width: u32,
}

impl Field {
    /// A difference in the field's bits, modulo 2 to the power of its width.
    pub fn difference(self, value: i64) -> u64 {
        value as u64 & ((1 << self.width) - 1)
    }
}
