//! Addition and subtraction.
//!
//! The operands are ordered by their exponents alone, which takes a short comparison. If the
//! exponents are equal, nothing was shifted out and a difference may be negative. It is computed as
//! `x + !y`, without the usual `+ 1`. A negative result then only has to be inverted. A result that
//! is not negative is too small by one unit in the last place. This missing unit is represented as
//! an endless tail of ones (0.111…) below the result: normalising shifts it in, and rounding turns
//! it into the missing unit. This avoids comparing magnitudes and negating.

use super::normalise::Normaliser;
use super::pack::{Packing, pack};
use super::shift::shift_out_or_right;
use super::{Format, Unpacked, neg};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// `x - y`. ANDs as for [`add`].
///
/// # Panics
/// If an operand does not have the format's width.
pub fn sub(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    add(b, format, x, &neg(format, y))
}

/// `x + y`. 525 ANDs of depth 120 for binary32, 1,127 of depth 199 for binary64. Each of two shifts
/// takes `log2(p + 3)` stages of about `p` ANDs. The rest takes about `6p + 10E`: ordering the
/// operands `p + 3E`, the sum `p + 2`, lost bits and leading zeros `p` each, rounding `p`.
///
/// # Panics
/// If an operand does not have the format's width.
pub fn add(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let Aligned { sign, exponent, large, small, lost, subtract, level, special, last } =
        align(b, format, x, y);

    // Two zeros are appended below the larger significand, for the guard bit and the round bit. The
    // `+ 1` of a subtraction is left out in two cases: if ones were shifted out below (their borrow
    // cancels it), and, as the module describes, if the exponents are equal.
    let large = [&[Bit::FALSE; 2], &large[..]].concat();
    let small: Vec<Bit> = small.iter().map(|&bit| b.xor(bit, subtract)).collect();
    let level_difference = b.and(subtract, level);
    let other_difference = b.xor(subtract, level_difference);
    let carry = b.and(other_difference, !lost);
    let (sum, carry) = int::add_with_carry(b, &large, &small, carry);
    let ones = b.and(level_difference, carry);
    let negative = b.xor(level_difference, ones);
    let mut window: Vec<Bit> = sum.iter().rev().map(|&bit| b.xor(bit, negative)).collect();
    // The carry out of a difference shows that it is not negative. It is no part of the magnitude,
    // so it is cleared here.
    let carry = b.xor(carry, subtract);
    let carry = b.xor(carry, negative);
    window.insert(0, carry);

    // With an infinite operand the fraction is 0, unless the other operand is infinite too. Then
    // the sum of the significands is 10.0 in binary, and a difference is invalid (a NaN).
    let [integer, fraction] = [window[1], tail_is_zero(b, &window[..=format.precision()])];
    let fraction = !fraction;
    let odd = b.or(integer, subtract);
    let odd = b.and(odd, level);
    let nan = b.or(fraction, odd);
    let nan = b.and(nan, special);
    let overflow = b.and(last, carry);
    let none = b.and(negative, !fraction);
    let none = b.and(none, !integer);
    let unsigned = b.or(none, nan);
    let sign = b.xor(sign, negative);
    let sign = b.and(sign, !unsigned);

    // If the result is special, everything is shifted out, because `pack` needs a window of zeros.
    let flush = b.xor(special, overflow);
    let tail = b.xor(lost, ones);
    let tail = b.and(tail, !flush);
    let round = window.pop().unwrap_or(Bit::FALSE);
    let round = b.and(round, !flush);
    let keep = format.precision() + 1;
    let stages = (format.precision() + 3).next_power_of_two().ilog2() as usize;
    let width = exponent.len();
    let budget = |stage: usize| exponent.get(stage).copied().unwrap_or(Bit::FALSE);
    let unlimited = !int::is_zero(b, &exponent[stages.min(width)..]);
    let mut normaliser = Normaliser { window, sticky: tail, unlimited, fill: tail, flush };
    let mut shift = vec![Bit::FALSE; stages];
    for stage in (0..stages).rev() {
        if stage == 1 {
            // The larger steps shift only if the operands' exponents differ by at most one. Then
            // the round bit equals the tail bit, so it can be appended here instead of being
            // shifted with the rest.
            normaliser.window.truncate(keep + 1);
            normaliser.window.push(round);
        }
        shift[stage] = normaliser.stage(b, keep, stage, budget(stage));
    }
    let exponent = int::sub(b, &exponent, &int::zero_extend(&shift, width));
    let Normaliser { window, sticky, .. } = normaliser;
    let ones = Bit::FALSE;
    pack(b, format, &Packing { sign, exponent, window, sticky, ones, special: flush, nan })
}

/// Two operands aligned for addition.
struct Aligned {
    /// Sign of the operand with the larger exponent.
    sign: Bit,
    /// The larger effective exponent.
    exponent: Vec<Bit>,
    /// Significand of the operand with the larger exponent.
    large: Vec<Bit>,
    /// Significand of the other operand, shifted right. Its two lowest bits are below those of
    /// `large`.
    small: Vec<Bit>,
    /// Whether a one was shifted out of `small`.
    lost: Bit,
    /// Whether the signs differ.
    subtract: Bit,
    /// Whether the exponents are equal.
    level: Bit,
    /// Whether an operand is infinite or a NaN. Then `small` is 0, unless both operands are.
    special: Bit,
    /// Whether the larger exponent is the largest exponent of finite numbers.
    last: Bit,
}

fn align(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Aligned {
    let (x, y) = (Unpacked::new(format, x), Unpacked::new(format, y));
    let (x_exponent, y_exponent) = (x.effective_exponent(b), y.effective_exponent(b));
    let (x_significand, y_significand) = (x.significand(b), y.significand(b));
    let (difference, in_order) =
        int::add_with_carry(b, &x_exponent, &int::not(&y_exponent), Bit::TRUE);
    let swap = !in_order;
    let distance = int::negate_if(b, swap, &difference);
    let exponent = int::select(b, swap, &y_exponent, &x_exponent);
    let (large, small) = int::swap_if(b, swap, &x_significand, &y_significand);
    let top = int::is_zero(b, &int::not(&exponent[1..]));
    let special = b.and(top, exponent[0]);

    let stages = (format.precision() + 3).next_power_of_two().ilog2() as usize;
    let distance = int::zero_extend(&distance, stages.max(distance.len()));
    let (near, far) = distance.split_at(stages);
    let far = !int::is_zero(b, far);
    let near_zero = int::is_zero(b, near);
    let level = b.and(near_zero, !far);
    let ignore = b.and(special, !level);
    let out = b.or(far, ignore);
    let (small, lost) = shift_out_or_right(b, &small, 2, near, out);
    Aligned {
        sign: b.mux(swap, y.sign, x.sign),
        last: b.xor(top, special),
        lost: b.and(lost, !special),
        subtract: b.xor(x.sign, y.sign),
        exponent,
        large,
        small,
        level,
        special,
    }
}

/// Whether all bits of `window` except the top two are 0. The groups of bits are those in which the
/// normaliser looks for the leading one, so their gates are shared.
fn tail_is_zero(b: &mut Builder, window: &[Bit]) -> Bit {
    let mut zero = Bit::TRUE;
    let mut start = 2;
    while start < window.len() {
        let end = (2 * start).min(window.len());
        let part = int::is_zero(b, &window[start..end]);
        zero = b.and(zero, part);
        start = end;
    }
    zero
}
