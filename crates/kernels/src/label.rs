//! Labels: 128-bit little-endian integers that stand for a wire's value.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

/// A wire label. Bit 0 is its colour bit. `Debug` shows no digit of it, so that it is never
/// printed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Label(u128);

impl Label {
    /// The label with all bits zero.
    pub const ZERO: Label = Label(0);

    /// Makes a label from the integer `value`.
    #[inline]
    pub const fn from_u128(value: u128) -> Label {
        Label(value)
    }

    /// The label as an integer.
    #[inline]
    pub const fn to_u128(self) -> u128 {
        self.0
    }

    /// Makes a label from 16 little-endian bytes.
    #[inline]
    pub const fn from_bytes(bytes: [u8; 16]) -> Label {
        Label(u128::from_le_bytes(bytes))
    }

    /// The label's 16 bytes, little endian: its form on a connection and in files.
    #[inline]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// The labels as integers.
    #[inline]
    pub const fn integers(labels: &[Label]) -> &[u128] {
        // SAFETY: a label is an integer, transparently.
        unsafe { std::slice::from_raw_parts(labels.as_ptr().cast(), labels.len()) }
    }

    /// The colour bit.
    #[inline]
    pub const fn colour(self) -> bool {
        self.0 & 1 == 1
    }

    /// The label if `keep`, zero otherwise. `keep` may be secret: there is no branch, and none that
    /// an optimiser could insert.
    #[inline]
    pub fn masked(self, keep: bool) -> Label {
        let keep = Choice::from(u8::from(keep));
        Label(u128::conditional_select(&0, &self.0, keep))
    }

    /// The label if `keep`, zero otherwise. `keep` is public.
    #[inline]
    pub const fn masked_publicly(self, keep: bool) -> Label {
        Label(self.0 & (keep as u128).wrapping_neg())
    }
}

impl BitXor for Label {
    type Output = Label;
    #[inline]
    fn bitxor(self, other: Label) -> Label {
        Label(self.0 ^ other.0)
    }
}

impl BitXorAssign for Label {
    #[inline]
    fn bitxor_assign(&mut self, other: Label) {
        self.0 ^= other.0;
    }
}

impl Zeroize for Label {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Label(…)")
    }
}

/// Δ, the secret offset between the two labels of every wire. Bit 0 is set. Wiped on drop.
pub struct Delta(Label);

impl Delta {
    /// Makes an offset from `random`, with bit 0 set.
    pub const fn new(random: Label) -> Delta {
        Delta(Label(random.0 | 1))
    }

    /// The offset as a label, for XOR.
    #[inline]
    pub const fn label(&self) -> Label {
        self.0
    }
}

impl Drop for Delta {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Delta(…)")
    }
}
