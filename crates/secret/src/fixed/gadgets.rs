//! Products, quotients and rounding of fixed point, on bits.
//!
//! All that is rounded is rounded to the nearest multiple, of two to the upper one: that is the
//! floor of the value and a half, so a bit is added to what is left of a number whose low bits are
//! dropped.

use halfgate_circuit::{Bit, Builder, int};

/// Two numbers, bits after their point, and whether they are signed.
pub(super) type Binary = fn(&mut Builder, &[Bit], &[Bit], usize, bool) -> Vec<Bit>;

/// A number, bits after its point, whether it is signed, and bits of the result.
pub(super) type ToInt = fn(&mut Builder, &[Bit], usize, bool, usize) -> Vec<Bit>;

/// `x` at `width` bits: extended, or high bits dropped.
#[track_caller]
pub(super) fn extend(x: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    if signed { int::sign_extend(x, width) } else { int::zero_extend(x, width) }
}

/// The low `width` bits of `x / 2^drop`, rounded.
#[track_caller]
pub(super) fn round(
    b: &mut Builder,
    x: &[Bit],
    drop: usize,
    signed: bool,
    width: usize,
) -> Vec<Bit> {
    let kept = kept(x, drop, width);
    let x = extend(x, drop + kept, signed);
    let rounded = match drop.checked_sub(1) {
        Some(half) => int::increment_if(b, x[half], &x[drop..]),
        None => x,
    };
    extend(&rounded, width, signed)
}

/// Bits that `x / 2^drop` has at most when it is rounded, up to `width`: those that are left, at
/// least one for the sign, and one for what rounding carries.
#[track_caller]
fn kept(x: &[Bit], drop: usize, width: usize) -> usize {
    width.min(x.len().saturating_sub(drop).max(1) + 1)
}

/// The low `width` bits of the least integer that is not below `x / 2^drop`.
#[track_caller]
pub(super) fn ceil(
    b: &mut Builder,
    x: &[Bit],
    drop: usize,
    signed: bool,
    width: usize,
) -> Vec<Bit> {
    let kept = kept(x, drop, width);
    let x = extend(x, drop + kept, signed);
    let is_whole = int::is_zero(b, &x[..drop]);
    let rounded = int::increment_if(b, !is_whole, &x[drop..]);
    extend(&rounded, width, signed)
}

/// `x y / 2^fraction`, rounded. Wraps.
#[track_caller]
pub(super) fn mul(
    b: &mut Builder,
    x: &[Bit],
    y: &[Bit],
    fraction: usize,
    signed: bool,
) -> Vec<Bit> {
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

/// Whether a product in full takes fewer ANDs than its low bits alone, which Karatsuba's split does
/// not help as much. The bounds are those of counts for widths of 16 to 128 bits.
#[track_caller]
fn is_full_cheaper(width: usize, fraction: usize) -> bool {
    match width {
        0..24 => false,
        24..40 => 3 * fraction > 2 * width,
        _ => 2 * fraction >= width,
    }
}

/// `x y / 2^fraction`, rounded, or the nearest number that there is.
#[track_caller]
pub(super) fn saturating_mul(
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
    // One bit more than is left, for what rounding may carry.
    let rounded = round(b, &product, fraction, signed, product.len() + 1 - fraction);
    saturate(b, &rounded, x.len(), signed)
}

/// `x + y`, or the nearest number that there is.
#[track_caller]
pub(super) fn saturating_add(
    b: &mut Builder,
    x: &[Bit],
    y: &[Bit],
    _: usize,
    signed: bool,
) -> Vec<Bit> {
    let sum = match signed {
        true => int::add(b, &extend(x, x.len() + 1, true), &extend(y, y.len() + 1, true)),
        false => int::add_carry(b, x, y),
    };
    saturate(b, &sum, x.len(), signed)
}

/// `x - y`, or the nearest number that there is.
#[track_caller]
pub(super) fn saturating_sub(
    b: &mut Builder,
    x: &[Bit],
    y: &[Bit],
    _: usize,
    signed: bool,
) -> Vec<Bit> {
    let width = x.len();
    let difference = int::sub(b, &extend(x, width + 1, signed), &extend(y, width + 1, signed));
    match signed {
        true => saturate(b, &difference, width, true),
        // Below 0 it is 0.
        false => int::and(b, &vec![!difference[width]; width], &difference[..width]),
    }
}

/// The low `width` bits of `x`, or the nearest number that they can be.
#[track_caller]
fn saturate(b: &mut Builder, x: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    let sign = if signed { x[x.len() - 1] } else { Bit::FALSE };
    // Bits beyond, and the top bit that is left of a signed number, are its sign if it fits.
    let beyond = &x[width - usize::from(signed)..];
    let differ: Vec<Bit> = beyond.iter().map(|&bit| b.xor(bit, sign)).collect();
    let fits = int::is_zero(b, &differ);
    int::select(b, fits, &x[..width], &extreme(sign, width, signed))
}

/// The largest number of `width` bits, or the least where `negative` is 1.
#[track_caller]
fn extreme(negative: Bit, width: usize, signed: bool) -> Vec<Bit> {
    let mut bits = vec![!negative; width];
    if signed {
        bits[width - 1] = negative;
    }
    bits
}

/// `x 2^fraction / y`, rounded. Wraps. By 0, the largest number, or the least if `x` is below 0.
#[track_caller]
pub(super) fn div(
    b: &mut Builder,
    x: &[Bit],
    y: &[Bit],
    fraction: usize,
    signed: bool,
) -> Vec<Bit> {
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
    // Of a number below 0 the magnitude is rounded, and a half goes down: so the rest must be more
    // than half of the divisor. Compared are four times the rest, and twice the divisor and a bit.
    let rest = [&[Bit::FALSE; 2][..], &rest].concat();
    let half = [&[negative][..], &divisor].concat();
    let goes_down = int::lt_unsigned(b, &rest, &half);
    let rounded = int::increment_if(b, !goes_down, &quotient[..width]);
    let wrapped = int::negate_if(b, negative, &rounded);
    let by_zero = int::is_zero(b, y);
    int::select(b, by_zero, &extreme(x_sign, width, signed), &wrapped)
}

/// The value, if all bits are constant.
#[track_caller]
fn public(bits: &[Bit]) -> Option<u128> {
    let bits = (0..).zip(bits);
    bits.map(|(i, bit)| Some(u128::from(bit.as_constant()?) << i))
        .try_fold(0, |value, bit| Some(value | bit?))
}
