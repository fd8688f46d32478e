//! Addition and subtraction.
//!
//! The operands are ordered by their exponents alone, which takes a short comparison. If the
//! exponents are equal, a difference may be negative. In that case nothing was shifted out. The
//! difference is taken without the carry that completes the two's complement. So a negative
//! difference only needs to be inverted, and one that is not negative is too small by one in its
//! last place. That one is represented as a tail of ones, 0.111…, which is kept while normalising,
//! and which rounds up where the carry belongs. This avoids comparing magnitudes and negating.

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

/// `x + y`. 525 ANDs of depth 120 for binary32, 1,127 of depth 199 for binary64. Two shifts take
/// `log2(p + 3)` stages of about `p` each. The rest takes about `6p + 10E`: ordering `p + 3E`, the
/// sum `p + 2`, lost bits and leading zeros `p` each, rounding `p`.
///
/// # Panics
/// If an operand does not have the format's width.
pub fn add(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let Aligned { sign, exponent, large, small, lost, subtract, level, special, last } =
        align(b, format, x, y);

    // Below the larger significand there are two zeros, for guard and round bit. Subtracting the
    // lost bits below them consumes the carry. An equal exponent consumes it too, on purpose.
    let large = [&[Bit::FALSE; 2], &large[..]].concat();
    let small: Vec<Bit> = small.iter().map(|&bit| b.xor(bit, subtract)).collect();
    let level_difference = b.and(subtract, level);
    let other_difference = b.xor(subtract, level_difference);
    let carry = b.and(other_difference, !lost);
    let (sum, carry) = int::add_with_carry(b, &large, &small, carry);
    let ones = b.and(level_difference, carry);
    let negative = b.xor(level_difference, ones);
    let mut window: Vec<Bit> = sum.iter().rev().map(|&bit| b.xor(bit, negative)).collect();
    // The carry of a difference that is not negative has no meaning.
    let carry = b.xor(carry, subtract);
    let carry = b.xor(carry, negative);
    window.insert(0, carry);

    // With an infinite operand the fraction is 0, unless the other operand is infinite too. In that
    // case the sum is 10.0, and the difference is invalid.
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

    // Special results become zero by shifting everything out.
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
            // Larger steps occur only after a difference of exponents that differ by at most one.
            // The round bit then equals that of the tail, before and after.
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
    /// Significand of that operand.
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
    /// Whether one is infinite or a NaN. Then `small` is 0 unless both are.
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

/// Whether all bits of `window` except the top two are 0. The normaliser uses the same gates to
/// find the leading one, so they are shared.
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
