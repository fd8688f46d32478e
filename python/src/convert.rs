//! Conversion of an element to another type.

use crate::dtype::{DType, Kind};
use halfgate_circuit::float::{self, Format};
use halfgate_circuit::{Bit, Builder, fixed, int};

/// Converts `x`, of type `from`, to `to`.
///
/// An integer wraps. A float becomes an integer by dropping its fraction; out of range it becomes
/// the nearest integer, and a NaN becomes 0. A float becomes the nearest fixed-point number.
pub fn cast(b: &mut Builder, from: DType, x: &[Bit], to: DType) -> Vec<Bit> {
    if from == to {
        return x.to_vec();
    }
    match (from.format(), to.format()) {
        (Some(format), _) if to.kind == Kind::Bool => vec![is_nonzero(b, &float::abs(format, x))],
        (Some(from), Some(to)) => float::convert(b, from, to, x),
        (None, Some(format)) => to_float(b, from, x, format),
        (Some(format), None) => from_float(b, format, x, to),
        (None, None) => exact(b, from, x, to),
    }
}

fn is_nonzero(b: &mut Builder, x: &[Bit]) -> Bit {
    !int::is_zero(b, x)
}

/// Between integers, fixed point and booleans.
fn exact(b: &mut Builder, from: DType, x: &[Bit], to: DType) -> Vec<Bit> {
    if to.kind == Kind::Bool {
        return vec![is_nonzero(b, x)];
    }
    let signed = from.is_signed();
    match (from.fraction(), to.fraction()) {
        (Some(less), None) => extend(&towards_zero(b, x, less, signed), to.bits(), signed),
        (from, to_fraction) => {
            let (from, fraction) = (from.unwrap_or(0), to_fraction.unwrap_or(0));
            match from.checked_sub(fraction) {
                Some(drop) => fixed::round(b, x, drop, signed, to.bits()),
                None => {
                    let zeros = vec![Bit::FALSE; fraction - from];
                    extend(&[&zeros, x].concat(), to.bits(), signed)
                }
            }
        }
    }
}

/// `x / 2^drop` without its fraction.
fn towards_zero(b: &mut Builder, x: &[Bit], drop: usize, signed: bool) -> Vec<Bit> {
    let whole = extend(&x[drop..], x.len() - drop + 1, signed);
    if !signed {
        return whole;
    }
    let sign = x.last().copied().unwrap_or(Bit::FALSE);
    // All bits may be after the point.
    let whole = if drop == x.len() { vec![sign] } else { whole };
    let has_fraction = is_nonzero(b, &x[..drop]);
    let up = b.and(sign, has_fraction);
    int::increment_if(b, up, &whole)
}

fn to_float(b: &mut Builder, from: DType, x: &[Bit], format: Format) -> Vec<Bit> {
    let number = match from.is_signed() {
        true => float::from_signed(b, format, x),
        false => float::from_unsigned(b, format, x),
    };
    match from.fraction() {
        None => number,
        Some(fraction) => {
            let unit = power(format, -(fraction as i32));
            float::mul(b, format, &number, &unit)
        }
    }
}

fn from_float(b: &mut Builder, format: Format, x: &[Bit], to: DType) -> Vec<Bit> {
    let scaled = match to.fraction() {
        None => x.to_vec(),
        Some(fraction) => {
            let unit = power(format, fraction as i32);
            let scaled = float::mul(b, format, x, &unit);
            float::round_ties_even(b, format, &scaled)
        }
    };
    match to.is_signed() {
        true => float::to_signed(b, format, &scaled, to.bits()),
        false => float::to_unsigned(b, format, &scaled, to.bits()),
    }
}

/// `2^exponent`.
fn power(format: Format, exponent: i32) -> Vec<Bit> {
    match format.width() {
        32 => int::constant(32, 2f32.powi(exponent).to_bits().into()),
        _ => int::constant(64, 2f64.powi(exponent).to_bits().into()),
    }
}

fn extend(x: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    if signed { int::sign_extend(x, width) } else { int::zero_extend(x, width) }
}
