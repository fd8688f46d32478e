//! Operations on the sign bit alone.

use super::Format;
use crate::id::Bit;

/// `-x`, also of a NaN. Free.
///
/// # Panics
/// If `x` does not have the format's width.
pub fn neg(format: Format, x: &[Bit]) -> Vec<Bit> {
    with_sign(format, x, !sign(format, x))
}

/// `x` with sign 0, also of a NaN. Free.
///
/// # Panics
/// If `x` does not have the format's width.
pub fn abs(format: Format, x: &[Bit]) -> Vec<Bit> {
    with_sign(format, x, Bit::FALSE)
}

/// `x` with the sign of `y`, also of NaNs. Free.
///
/// # Panics
/// If an operand does not have the format's width.
pub fn copysign(format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    with_sign(format, x, sign(format, y))
}

fn sign(format: Format, x: &[Bit]) -> Bit {
    assert_eq!(x.len(), format.width(), "bits of a value of {format:?}");
    x[format.width() - 1]
}

fn with_sign(format: Format, x: &[Bit], sign: Bit) -> Vec<Bit> {
    assert_eq!(x.len(), format.width(), "bits of a value of {format:?}");
    let mut x = x.to_vec();
    x[format.width() - 1] = sign;
    x
}
