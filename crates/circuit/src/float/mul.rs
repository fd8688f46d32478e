//! Multiplication.
//!
//! Subnormal operands are not normalised first: the product, which then has more leading zeros,
//! is shifted once, by [`round()`], for them and for subnormal results. If both operands are
//! subnormal the product rounds to zero, so one operand's leading zeros are all that matters.

use super::sum::add_carry;
use super::{Format, Unpacked, Unrounded, round};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// `x * y`.
///
/// ANDs: the product of two `p`-bit significands, and about `8p + 2p` for sticky bit and shift.
///
/// # Panics
/// If an operand has not the format's width.
pub fn mul(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = (Unpacked::new(format, x), Unpacked::new(format, y));
    let (x_exponent, y_exponent) = (x.effective_exponent(b), y.effective_exponent(b));
    let (x_significand, y_significand) = (x.significand(b), y.significand(b));
    let product = int::mul_full(b, &x_significand, &y_significand);
    let (sum, carry) = add_carry(b, &x_exponent, &y_exponent, Bit::FALSE);
    let exponent = [&sum[..], &[carry, Bit::FALSE]].concat();
    let bias = int::constant(format.exponent + 2, u128::from(format.bias()));
    let exponent = int::sub(b, &exponent, &bias);

    let (x_special, y_special) = (x.is_special(b), y.is_special(b));
    let (x_nan, y_nan) = (x.is_nan(b), y.is_nan(b));
    let (x_zero, y_zero) = (x.is_zero(b), y.is_zero(b));
    let any_nan = b.or(x_nan, y_nan);
    let x_none = b.and(x_zero, y_special);
    let y_none = b.and(y_zero, x_special);
    let none = b.or(x_none, y_none);
    let special = b.or(x_special, y_special);
    let unrounded = Unrounded {
        sign: b.xor(x.sign, y.sign),
        exponent,
        significand: product,
        sticky: Bit::FALSE,
        leading_zeros: format.precision(),
        infinite: special,
        nan: b.or(any_nan, none),
        in_range: false,
    };
    round(b, format, &unrounded)
}
