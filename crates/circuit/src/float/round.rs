//! From an intermediate result to an encoding: normalising, gradual underflow, rounding to
//! nearest even, overflow, special results.

use super::Format;
use super::normalise::Normaliser;
use super::sum::full_adder;
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
/// bit, `2^k` to find the leading one, `F + 3E` to round and pack.
///
/// # Panics
/// If the exponent is not wider than the format's field or there is no significand.
pub fn round(b: &mut Builder, format: Format, x: &Unrounded) -> Vec<Bit> {
    assert!(x.exponent.len() > format.exponent, "the exponent is no wider than {format:?}'s field");
    assert!(!x.significand.is_empty(), "a significand of no bits");
    // Kept are the hidden bit, the fraction and the guard bit.
    let keep = format.precision() + 1;
    let width = x.exponent.len() - 1;
    let (exponent, negative) = (&x.exponent[..width], x.exponent[width]);
    let special = b.or(x.infinite, x.nan);

    // The significand may move up by as much as the exponent is above 0, its value for the
    // smallest normal numbers and the subnormal ones. Below 0 it is first shifted down by
    // 2^stages, which leaves `exponent + 2^stages` to move up: the same low bits. If not even
    // that is enough, or the result is special, it stays down there, where it is too small to
    // count.
    let stages = (keep.next_power_of_two().ilog2() as usize).min(width);
    let all = bits_of(x.leading_zeros).clamp(stages, width);
    let up = b.and(!negative, !special);
    let near = int::is_zero(b, &int::not(&exponent[stages..]));
    let down = b.and(negative, near);
    let down = b.and(down, !special);
    let movable = b.xor(up, down);
    let above = !int::is_zero(b, &exponent[all..]);
    let mut normaliser = Normaliser {
        window: x.significand.iter().rev().copied().collect(),
        sticky: x.sticky,
        unlimited: b.and(above, up),
        fill: Bit::FALSE,
        flush: Bit::FALSE,
    };
    normaliser.cut(b, keep, all);
    let mut shift = vec![Bit::FALSE; all];
    for stage in (stages..all).rev() {
        let budget = b.and(exponent[stage], up);
        shift[stage] = normaliser.stage(b, keep, stage, budget);
    }
    normaliser.window.resize(keep + (1 << stages) - 1, Bit::FALSE);
    normaliser.shift_down_unless(b, up, 1 << stages);
    for stage in (0..stages).rev() {
        let budget = b.and(exponent[stage], movable);
        shift[stage] = normaliser.stage(b, keep, stage, budget);
    }

    let mut window = normaliser.window;
    let wide = if x.in_range { format.exponent } else { width };
    let mut exponent = int::sub(b, &exponent[..wide], &int::zero_extend(&shift, wide));
    let mut infinite = special;
    if !x.in_range {
        let large = is_too_large(b, format, &exponent);
        let large = b.and(large, window[0]);
        window = window.iter().map(|&bit| b.and(bit, !large)).collect();
        infinite = b.or(special, large);
    }
    exponent.truncate(format.exponent);
    pack(b, format, x.sign, &exponent, &window, normaliser.sticky, infinite, x.nan)
}

/// The encoding of a normalised `window` (top bit first: hidden bit, fraction, guard bit) and
/// sticky bit, rounded. The exponent field is `exponent + 1`, or 0 if the hidden bit is 0. Where
/// `special` is 1 the window must be 0, and the result is infinite, or the canonical NaN if `nan`
/// is 1 too. `F + 2E + 3` ANDs.
#[allow(clippy::too_many_arguments)]
pub(super) fn pack(
    b: &mut Builder,
    format: Format,
    sign: Bit,
    exponent: &[Bit],
    window: &[Bit],
    sticky: Bit,
    special: Bit,
    nan: Bit,
) -> Vec<Bit> {
    let hidden = window[0];
    let guard = [window[format.precision()], sticky];
    let fraction: Vec<Bit> = window[1..format.precision()].iter().rev().copied().collect();
    let (mut field, mut fraction) = round_up(b, exponent, hidden, &fraction, guard);
    field.iter_mut().for_each(|bit| *bit = b.xor(*bit, special));
    let quiet = format.fraction - 1;
    fraction[quiet] = b.xor(fraction[quiet], nan);
    let sign = b.and(sign, !nan);
    format.pack(sign, &field, &fraction)
}

/// Field and fraction of a significand `hidden.fraction` with guard and sticky bits, rounded to
/// nearest even. The field is `exponent + 1` if the hidden bit is 1, and else 0, whatever
/// `exponent` is; either grows by one where rounding carries. `F + 2E + 2` ANDs.
fn round_up(
    b: &mut Builder,
    exponent: &[Bit],
    hidden: Bit,
    fraction: &[Bit],
    [guard, sticky]: [Bit; 2],
) -> (Vec<Bit>, Vec<Bit>) {
    let not_even = b.or(fraction[0], sticky);
    let mut carry = b.and(guard, not_even);
    let mut rounded = Vec::with_capacity(fraction.len());
    for &bit in fraction {
        rounded.push(b.xor(bit, carry));
        carry = b.and(bit, carry);
    }
    let mut field: Vec<Bit> = exponent.iter().map(|&bit| b.and(bit, hidden)).collect();
    let mut one = hidden;
    for bit in &mut field {
        let (sum, next) = full_adder(b, *bit, one, carry);
        (*bit, one, carry) = (sum, Bit::FALSE, next);
    }
    (field, rounded)
}

/// Whether `exponent + 1` is at least the top exponent field.
fn is_too_large(b: &mut Builder, format: Format, exponent: &[Bit]) -> Bit {
    let (field, high) = exponent.split_at(format.exponent);
    let last = int::is_zero(b, &int::not(&field[1..]));
    let high = int::is_zero(b, high);
    b.or(last, !high)
}

/// Bits of the binary number `value`.
fn bits_of(value: usize) -> usize {
    (usize::BITS - value.leading_zeros()) as usize
}
