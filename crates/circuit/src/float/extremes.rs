//! The smaller and the larger of two values.

use super::compare::total_key;
use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The smaller of `x` and `y`: the standard's `minimumNumber`. If one operand is a NaN, quiet or
/// signalling, returns the other operand. If both are NaNs, returns the canonical NaN. `-0` is
/// smaller than `+0`, which Rust's `f64::min` leaves open. `4n + F` ANDs for values of `n` bits,
/// 151 for binary32 and 308 for binary64, of depth `n + ceil(log2 F) + 4` (41 and 74).
pub fn min(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    extreme(b, format, [x, y], Which { largest: false, propagates: false })
}

/// The larger of `x` and `y`: the standard's `maximumNumber`. NaNs, zeros, ANDs and depth as for
/// [`min`].
pub fn max(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    extreme(b, format, [x, y], Which { largest: true, propagates: false })
}

/// The smaller of `x` and `y`: the standard's `minimum`. If an operand is a NaN, returns the
/// canonical NaN. Zeros, ANDs and depth as for [`min`].
pub fn minimum(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    extreme(b, format, [x, y], Which { largest: false, propagates: true })
}

/// The larger of `x` and `y`: the standard's `maximum`. If an operand is a NaN, returns the
/// canonical NaN. Zeros, ANDs and depth as for [`min`].
pub fn maximum(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    extreme(b, format, [x, y], Which { largest: true, propagates: true })
}

struct Which {
    /// Whether to return the larger value.
    largest: bool,
    /// Whether a NaN wins over numbers.
    propagates: bool,
}

fn extreme(b: &mut Builder, format: Format, [x, y]: [&[Bit]; 2], which: Which) -> Vec<Bit> {
    // In the total order, NaNs of sign 0 are above all numbers, and NaNs of sign 1 are below. Every
    // NaN is given the sign with which it wins or loses, as the operation requires. Then one
    // comparison is enough.
    let negative = which.largest != which.propagates;
    let mut placed = |x: &[Bit]| {
        let x = Unpacked::new(format, x);
        let nan = x.is_nan(b);
        let sign = if negative { b.or(x.sign, nan) } else { b.and(x.sign, !nan) };
        (nan, format.pack(sign, &x.exponent, &x.fraction))
    };
    let ((x_nan, x), (y_nan, y)) = (placed(x), placed(y));
    let (x_key, y_key) = (total_key(b, format, &x), total_key(b, format, &y));
    let x_first = int::le_unsigned(b, &x_key, &y_key);
    let result = int::select(b, x_first.invert_if(which.largest), &x, &y);
    let nan = if which.propagates { b.or(x_nan, y_nan) } else { b.and(x_nan, y_nan) };
    // If a NaN wins, the canonical NaN replaces it. The exponent field is already all ones.
    let result = Unpacked::new(format, &result);
    let mut fraction: Vec<Bit> = result.fraction.iter().map(|&bit| b.and(bit, !nan)).collect();
    fraction[format.fraction - 1] = b.xor(fraction[format.fraction - 1], nan);
    let sign = b.and(result.sign, !nan);
    format.pack(sign, &result.exponent, &fraction)
}
