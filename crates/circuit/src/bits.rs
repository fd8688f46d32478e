//! Packed vectors of bits: the values of inputs and outputs.
//!
//! The bits are a party's secrets, so they are wiped on drop and never printed.

use std::fmt;
use thiserror::Error;
use zeroize::Zeroize;

const WORD: usize = u64::BITS as usize;

/// A vector of bits, 64 per word. The unused bits of the last word are 0.
///
/// The memory is wiped on drop, and when the vector grows out of an allocation. Comparison takes
/// time that depends on the contents.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// Creates an empty vector.
    pub fn new() -> Bits {
        Bits::default()
    }

    /// Creates a vector of `len` zeros.
    pub fn with_len(len: usize) -> Bits {
        Bits { words: vec![0; len.div_ceil(WORD)], len }
    }

    /// Creates a vector of these bits.
    pub fn from_bools(bools: &[bool]) -> Bits {
        bools.iter().copied().collect()
    }

    /// Creates a vector from bytes: bit `j` of byte `k` becomes bit `8k + j`.
    pub fn from_bytes(bytes: &[u8]) -> Bits {
        let mut bits = Bits::with_len(bytes.len() * 8);
        for (k, &byte) in bytes.iter().enumerate() {
            bits.words[k / 8] |= u64::from(byte) << (k % 8 * 8);
        }
        bits
    }

    /// Creates a vector of the low `len` bits of an integer, the lowest first; 0 above bit 127.
    pub fn from_integer(value: u128, len: usize) -> Bits {
        let mut bits = Bits::with_len(len);
        for (word, part) in bits.words.iter_mut().zip([value as u64, (value >> WORD) as u64]) {
            *word = part;
        }
        bits.clear_past_end();
        bits
    }

    /// Parses `len` bits written as one hexadecimal integer: bit 0 is the lowest bit of the last
    /// digit. A leading `0x` is allowed.
    ///
    /// # Errors
    /// If there are not exactly `ceil(len / 4)` digits, a character is not a digit, or the first
    /// digit has a bit above the width.
    pub fn from_hex(text: &str, len: usize) -> Result<Bits, HexError> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let expected = len.div_ceil(4);
        let found = digits.chars().count();
        if found != expected {
            return Err(HexError::Length { len, expected, found });
        }
        let mut bits = Bits::with_len(len);
        for (k, digit) in digits.chars().rev().enumerate() {
            let value = digit.to_digit(16).ok_or(HexError::Digit { position: expected - k })?;
            if (k * 4 + 4).saturating_sub(len) > value.leading_zeros() as usize - 28 {
                return Err(HexError::TooWide { len });
            }
            bits.words[k / 16] |= u64::from(value) << (k % 16 * 4);
        }
        Ok(bits)
    }

    /// Formats the bits as one hexadecimal integer of `ceil(len / 4)` digits, bit 0 in the last.
    /// The caller must protect and wipe the text.
    pub fn to_hex(&self) -> String {
        let digit = |k: usize| (self.words[k / 16] >> (k % 16 * 4) & 15) as u32;
        let digits = (0..self.len.div_ceil(4)).rev().map(digit);
        digits.map(|d| char::from_digit(d, 16).expect("masked to four bits")).collect()
    }

    /// Packs the bits as in [`from_bytes`](Bits::from_bytes). The last byte is padded with zeros.
    pub fn to_bytes(&self) -> Vec<u8> {
        let byte = |k: usize| (self.words[k / 8] >> (k % 8 * 8)) as u8;
        (0..self.len.div_ceil(8)).map(byte).collect()
    }

    /// Converts the bits to an integer, bit 0 lowest; `None` if a bit above 127 is set.
    pub fn to_integer(&self) -> Option<u128> {
        let word = |i: usize| u128::from(self.words.get(i).copied().unwrap_or(0));
        let fits = self.words.iter().skip(2).all(|&w| w == 0);
        fits.then(|| word(0) | word(1) << WORD)
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns bit `index`.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Bits::len).
    #[inline]
    pub fn get(&self, index: usize) -> bool {
        assert!(index < self.len, "bit {index} of {}", self.len);
        self.words[index / WORD] >> (index % WORD) & 1 == 1
    }

    /// Sets bit `index` to `value`.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Bits::len).
    #[inline]
    pub fn set(&mut self, index: usize, value: bool) {
        assert!(index < self.len, "bit {index} of {}", self.len);
        let word = &mut self.words[index / WORD];
        *word = *word & !(1 << (index % WORD)) | u64::from(value) << (index % WORD);
    }

    /// Appends one bit.
    #[inline]
    pub fn push(&mut self, value: bool) {
        if self.len.is_multiple_of(WORD) {
            self.reserve_words(1);
            self.words.push(0);
        }
        self.len += 1;
        self.set(self.len - 1, value);
    }

    /// Appends all bits of `other`.
    pub fn append(&mut self, other: &Bits) {
        self.reserve_words((self.len + other.len).div_ceil(WORD) - self.words.len());
        self.extend(other.iter());
    }

    /// Iterates over the bits in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = bool> + '_ {
        (0..self.len).map(|i| self.get(i))
    }

    /// Copies the `len` bits from `start` on.
    ///
    /// # Panics
    /// If the bits reach past the end.
    pub fn slice(&self, start: usize, len: usize) -> Bits {
        let end = start.checked_add(len).filter(|&end| end <= self.len);
        assert!(end.is_some(), "bits {start} and {len} on, of {}", self.len);
        let mut bits = Bits::with_len(len);
        let (skip, shift) = (start / WORD, start % WORD);
        for (i, word) in bits.words.iter_mut().enumerate() {
            let high = self.words.get(skip + i + 1).copied().unwrap_or(0);
            *word = (u128::from(self.words[skip + i]) | u128::from(high) << WORD)
                .wrapping_shr(shift as u32) as u64;
        }
        bits.clear_past_end();
        bits
    }

    /// The bits in words of 64, bit 0 lowest. Bits past the end are 0.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Reserves memory like `Vec::reserve`, but wipes the memory that is given up.
    fn reserve_words(&mut self, more: usize) {
        if self.words.capacity() - self.words.len() < more {
            let capacity = (self.words.len() + more).max(self.words.len() * 2);
            let mut words = Vec::with_capacity(capacity);
            words.extend_from_slice(&self.words);
            std::mem::swap(&mut self.words, &mut words);
            words.zeroize();
        }
    }

    fn clear_past_end(&mut self) {
        if let (Some(last), used @ 1..) = (self.words.last_mut(), self.len % WORD) {
            *last &= (1 << used) - 1;
        }
    }
}

/// A text that is not the hexadecimal form of a value. The error does not repeat the text, which
/// may be secret.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HexError {
    /// The number of digits is wrong.
    #[error("{len} bits are {expected} hexadecimal digits, not {found}: pad with leading zeros")]
    Length {
        /// The value's width in bits.
        len: usize,
        /// Digits that the width requires.
        expected: usize,
        /// Digits given.
        found: usize,
    },
    /// A character is not a digit.
    #[error("character {position} is not a hexadecimal digit: use 0-9 and a-f")]
    Digit {
        /// Position of the character, from 1, without `0x`.
        position: usize,
    },
    /// The first digit is too large.
    #[error("the value does not fit in {len} bits: its first digit is too large")]
    TooWide {
        /// The value's width in bits.
        len: usize,
    },
}

impl Zeroize for Bits {
    fn zeroize(&mut self) {
        self.words.zeroize();
        self.len = 0;
    }
}

impl Drop for Bits {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl zeroize::ZeroizeOnDrop for Bits {}

impl Extend<bool> for Bits {
    fn extend<I: IntoIterator<Item = bool>>(&mut self, bits: I) {
        bits.into_iter().for_each(|bit| self.push(bit));
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Bits {
        let mut vector = Bits::new();
        vector.extend(bits);
        vector
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bits({} bits)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_a_vector_of_bools(
            bools in prop::collection::vec(any::<bool>(), 0..300),
            from in any::<prop::sample::Index>(),
            to in any::<prop::sample::Index>(),
        ) {
            let bits = Bits::from_bools(&bools);
            prop_assert_eq!(bits.len(), bools.len());
            prop_assert!(bits.iter().eq(bools.iter().copied()));
            prop_assert_eq!(&Bits::from_hex(&bits.to_hex(), bools.len()).unwrap(), &bits);
            prop_assert_eq!(Bits::from_bytes(&bits.to_bytes()).slice(0, bits.len()), bits.clone());

            let (from, to) = (from.index(bools.len() + 1), to.index(bools.len() + 1));
            let (from, to) = (from.min(to), from.max(to));
            let part = bits.slice(from, to - from);
            prop_assert_eq!(&part, &Bits::from_bools(&bools[from..to]));
            let mut joined = bits.slice(0, from);
            joined.append(&part);
            joined.append(&bits.slice(to, bools.len() - to));
            prop_assert_eq!(joined, bits);
        }

        #[test]
        fn integers_are_little_endian(value: u128, len in 0usize..200) {
            let kept = if len < 128 { value & ((1 << len) - 1) } else { value };
            let bits = Bits::from_integer(value, len);
            prop_assert_eq!(bits.to_integer(), Some(kept));
            prop_assert!((0..len.min(128)).all(|i| bits.get(i) == (kept >> i & 1 == 1)));
        }
    }

    #[test]
    fn hex_is_an_integer() {
        assert_eq!(Bits::from_integer(0x1a5, 9).to_hex(), "1a5");
        assert_eq!(Bits::from_hex("0x1a5", 9), Ok(Bits::from_integer(0x1a5, 9)));
        assert_eq!(Bits::from_hex("2a5", 9), Err(HexError::TooWide { len: 9 }));
        assert_eq!(Bits::from_hex("1g5", 9), Err(HexError::Digit { position: 2 }));
        let wrong = HexError::Length { len: 9, expected: 3, found: 2 };
        assert_eq!(Bits::from_hex("a5", 9), Err(wrong));
    }

    #[test]
    fn bits_set_and_print_no_secret() {
        let mut bits = Bits::with_len(70);
        bits.set(65, true);
        assert!(bits.get(65) && bits.words() == [0, 2]);
        bits.set(65, false);
        assert_eq!(bits, Bits::with_len(70));
        assert_eq!(format!("{bits:?}"), "Bits(70 bits)");
    }
}
