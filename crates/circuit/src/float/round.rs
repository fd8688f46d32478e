//! From an intermediate result to an encoding: normalising, gradual underflow, rounding to
//! nearest even, overflow, special results.

use super::Format;
use super::normalise::Normaliser;
use super::pack::{Packing, pack};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// An intermediate result: `(-1)^sign * significand * 2^(exponent + 2 - bias - n)`, with `n` bits
/// of significand, and a little more in magnitude if `sticky` is 1.
///
/// In other words: `exponent` is the biased exponent of the *second* bit from the top. A sum or a
/// product of two significands has its carry in the top bit and fits this as it is. The
/// significand need not be normalised.
#[derive(Clone, Debug)]
pub struct Unrounded {
    /// The sign of the result, zero and infinity included.
    pub sign: Bit,
    /// The biased exponent of the second bit, in two's complement, at least one bit wider than
    /// the format's field.
    pub exponent: Vec<Bit>,
    /// The significand, bit 0 first. If it has at most `p + 1` bits that the leading one may have
    /// below it, `sticky` must be 0: the place of the guard bit would be unknown.
    pub significand: Vec<Bit>,
    /// Whether the exact magnitude is larger, by less than the significand's lowest bit.
    pub sticky: Bit,
    /// The most leading zeros of a significand that the result depends on. More are allowed where
    /// the value is zero, or rounds to zero whatever its leading zeros are.
    pub leading_zeros: usize,
    /// The result is infinite, whatever the significand is.
    pub infinite: Bit,
    /// The result is the canonical NaN, whatever all else is.
    pub nan: Bit,
    /// Whether `infinite` is known to be 1 for every value that is too large for the format, or
    /// there is none. Else finding that out costs about `F + 2E` ANDs more.
    pub in_range: bool,
}

/// The encoding of `x` in `format`: normalised, denormalised below the smallest normal number,
/// rounded once to nearest even, infinite when too large.
///
/// With `k = ceil(log2(p + 1))` stages, about `k p + 2^(k+1)` ANDs to shift, `n` for the sticky
/// bit, `2^k` to find the leading one, `F + 3E` to round and pack. An exponent whose sign is
/// constant and not negative saves about `2^k + 2p` of them.
///
/// # Panics
/// If the exponent is not wider than the format's field or there is no significand.
pub fn round(b: &mut Builder, format: Format, x: &Unrounded) -> Vec<Bit> {
    round_with_ones(b, format, x, Bit::FALSE)
}

/// As [`round`]; where `ones` is 1, the significand goes on below with ones for ever, so that it
/// is worth one more in its last place. Then `sticky` must be 0.
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

    // Kept are the hidden bit, the fraction and the guard bit.
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
    // Shifting down has made a special result zero already.
    let done = x.in_range && can_shift_down;
    let zero = if done { Bit::FALSE } else { infinite };
    window.iter_mut().for_each(|bit| *bit = b.and(*bit, !zero));
    exponent.truncate(format.exponent);
    let ones = b.and(ones, !zero);
    let packing =
        Packing { sign: x.sign, exponent, window, sticky, ones, special: infinite, nan: x.nan };
    pack(b, format, &packing)
}

/// By how much a significand may move up.
struct Budget {
    /// The places, as many bits as there are stages.
    bits: Vec<Bit>,
    /// More than all stages can move it.
    unlimited: Bit,
    /// Whether it is not shifted down first.
    up: Bit,
}

/// The significand may move up by as much as the exponent is above 0, its value for the smallest
/// normal numbers and the subnormal ones. Below 0 it is first shifted down by `2^stages`, which
/// leaves `exponent + 2^stages` to move up: the same low bits. If not even that is enough, or the
/// result is special, it stays down there, where it is too small to count.
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

/// Bits of the binary number `value`.
pub(super) fn bits_of(value: usize) -> usize {
    (usize::BITS - value.leading_zeros()) as usize
}
