//! Multiplication.
//!
//! Subnormal operands are not normalised first. The product then has more leading zeros.
//! [`round()`] shifts it once, for subnormal operands and subnormal results. If both operands are
//! subnormal the product rounds to zero, so only one operand's leading zeros matter.

use super::{Format, Unpacked, Unrounded, round};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// `x * y`. In addition to the product of the significands ([`int::mul_full`] of `p` bits), 471
/// ANDs for binary32 and 978 for binary64. Most of them are the shift with its sticky bit, about
/// `p log2 p + 5p`; finding NaNs takes `2F`, rounding `F`. With the schoolbook product the AND
/// depth is 108 and 205.
///
/// # Panics
/// If an operand does not have the format's width.
pub fn mul(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let Product { sign, exponent, significand, special, nan, .. } = product(b, format, x, y);
    let overflow = overflows(b, format, &exponent, &significand);
    let unrounded = Unrounded {
        sign,
        exponent,
        significand,
        sticky: Bit::FALSE,
        leading_zeros: format.precision(),
        infinite: b.or(special, overflow),
        nan,
        in_range: true,
    };
    round(b, format, &unrounded)
}

/// The exact product of two values.
pub(super) struct Product {
    /// Sign of the product.
    pub(super) sign: Bit,
    /// The biased exponent of the second-highest bit of `significand`, in `E + 2` bits of two's
    /// complement.
    pub(super) exponent: Vec<Bit>,
    /// The product of the significands, `2p` bits.
    pub(super) significand: Vec<Bit>,
    /// For each factor, whether it is zero.
    pub(super) zeros: [Bit; 2],
    /// Whether a factor is infinite or a NaN.
    pub(super) special: Bit,
    /// Whether the result is a NaN: a factor is a NaN, or one factor is infinite and the other
    /// factor is zero.
    pub(super) nan: Bit,
}

/// The exact product of `x` and `y`. Costs the ANDs of the significands' product, plus
/// `2F + 5E + 6`.
pub(super) fn product(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Product {
    let (x, y) = (Unpacked::new(format, x), Unpacked::new(format, y));
    let (x_exponent, y_exponent) = (x.effective_exponent(b), y.effective_exponent(b));
    let (x_significand, y_significand) = (x.significand(b), y.significand(b));
    let significand = int::mul_full(b, &x_significand, &y_significand);

    // Subtracting the bias, 2^(E-1) - 1, means adding 1 (the carry in) and subtracting 2^(E-1)
    // (below, on the top bits).
    let (mut exponent, carry) = int::add_with_carry(b, &x_exponent, &y_exponent, Bit::TRUE);
    let low = exponent.pop().unwrap_or(Bit::FALSE);
    exponent.push(!low);
    exponent.push(b.xnor(carry, low));
    exponent.push(b.and(!carry, !low));

    let (x_special, y_special) = (x.is_special(b), y.is_special(b));
    let (x_none, y_none) = (x.has_no_fraction(b), y.has_no_fraction(b));
    let (x_zero, y_zero) = (x.is_zero(b), y.is_zero(b));
    let x_wrong = b.or(!x_none, y_zero);
    let x_nan = b.and(x_special, x_wrong);
    let y_wrong = b.or(!y_none, x_zero);
    let y_nan = b.and(y_special, y_wrong);
    Product {
        sign: b.xor(x.sign, y.sign),
        exponent,
        significand,
        zeros: [x_zero, y_zero],
        special: b.or(x_special, y_special),
        nan: b.or(x_nan, y_nan),
    }
}

/// Whether a product of finite values with this exponent is too large for the format before
/// rounding. Such a product has two normal factors, so its leading one is one of the two top bits.
/// `E + 2` ANDs.
fn overflows(b: &mut Builder, format: Format, exponent: &[Bit], significand: &[Bit]) -> Bit {
    let (field, high) = exponent.split_at(format.exponent);
    let last = int::is_zero(b, &int::not(&field[1..]));
    let top = significand[significand.len() - 1];
    let over = b.or(field[0], top);
    let over = b.and(last, over);
    let over = b.and(over, !high[1]);
    // A negative exponent has both high bits set.
    let beyond = b.xor(high[0], high[1]);
    b.or(beyond, over)
}
