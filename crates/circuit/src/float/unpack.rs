//! Splits a value into its fields, and determines its kind (zero, subnormal, infinite or NaN).

use super::Format;
use super::normalise::Normaliser;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// An unpacked value. Unpacking is free.
///
/// Each method documents its cost, which is incurred once: the builder reuses the gates of a
/// repeated query, so several queries share gates.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// Format of the value.
    pub format: Format,
    /// The sign bit.
    pub sign: Bit,
    /// The exponent field, `E` bits.
    pub exponent: Vec<Bit>,
    /// The fraction field, `F` bits.
    pub fraction: Vec<Bit>,
}

impl Unpacked {
    /// Unpacks `x`. Free.
    ///
    /// # Panics
    /// If `x` does not have the format's width.
    pub fn new(format: Format, x: &[Bit]) -> Unpacked {
        assert_eq!(x.len(), format.width(), "bits of a value of {format:?}");
        let (fraction, rest) = x.split_at(format.fraction);
        Unpacked {
            format,
            sign: rest[format.exponent],
            exponent: rest[..format.exponent].to_vec(),
            fraction: fraction.to_vec(),
        }
    }

    /// Whether the value is zero or subnormal: an exponent field of zeros. `E - 1` ANDs.
    pub fn is_tiny(&self, b: &mut Builder) -> Bit {
        int::is_zero(b, &self.exponent)
    }

    /// Whether the value is infinite or a NaN: an exponent field of ones. `E - 1` ANDs.
    pub fn is_special(&self, b: &mut Builder) -> Bit {
        int::is_zero(b, &int::not(&self.exponent))
    }

    /// Whether the fraction field is 0. `F - 1` ANDs.
    pub fn has_no_fraction(&self, b: &mut Builder) -> Bit {
        int::is_zero(b, &self.fraction)
    }

    /// Whether the value is +0 or -0. `E + F - 1` ANDs.
    pub fn is_zero(&self, b: &mut Builder) -> Bit {
        let (tiny, none) = (self.is_tiny(b), self.has_no_fraction(b));
        b.and(tiny, none)
    }

    /// Whether the value is subnormal: not zero, and without a hidden bit. `E + F - 1` ANDs, all
    /// shared with [`is_zero`](Unpacked::is_zero).
    pub fn is_subnormal(&self, b: &mut Builder) -> Bit {
        let (tiny, zero) = (self.is_tiny(b), self.is_zero(b));
        b.xor(tiny, zero)
    }

    /// Whether the value is an infinity. `E + F - 1` ANDs.
    pub fn is_infinite(&self, b: &mut Builder) -> Bit {
        let (special, none) = (self.is_special(b), self.has_no_fraction(b));
        b.and(special, none)
    }

    /// Whether the value is a NaN. `E + F - 1` ANDs, all shared with
    /// [`is_infinite`](Unpacked::is_infinite).
    pub fn is_nan(&self, b: &mut Builder) -> Bit {
        let (special, infinite) = (self.is_special(b), self.is_infinite(b));
        b.xor(special, infinite)
    }

    /// The exponent field that applies to the significand: 1 for zero and subnormal values, whose
    /// field is 0. `E` bits; `E - 1` ANDs, the ANDs of [`is_tiny`](Unpacked::is_tiny).
    pub fn effective_exponent(&self, b: &mut Builder) -> Vec<Bit> {
        let tiny = self.is_tiny(b);
        let mut exponent = self.exponent.clone();
        exponent[0] = b.xor(exponent[0], tiny);
        exponent
    }

    /// The fraction with the hidden bit on top, which is 0 for zero and subnormal values. `p` bits;
    /// a finite value is `significand * 2^(effective exponent - bias - F)`. `E - 1` ANDs, the ANDs
    /// of [`is_tiny`](Unpacked::is_tiny).
    pub fn significand(&self, b: &mut Builder) -> Vec<Bit> {
        let hidden = !self.is_tiny(b);
        let mut significand = self.fraction.clone();
        significand.push(hidden);
        significand
    }

    /// Exponent and significand with the leading one moved to the top, for operations that need
    /// this form. For a finite nonzero value, bit `F` of the significand is 1, and the value is
    /// `significand * 2^(exponent - bias - F)`. The exponent is in two's complement, `E + 1` bits,
    /// at least `1 - F`. The significand of zero is 0, with an arbitrary exponent; infinities and
    /// NaNs are treated as numbers whose exponent is one above the largest.
    ///
    /// About `p log2 p + p + 2E` ANDs: 418 for binary64, 160 for binary32.
    pub fn normalised(&self, b: &mut Builder) -> (Vec<Bit>, Vec<Bit>) {
        let keep = self.format.precision();
        let exponent = self.effective_exponent(b);
        let mut normaliser = Normaliser {
            window: self.significand(b).into_iter().rev().collect(),
            sticky: Bit::FALSE,
            unlimited: Bit::TRUE,
            fill: Bit::FALSE,
            flush: Bit::FALSE,
        };
        let stages = keep.next_power_of_two().ilog2() as usize;
        let mut shift = vec![Bit::FALSE; stages];
        for stage in (0..stages).rev() {
            shift[stage] = normaliser.stage(b, keep, stage, Bit::TRUE);
        }
        normaliser.window.truncate(keep);
        let exponent = int::zero_extend(&exponent, self.format.exponent + 1);
        let exponent = int::sub(b, &exponent, &shift);
        (exponent, normaliser.window.into_iter().rev().collect())
    }
}
