//! Products, quotients and rounding of fixed-point numbers, on bits.
//!
//! All rounding is to the nearest multiple, ties to the upper one. That is the floor of the value
//! plus a half. So when low bits are dropped, the highest of them is added to the rest.

use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// A function of two numbers, their number of bits after the point, and whether they are signed.
pub type Binary = fn(&mut Builder, &[Bit], &[Bit], usize, bool) -> Vec<Bit>;

/// A function of a number, its number of bits after the point, whether it is signed, and the number
/// of bits of the result.
pub type ToInt = fn(&mut Builder, &[Bit], usize, bool, usize) -> Vec<Bit>;

/// Extends `x` to `width` bits, or drops high bits.
pub fn extend(x: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    if signed { int::sign_extend(x, width) } else { int::zero_extend(x, width) }
}

/// The low `width` bits of `x / 2^drop`, rounded.
pub fn round(b: &mut Builder, x: &[Bit], drop: usize, signed: bool, width: usize) -> Vec<Bit> {
    let kept = kept(x, drop, width);
    let x = extend(x, drop + kept, signed);
    let rounded = match drop.checked_sub(1) {
        Some(half) => int::increment_if(b, x[half], &x[drop..]),
        None => x,
    };
    extend(&rounded, width, signed)
}

/// The most bits that `x / 2^drop` has after rounding, up to `width`: the bits that remain (at
/// least one, for the sign), and one more for the carry of rounding.
fn kept(x: &[Bit], drop: usize, width: usize) -> usize {
    width.min(x.len().saturating_sub(drop).max(1) + 1)
}

/// The low `width` bits of the ceiling of `x / 2^drop`.
pub fn ceil(b: &mut Builder, x: &[Bit], drop: usize, signed: bool, width: usize) -> Vec<Bit> {
    let kept = kept(x, drop, width);
    let x = extend(x, drop + kept, signed);
    let is_whole = int::is_zero(b, &x[..drop]);
    let rounded = int::increment_if(b, !is_whole, &x[drop..]);
    extend(&rounded, width, signed)
}

/// `x y / 2^fraction`, rounded. Wraps.
pub fn mul(b: &mut Builder, x: &[Bit], y: &[Bit], fraction: usize, signed: bool) -> Vec<Bit> {
    let width = match is_full_cheaper(x.len(), fraction) {
        true => 2 * x.len(),
        false => x.len() + fraction,
    };
    let product = match (x == y, signed) {
        (true, true) => {
            let magnitude = int::abs(b, x);
            int::square_low(b, &magnitude, width)
        }
        (true, false) => int::square_low(b, x, width),
        (false, true) => int::mul_low_signed(b, x, y, width),
        (false, false) => int::mul_low(b, x, y, width),
    };
    round(b, &product, fraction, signed, x.len())
}

/// Whether a full product takes fewer ANDs than its low bits alone. Karatsuba's split saves less if
/// only the low bits are computed. The bounds come from counts for widths of 16 to 128 bits.
fn is_full_cheaper(width: usize, fraction: usize) -> bool {
    match width {
        0..24 => false,
        24..40 => 3 * fraction > 2 * width,
        _ => 2 * fraction >= width,
    }
}

/// `x y / 2^fraction`, rounded, or the nearest representable number.
pub fn saturating_mul(
    b: &mut Builder,
    x: &[Bit],
    y: &[Bit],
    fraction: usize,
    signed: bool,
) -> Vec<Bit> {
    let product = match (x == y, signed) {
        (true, true) => {
            let magnitude = int::abs(b, x);
            int::square_full(b, &magnitude)
        }
        (true, false) => int::square_full(b, x),
        (false, true) => int::mul_full_signed(b, x, y),
        (false, false) => int::mul_full(b, x, y),
    };
    // One bit more than remains, for the carry of rounding.
    let rounded = round(b, &product, fraction, signed, product.len() + 1 - fraction);
    saturate(b, &rounded, x.len(), signed)
}

/// `x + y`, or the nearest representable number.
pub fn saturating_add(b: &mut Builder, x: &[Bit], y: &[Bit], _: usize, signed: bool) -> Vec<Bit> {
    let sum = match signed {
        true => int::add(b, &extend(x, x.len() + 1, true), &extend(y, y.len() + 1, true)),
        false => int::add_carry(b, x, y),
    };
    saturate(b, &sum, x.len(), signed)
}

/// `x - y`, or the nearest representable number.
pub fn saturating_sub(b: &mut Builder, x: &[Bit], y: &[Bit], _: usize, signed: bool) -> Vec<Bit> {
    let width = x.len();
    let difference = int::sub(b, &extend(x, width + 1, signed), &extend(y, width + 1, signed));
    match signed {
        true => saturate(b, &difference, width, true),
        // A negative difference becomes 0.
        false => int::and(b, &vec![!difference[width]; width], &difference[..width]),
    }
}

/// The low `width` bits of `x`, or the nearest number of `width` bits.
fn saturate(b: &mut Builder, x: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    let sign = if signed { x[x.len() - 1] } else { Bit::FALSE };
    // The bits beyond `width`, and the top remaining bit of a signed number, equal the sign if `x`
    // fits.
    let beyond = &x[width - usize::from(signed)..];
    let differ: Vec<Bit> = beyond.iter().map(|&bit| b.xor(bit, sign)).collect();
    let fits = int::is_zero(b, &differ);
    int::select(b, fits, &x[..width], &extreme(sign, width, signed))
}

/// The largest number of `width` bits, or the least number if `negative` is 1.
fn extreme(negative: Bit, width: usize, signed: bool) -> Vec<Bit> {
    let mut bits = vec![!negative; width];
    if signed {
        bits[width - 1] = negative;
    }
    bits
}

/// `x 2^fraction / y`, rounded. Wraps. Division by 0 gives the largest number, or the least if `x`
/// is below 0.
pub fn div(b: &mut Builder, x: &[Bit], y: &[Bit], fraction: usize, signed: bool) -> Vec<Bit> {
    let width = x.len();
    let sign = |x: &[Bit]| if signed { x[width - 1] } else { Bit::FALSE };
    let (x_sign, y_sign) = (sign(x), sign(y));
    let magnitude = int::negate_if(b, x_sign, x);
    let dividend = [&vec![Bit::FALSE; fraction][..], &magnitude].concat();
    let divisor = int::negate_if(b, y_sign, y);
    let (quotient, rest) = match public(&divisor) {
        Some(0) => return extreme(x_sign, width, signed),
        Some(divisor) => int::div_rem_constant(b, &dividend, divisor),
        None => int::div_rem_unsigned(b, &dividend, &divisor),
    };
    let negative = b.xor(x_sign, y_sign);
    // The magnitude is rounded. Ties go to the upper number, so the magnitude of a negative
    // quotient is rounded up only if the remainder is more than half of the divisor. This compares
    // four times the remainder with twice the divisor, plus 1 if the quotient is negative.
    let rest = [&[Bit::FALSE; 2][..], &rest].concat();
    let half = [&[negative][..], &divisor].concat();
    let goes_down = int::lt_unsigned(b, &rest, &half);
    let rounded = int::increment_if(b, !goes_down, &quotient[..width]);
    let wrapped = int::negate_if(b, negative, &rounded);
    let by_zero = int::is_zero(b, y);
    int::select(b, by_zero, &extreme(x_sign, width, signed), &wrapped)
}

/// The value, if all bits are constant.
fn public(bits: &[Bit]) -> Option<u128> {
    let bits = (0..).zip(bits);
    bits.map(|(i, bit)| Some(u128::from(bit.as_constant()?) << i))
        .try_fold(0, |value, bit| Some(value | bit?))
}
