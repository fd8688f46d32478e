//! Binary formats: the widths of exponent and fraction.

use crate::id::Bit;
use crate::int;

/// A binary interchange format. From bit 0 on: `fraction` bits, `exponent` bits, the sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent field, `E`; at least 2.
    pub exponent: usize,
    /// Bits of the fraction field, `F`; at least 2.
    pub fraction: usize,
}

/// Half precision.
pub const BINARY16: Format = Format { exponent: 5, fraction: 10 };
/// Google's format for machine learning: single precision with a short fraction.
pub const BFLOAT16: Format = Format { exponent: 8, fraction: 7 };
/// Single precision: `f32`.
pub const BINARY32: Format = Format { exponent: 8, fraction: 23 };
/// Double precision: `f64`.
pub const BINARY64: Format = Format { exponent: 11, fraction: 52 };

impl Format {
    /// Bits of a value.
    pub fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    /// Bits of a significand with its hidden bit, `p = F + 1`.
    pub fn precision(self) -> usize {
        self.fraction + 1
    }

    /// The difference between exponent field and exponent: `2^(E-1) - 1`.
    pub fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent field of infinities and NaNs: all ones.
    pub fn top_exponent(self) -> u64 {
        (1 << self.exponent) - 1
    }

    /// The canonical NaN: sign 0, quiet bit 1, payload 0.
    pub fn nan(self) -> Vec<Bit> {
        int::constant(self.width(), u128::from(self.top_exponent() << 1 | 1) << (self.fraction - 1))
    }

    /// Infinity of the given sign. Free.
    pub fn infinity(self, sign: Bit) -> Vec<Bit> {
        self.pack(sign, &vec![Bit::TRUE; self.exponent], &vec![Bit::FALSE; self.fraction])
    }

    /// Zero of the given sign. Free.
    pub fn zero(self, sign: Bit) -> Vec<Bit> {
        self.pack(sign, &vec![Bit::FALSE; self.exponent], &vec![Bit::FALSE; self.fraction])
    }

    /// Returns the encoding with these fields. Free.
    ///
    /// # Panics
    /// If a field does not have the format's width.
    pub fn pack(self, sign: Bit, exponent: &[Bit], fraction: &[Bit]) -> Vec<Bit> {
        assert_eq!(exponent.len(), self.exponent, "bits of the exponent field of {self:?}");
        assert_eq!(fraction.len(), self.fraction, "bits of the fraction field of {self:?}");
        [fraction, exponent, &[sign]].concat()
    }
}
