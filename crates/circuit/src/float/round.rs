//! Encodes an intermediate result: normalising, gradual underflow, rounding to nearest even,
//! overflow, special results.

use super::Format;
use super::normalise::Normaliser;
use super::pack::{Packing, pack};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// An intermediate result: `(-1)^sign * significand * 2^(exponent + 2 - bias - n)`, with `n` bits
/// of significand, and slightly more in magnitude if `sticky` is 1.
///
/// In other words, `exponent` is the biased exponent of the *second* bit from the top. A sum or
/// product of two significands has its carry in the top bit and has this form already. The
/// significand need not be normalised.
#[derive(Clone, Debug)]
pub struct Unrounded {
    /// The sign of the result, also of zero and infinity.
    pub sign: Bit,
    /// The biased exponent of the second bit, in two's complement, at least one bit wider than
    /// the format's field.
    pub exponent: Vec<Bit>,
    /// The significand, bit 0 first. If the leading one may have `p + 1` or fewer bits below it,
    /// `sticky` must be 0: the bits that normalising shifts in would be unknown.
    pub significand: Vec<Bit>,
    /// Whether the exact magnitude is larger, by less than the significand's lowest bit.
    pub sticky: Bit,
    /// The largest number of leading zeros of the significand. More are allowed only if the value
    /// is zero, or rounds to zero in any case.
    pub leading_zeros: usize,
    /// Whether the result is infinite, whatever the significand is.
    pub infinite: Bit,
    /// Whether the result is the canonical NaN, whatever the other fields are.
    pub nan: Bit,
    /// Set if no value is too large for the format, or `infinite` is known to be 1 for every such
    /// value. Otherwise the check costs about `F + 2E` ANDs more.
    pub in_range: bool,
}

/// Encodes `x` in `format`: normalised, denormalised below the smallest normal number, rounded once
/// to nearest even, infinite if too large.
///
/// With `k = ceil(log2(p + 1))` stages, it takes about `k p + 2^(k+1)` ANDs to shift, `n` for the
/// sticky bit, `2^k` to find the leading one, and `F + 3E` to round and pack. An exponent whose
/// sign bit is the constant 0 saves about `2^k + 2p` of them.
///
/// # Panics
/// If the exponent is not wider than the format's field, or the significand has no bits.
pub fn round(b: &mut Builder, format: Format, x: &Unrounded) -> Vec<Bit> {
    round_with_ones(b, format, x, Bit::FALSE)
}

/// Like [`round`]. If `ones` is 1, the significand continues below with infinitely many ones, which
/// are together worth one unit of its last place; `sticky` must then be 0.
pub(super) fn round_with_ones(
    b: &mut Builder,
    format: Format,
    x: &Unrounded,
    ones: Bit,
) -> Vec<Bit> {
    assert!(x.exponent.len() > format.exponent, "the exponent is no wider than {format:?}'s field");
    assert!(!x.significand.is_empty(), "a significand of no bits");
    let width = x.exponent.len() - 1;
    let (exponent, negative) = (&x.exponent[..width], x.exponent[width]);
    let special = b.or(x.infinite, x.nan);
    let can_shift_down = negative != Bit::FALSE;

    // Keeps the hidden bit, the fraction and the guard bit.
    let keep = format.precision() + 1;
    let stages = (keep.next_power_of_two().ilog2() as usize).min(width);
    let all = bits_of(x.leading_zeros).clamp(stages, width);
    let budget = budget(b, &x.exponent, [stages, all], special);
    let mut normaliser = Normaliser {
        window: x.significand.iter().rev().copied().collect(),
        sticky: x.sticky,
        unlimited: budget.unlimited,
        fill: ones,
        flush: Bit::FALSE,
    };
    normaliser.cut(b, keep, all);
    let mut shift = vec![Bit::FALSE; all];
    for stage in (0..all).rev() {
        if stage + 1 == stages && can_shift_down {
            normaliser.shift_down_unless(b, budget.up, keep, stages);
        }
        shift[stage] = normaliser.stage(b, keep, stage, budget.bits[stage]);
    }
    let Normaliser { mut window, sticky, .. } = normaliser;
    window.resize(keep, ones);

    let wide = if x.in_range { format.exponent } else { width };
    let mut exponent = int::sub(b, &exponent[..wide], &int::zero_extend(&shift, wide));
    let mut infinite = special;
    if !x.in_range {
        let large = is_too_large(b, format, &exponent);
        let large = b.and(large, window[0]);
        infinite = b.or(special, large);
    }
    // Shifting down has already made a special result zero.
    let done = x.in_range && can_shift_down;
    let zero = if done { Bit::FALSE } else { infinite };
    window.iter_mut().for_each(|bit| *bit = b.and(*bit, !zero));
    exponent.truncate(format.exponent);
    let ones = b.and(ones, !zero);
    let packing =
        Packing { sign: x.sign, exponent, window, sticky, ones, special: infinite, nan: x.nan };
    pack(b, format, &packing)
}

/// The distance by which a significand may move up.
struct Budget {
    /// The distance in places, with one bit per stage.
    bits: Vec<Bit>,
    /// Whether the distance exceeds what all stages can move.
    unlimited: Bit,
    /// Whether the significand moves only up. Otherwise it is first shifted down.
    up: Bit,
}

/// Returns how far the significand may move up. The smallest normal numbers and the subnormal
/// numbers have `exponent` 0, so the significand may move up by `exponent` places. If `exponent` is
/// negative, the significand is first shifted down by `2^stages`. It may then move up by
/// `exponent + 2^stages`, which has the same low bits. If this sum is negative too, or the result
/// is special, the significand stays down, where it is too small to affect the result.
fn budget(b: &mut Builder, exponent: &[Bit], [stages, all]: [usize; 2], special: Bit) -> Budget {
    let (exponent, negative) = (&exponent[..exponent.len() - 1], exponent[exponent.len() - 1]);
    let above = !int::is_zero(b, &exponent[all..]);
    if negative == Bit::FALSE {
        return Budget { bits: exponent[..all].to_vec(), unlimited: above, up: Bit::TRUE };
    }
    let up = b.and(!negative, !special);
    let near = int::is_zero(b, &int::not(&exponent[stages..]));
    let down = b.and(negative, near);
    let down = b.and(down, !special);
    let movable = b.xor(up, down);
    let bit = |(i, &bit): (usize, &Bit)| b.and(bit, if i < stages { movable } else { up });
    let bits = exponent[..all].iter().enumerate().map(bit).collect();
    Budget { bits, unlimited: b.and(above, up), up }
}

/// Whether `exponent + 1` is at least the top exponent field.
fn is_too_large(b: &mut Builder, format: Format, exponent: &[Bit]) -> Bit {
    let (field, high) = exponent.split_at(format.exponent);
    let last = int::is_zero(b, &int::not(&field[1..]));
    let high = int::is_zero(b, high);
    b.or(last, !high)
}

/// Number of bits of `value` in binary.
pub(super) fn bits_of(value: usize) -> usize {
    (usize::BITS - value.leading_zeros()) as usize
}
