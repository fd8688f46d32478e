//! Comparisons.
//!
//! The comparisons are the standard's predicates: `-0 == +0`, and a NaN is neither equal to, less
//! than nor greater than anything, itself included. A single carry chain compares values of either
//! sign: complementing both magnitudes reverses their order.

use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// Whether `x == y`; `-0 == +0`, and a NaN equals nothing. For values of `n` bits `2n - 3` ANDs,
/// 61 for binary32 and 125 for binary64, of depth `ceil(log2 n) + 2` (7 and 8).
///
/// The smallest circuit published in Bristol Fashion has 315 for binary64.
///
/// # Panics
/// As for every operation: if an operand does not have the format's width.
pub fn eq(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Bit {
    let (x_parts, y_parts) = (Unpacked::new(format, x), Unpacked::new(format, y));
    let top = format.width() - 1;
    let same = int::eq(b, &x[..top], &y[..top]);
    // If the magnitudes are equal, x alone decides whether both are NaNs (never equal) or zeros
    // (equal whatever the signs are). In both cases all bits of the exponent field are the same. So
    // one exponent bit, the signs, and whether the fraction is 0 are enough.
    let signs = b.xor(x_parts.sign, y_parts.sign);
    let (special, fraction) = (all_equal(b, &x_parts), !x_parts.has_no_fraction(b));
    let exception = b.xor(x_parts.exponent[0], signs);
    let exception = b.and(special, exception);
    let change = b.xor(fraction, signs);
    let change = b.and(exception, change);
    let equal = b.xnor(signs, change);
    b.and(same, equal)
}

/// Whether `x < y`; false if an operand is a NaN. `3n - 1` ANDs for values of `n` bits, 95 for
/// binary32 and 191 for binary64, of depth `n + 1`.
///
/// The smallest circuit published in Bristol Fashion has 381 for binary64.
pub fn lt(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Bit {
    let order = Order::of(b, format, x, y);
    b.and(order.less, !order.unordered)
}

/// Whether `x <= y`; false if an operand is a NaN. ANDs and depth as for [`lt`].
pub fn le(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Bit {
    let order = Order::of(b, format, y, x);
    b.and(!order.less, !order.unordered)
}

/// Whether `x > y`; false if an operand is a NaN. ANDs and depth as for [`lt`].
pub fn gt(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Bit {
    lt(b, format, y, x)
}

/// Whether `x >= y`; false if an operand is a NaN. ANDs and depth as for [`lt`].
pub fn ge(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Bit {
    le(b, format, y, x)
}

/// Whether `x` is a NaN. `n - 2` ANDs for a value of `n` bits, 30 for binary32 and 62 for
/// binary64, of depth `ceil(log2 F) + 1` (6 and 7).
pub fn is_nan(b: &mut Builder, format: Format, x: &[Bit]) -> Bit {
    Unpacked::new(format, x).is_nan(b)
}

/// Whether `x` or `y` is a NaN. `2n - 3` ANDs for values of `n` bits, 61 for binary32 and 125
/// for binary64, of depth `ceil(log2 F) + 2` (7 and 8).
pub fn unordered(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Bit {
    let (x, y) = (is_nan(b, format, x), is_nan(b, format, y));
    b.or(x, y)
}

/// Whether `x` comes before `y` in the standard's total order, or is the same. This is the order of
/// `f64::total_cmp`: by value, `-0` before `+0`, negative NaNs before all numbers and positive NaNs
/// after. `n` ANDs for values of `n` bits, of depth `n`.
pub fn total_le(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Bit {
    let (x, y) = (total_key(b, format, x), total_key(b, format, y));
    int::le_unsigned(b, &x, &y)
}

/// Maps a value to an unsigned number, such that the order of the numbers is the total order. Free.
pub(super) fn total_key(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    let sign = Unpacked::new(format, x).sign;
    let mut key = flip_if(b, sign, &x[..format.width() - 1]);
    key.push(!sign);
    key
}

/// The result of comparing two values.
struct Order {
    /// Whether x < y, if both are numbers.
    less: Bit,
    /// Whether an operand is a NaN.
    unordered: Bit,
}

impl Order {
    fn of(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Order {
        let (x_parts, y_parts) = (Unpacked::new(format, x), Unpacked::new(format, y));
        let top = format.width() - 1;
        // Both magnitudes are complemented if y is negative. The sign of y is used and not that of
        // x: if x is a zero of the other sign, the comparison must still be right.
        let (x_key, y_key) =
            (flip_if(b, y_parts.sign, &x[..top]), flip_if(b, y_parts.sign, &y[..top]));
        let by_magnitude = int::lt_unsigned(b, &x_key, &y_key);
        let signs = b.xor(x_parts.sign, y_parts.sign);
        let (x_nan, x_zero) = nan_and_zero(b, &x_parts);
        let by_sign = b.and(signs, !x_zero);
        let less = b.mux(by_sign, x_parts.sign, by_magnitude);
        let y_nan = y_parts.is_nan(b);
        Order { less, unordered: b.or(x_nan, y_nan) }
    }
}

/// Whether `x` is a NaN and whether it is zero. `n - 2` ANDs for a value of `n` bits, no more than
/// for the NaN alone.
fn nan_and_zero(b: &mut Builder, x: &Unpacked) -> (Bit, Bit) {
    let (special, fraction) = (all_equal(b, x), !x.has_no_fraction(b));
    let matching = b.xnor(x.exponent[0], fraction);
    let either = b.and(special, matching);
    let nan = b.and(either, fraction);
    (nan, b.xor(either, nan))
}

/// Whether all bits of the exponent field are equal. `E - 2` ANDs.
fn all_equal(b: &mut Builder, x: &Unpacked) -> Bit {
    let first = x.exponent[0];
    let differ = flip_if(b, first, &x.exponent[1..]);
    int::is_zero(b, &differ)
}

/// Inverts every bit of `x` if `condition` is 1. Free.
fn flip_if(b: &mut Builder, condition: Bit, x: &[Bit]) -> Vec<Bit> {
    x.iter().map(|&bit| b.xor(bit, condition)).collect()
}
