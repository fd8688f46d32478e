//! Rounding to integers that stay floating-point values.
//!
//! Nothing is shifted. A mask, made from the exponent, marks the fraction's bits whose weight is
//! below 1. Adding the mask and then clearing these bits rounds up; adding half of the mask rounds
//! to nearest.

use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The largest integer that is not above `x`. Infinities stay; `-0` stays `-0`; NaNs become the
/// canonical NaN. About `3F + 2^k + 6E` ANDs, where `k` is the bit length of the number `F` (5 for
/// binary32, 6 for binary64): 149 for binary32, 286 for binary64, of depth about `F + 2E`: 44 and
/// 80.
///
/// The smallest circuit published in Bristol Fashion has 655 for binary64.
pub fn floor(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    let sign = Unpacked::new(format, x).sign;
    to_integral(b, format, x, Up::If(sign))
}

/// The smallest integer that is not below `x`. Negative fractions above -1 become `-0`. Otherwise
/// like [`floor`].
///
/// The smallest circuit published in Bristol Fashion has 650 for binary64.
pub fn ceil(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    let sign = Unpacked::new(format, x).sign;
    to_integral(b, format, x, Up::If(!sign))
}

/// `x` without its fraction. Values of magnitude below 1 become a zero of their sign; otherwise
/// like [`floor`]. About `2F + 2^k + 3E` ANDs: 105 for binary32, 207 for binary64, of depth 13 and
/// 18.
pub fn trunc(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    to_integral(b, format, x, Up::If(Bit::FALSE))
}

/// The integer nearest to `x`, ties to even. A value that rounds to zero becomes a zero of its
/// sign; otherwise like [`floor`]. Takes about as many ANDs as [`floor`]: 145 for binary32, 282 for
/// binary64, of depth 44 and 81.
pub fn round_ties_even(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    to_integral(b, format, x, Up::ToNearest)
}

/// The rule for rounding a magnitude up.
enum Up {
    /// Round up every value that is not an integer, if this bit is 1.
    If(Bit),
    /// Round to the nearest integer, ties to even.
    ToNearest,
}

fn to_integral(b: &mut Builder, format: Format, x: &[Bit], up: Up) -> Vec<Bit> {
    let x = Unpacked::new(format, x);
    let places = Places::of(b, &x);
    let (special, fraction) = (x.is_special(b), &x.fraction);

    // For infinities and NaNs every place counts as below 1. Adding ones at all places then gives a
    // carry exactly if the fraction is not 0, that is, for a NaN.
    let (addend, carry) = match up {
        Up::If(Bit::FALSE) => (Vec::new(), !x.has_no_fraction(b)),
        Up::If(up) => {
            let up = b.or(up, special);
            (places.below_one.iter().map(|&place| b.and(place, up)).collect(), Bit::FALSE)
        }
        Up::ToNearest => {
            // The addend is half of the lowest integer place, minus one unit in the fraction's last
            // place. If the integer is odd, the carry in adds this unit back. So ties round to
            // even.
            let mut half = places.below_one[1..].to_vec();
            // For values in [1/2, 1) the hidden bit is worth 1/2, and a fraction that is not 0
            // makes the value more than 1/2. If the bias is 1, such values are subnormal, and the
            // fraction's top bit is worth 1/2.
            half.push(if format.bias() > 1 { places.small } else { special });
            let mut odd = b.xor(places.below_one[format.fraction - 1], places.small);
            for (places, &bit) in places.below_one.windows(2).zip(&fraction[1..]) {
                let lowest = b.xor(places[0], places[1]);
                let odd_here = b.and(lowest, bit);
                odd = b.xor(odd, odd_here);
            }
            (half, odd)
        }
    };
    let (mut rounded, mut carry) = (fraction.clone(), carry);
    for (bit, &add) in rounded.iter_mut().zip(&addend) {
        let sum = b.xor(*bit, carry);
        carry = int::majority(b, *bit, add, carry);
        *bit = sum;
    }
    let mut rounded: Vec<Bit> =
        rounded.iter().zip(&places.below_one).map(|(&bit, &place)| b.and(bit, !place)).collect();
    let nan = b.and(special, carry);

    // If the magnitude is below 1, the magnitude of the result is 0 or 1.
    let is_one = match up {
        Up::If(Bit::FALSE) => Bit::FALSE,
        Up::If(up) => {
            let tiny = x.is_tiny(b);
            let none = b.and(tiny, !carry);
            b.and(up, !none)
        }
        Up::ToNearest => {
            let at_least_half = int::is_zero(b, &int::not(&places.doublings));
            b.and(at_least_half, carry)
        }
    };
    let is_one = b.and(is_one, places.small);
    let is_one = b.and(is_one, !special);
    let keep = b.or(!places.small, special);
    let carry = match up {
        Up::If(Bit::FALSE) => Bit::FALSE,
        _ => b.and(carry, !places.small),
    };
    let exponent: Vec<Bit> = x.exponent.iter().map(|&bit| b.and(bit, keep)).collect();
    let mut exponent = int::increment_if(b, carry, &exponent);
    for bit in &mut exponent[..format.exponent - 1] {
        *bit = b.xor(*bit, is_one);
    }
    rounded[format.fraction - 1] = b.xor(rounded[format.fraction - 1], nan);
    let sign = b.and(x.sign, !nan);
    format.pack(sign, &exponent, &rounded)
}

/// The places of a fraction that are worth less than 1.
struct Places {
    /// For each place of the fraction, whether its weight is below 1. If `small`, every place
    /// counts as below 1.
    below_one: Vec<Bit>,
    /// Whether the magnitude is below 1, or the value is infinite or a NaN.
    small: Bit,
    /// The binary logarithm of the value, rounded down, if the value is at least 1; all ones for
    /// magnitudes in [1/2, 1).
    doublings: Vec<Bit>,
}

impl Places {
    fn of(b: &mut Builder, x: &Unpacked) -> Places {
        let format = x.format;
        // The exponent field plus one. For the value 1.0 this is a power of two, so the top bit is
        // 1 exactly if the magnitude is at least 1, and the other bits are the binary logarithm.
        // For infinities it wraps to 0.
        let next_exponent = int::increment_if(b, Bit::TRUE, &x.exponent);
        let (doublings, top) = next_exponent.split_at(format.exponent - 1);
        let large = top[0];
        let stages = (usize::BITS - format.fraction.leading_zeros()) as usize;
        let (low, high) = doublings.split_at(stages.min(doublings.len()));
        // Whether the value is so large that no place is below 1.
        let integer = !int::is_zero(b, high);
        let low: Vec<Bit> = int::zero_extend(low, stages)
            .into_iter()
            .map(|bit| {
                let bit = b.or(bit, integer);
                b.and(bit, large)
            })
            .collect();
        let mut below_one = less_than_each(b, &low);
        below_one.truncate(format.fraction);
        below_one.reverse();
        Places { below_one, small: !large, doublings: doublings.to_vec() }
    }
}

/// Returns, for each of 1, 2, ..., `2^k - 1`, whether `x` is less than this number. `x` has `k`
/// bits. `2^k - 1 - k` ANDs.
fn less_than_each(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    let Some((&top, low)) = x.split_last() else { return Vec::new() };
    let low = less_than_each(b, low);
    let both: Vec<Bit> = low.iter().map(|&less| b.and(less, !top)).collect();
    // `a | b` is `a ^ b ^ (a & b)`.
    let either = low.iter().zip(&both).map(|(&less, &both)| {
        let differ = b.xor(less, !top);
        b.xor(differ, both)
    });
    let either: Vec<Bit> = either.collect();
    [both, vec![!top], either].concat()
}
