//! Encodes a result whose leading one is already at the top. [`round()`](super::round()) encodes
//! results that still have to be normalised.

use super::pack::{Packing, pack};
use super::{Format, shift_right_sticky};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// A normalised result: `(-1)^sign * significand`, with a leading one in its top bit.
pub(super) struct Normalised {
    /// The sign, also of zero and infinity.
    pub(super) sign: Bit,
    /// The exponent field of a normal result, minus one, in two's complement.
    pub(super) exponent: Vec<Bit>,
    /// At least `p + 1` bits, bit 0 first. The top bit counts as 1.
    pub(super) significand: Vec<Bit>,
    /// Whether the exact magnitude is larger, by less than one unit of the lowest bit.
    pub(super) sticky: Bit,
    /// Whether the result is zero, unless it is infinite or a NaN.
    pub(super) zero: Bit,
    /// Whether the result is infinite, unless it is a NaN.
    pub(super) infinite: Bit,
    /// Whether the result is the canonical NaN.
    pub(super) nan: Bit,
    /// Whether the result may be too small to be normal, and whether it may be too large.
    pub(super) range: [bool; 2],
}

/// Encodes `x` in `format`, rounded once to nearest even. With `k = ceil(log2 (p + 2))` it takes
/// about `k p + 2^k + F + 5E` ANDs, and one more per bit of the significand beyond `p + 1` bits.
pub(super) fn encode(b: &mut Builder, format: Format, x: &Normalised) -> Vec<Bit> {
    let width = x.exponent.len();
    let [may_be_small, may_be_large] = x.range;
    let mut ones = b.or(x.infinite, x.nan);
    if may_be_large {
        // The largest exponent field of a finite number, minus one. This is the top exponent minus
        // two.
        let most = u128::from(format.top_exponent()) - 2;
        let large = int::lt_signed(b, &int::constant(width, most), &x.exponent);
        let large = b.and(large, !x.zero);
        ones = b.or(ones, large);
    }
    // If the result is special, all bits are shifted out, the hidden bit too, so that only zeros
    // are left.
    let vanish = b.or(ones, x.zero);
    let small = if may_be_small { x.exponent[width - 1] } else { Bit::FALSE };
    let down = int::neg(b, &x.exponent);
    let mut amount: Vec<Bit> = down[..width - 1].iter().map(|&bit| b.and(bit, small)).collect();
    amount.push(vanish);

    let extra = x.significand.len() - (format.precision() + 1);
    let (low, kept) = x.significand.split_at(extra);
    let mut kept = kept.to_vec();
    kept[format.precision()] = Bit::TRUE;
    let low = !int::is_zero(b, low);
    let sticky = b.or(low, x.sticky);
    let (kept, lost) = if may_be_small {
        shift_right_sticky(b, &kept, 0, &amount)
    } else {
        (kept.iter().map(|&bit| b.and(bit, !vanish)).collect(), Bit::FALSE)
    };
    let sticky = b.or(sticky, lost);
    let packing = Packing {
        sign: x.sign,
        exponent: x.exponent[..format.exponent].to_vec(),
        window: kept.into_iter().rev().collect(),
        sticky,
        ones: Bit::FALSE,
        special: ones,
        nan: x.nan,
    };
    pack(b, format, &packing)
}
