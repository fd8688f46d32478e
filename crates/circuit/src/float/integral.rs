//! Rounding to integers that stay floating-point values.
//!
//! Nothing is shifted. The exponent becomes a mask of the places below 1 ("the fraction of the
//! fraction"). Adding the mask before those places are cleared rounds up; adding half of it rounds
//! to nearest.

use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The largest integer that is not above `x`. Infinities stay; `-0` stays `-0`; NaNs become the
/// canonical NaN. About `3F + 2^k + 6E` ANDs with `k` the bits of `F`: 149 for binary32, 286 for
/// binary64, of depth about `F + 2E`: 44 and 80.
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

/// `x` without its fraction. Values below 1 become a zero of their sign; otherwise like [`floor`].
/// About `2F + 2^k + 3E` ANDs: 105 for binary32, 207 for binary64, of depth 13 and 18.
pub fn trunc(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    to_integral(b, format, x, Up::If(Bit::FALSE))
}

/// The integer nearest to `x`, ties to even. A value that rounds to zero becomes a zero of its
/// sign; otherwise like [`floor`]. Approximately as many ANDs: 145 for binary32, 282 for binary64,
/// of depth 44 and 81.
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

    // The addend. All places of infinities and NaNs count as below 1; adding ones there shows in
    // the carry whether the fraction is 0.
    let (addend, carry) = match up {
        Up::If(Bit::FALSE) => (Vec::new(), !x.has_no_fraction(b)),
        Up::If(up) => {
            let up = b.or(up, special);
            (places.below_one.iter().map(|&place| b.and(place, up)).collect(), Bit::FALSE)
        }
        Up::ToNearest => {
            // Half of the lowest integer place, less one in the lowest place of all; that one too
            // if the integer is odd. The mask starts just below the lowest integer place.
            let mut half = places.below_one[1..].to_vec();
            // From 1/2 to below 1, the hidden bit is that half, and any fraction is more. With a
            // bias of 1 such values have no hidden bit, and the fraction's top bit is that half.
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

    // Below 1 the result is 0 or 1.
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
    /// For each place of the fraction, whether it is below 1. All are if `small`.
    below_one: Vec<Bit>,
    /// Whether the magnitude is below 1, or the value infinite or a NaN.
    small: Bit,
    /// The binary logarithm of the value, rounded down, if the value is at least 1; all ones from
    /// 1/2 to below 1.
    doublings: Vec<Bit>,
}

impl Places {
    fn of(b: &mut Builder, x: &Unpacked) -> Places {
        let format = x.format;
        // The exponent plus one, so that 1 begins at a power of two. The top bit tells whether the
        // magnitude is at least 1; the others give the number of doublings above. Infinities wrap
        // to 0.
        let next_exponent = int::increment_if(b, Bit::TRUE, &x.exponent);
        let (doublings, top) = next_exponent.split_at(format.exponent - 1);
        let large = top[0];
        let stages = (usize::BITS - format.fraction.leading_zeros()) as usize;
        let (low, high) = doublings.split_at(stages.min(doublings.len()));
        // So many doublings that no place is below 1.
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

/// For each of 1, 2, ..., `2^k - 1`: whether `x`, of `k` bits, is less. `2^k - 1 - k` ANDs.
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
