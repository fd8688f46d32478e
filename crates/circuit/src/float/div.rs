//! Division: non-restoring digit recurrence, one bit of the quotient at a time.

use super::normalised::{Normalised, encode};
use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// `x / y`, rounded to nearest even. A finite nonzero number divided by zero is an infinity with
/// the sign of the quotient. `0 / 0`, `inf / inf` and results of a NaN operand are the canonical
/// NaN. A number divided by an infinity is a zero.
///
/// About `p^2 + (3k + 9) p + 2^k + 10E` ANDs with `k = ceil(log2 (p + 2))`: 1,317 for binary32,
/// 4,533 for binary64. The AND depth is about `p^2`: 660 and 2,963. The smallest circuit published
/// in Bristol Fashion has 82,269 ANDs for binary64.
pub fn div(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = (Unpacked::new(format, x), Unpacked::new(format, y));
    let (x_exponent, dividend) = x.normalised(b);
    let (y_exponent, divisor) = y.normalised(b);
    let precision = format.precision();
    let quotient = quotient(b, &dividend, &divisor, precision + 1);

    // The exponent field minus one: x's exponent minus y's exponent, plus bias - 2, plus 1 if the
    // quotient is at least 1. The magnitude of this sum is at most top exponent + fraction bits +
    // bias.
    let most = format.top_exponent() + format.bias() + format.fraction as u64;
    let width = most.ilog2() as usize + 2;
    let x_exponent = int::sign_extend(&x_exponent, width);
    let y_exponent = int::not(&int::sign_extend(&y_exponent, width));
    let exponent = int::add_wrapping(b, &x_exponent, &y_exponent, quotient.at_least_one);
    let offset = int::constant(width, (i128::from(format.bias()) - 1) as u128);
    let exponent = int::add(b, &exponent, &offset);

    let (x_special, y_special) = (x.is_special(b), y.is_special(b));
    let (x_zero, y_zero) = (!dividend[precision - 1], !divisor[precision - 1]);
    let mut nan = Bit::FALSE;
    for (first, second) in [(x_special, y_special), (x_zero, y_zero)] {
        let both = b.and(first, second);
        nan = b.or(nan, both);
    }
    for operand in [&x, &y] {
        let operand = operand.is_nan(b);
        nan = b.or(nan, operand);
    }
    let infinite = b.or(x_special, y_zero);
    let zero = b.or(x_zero, y_special);
    let result = Normalised {
        sign: b.xor(x.sign, y.sign),
        exponent,
        significand: quotient.bits,
        sticky: quotient.sticky,
        zero,
        infinite,
        nan,
        range: [true; 2],
    };
    encode(b, format, &result)
}

struct Quotient {
    /// Whether the quotient is at least 1; it is at least 1/2.
    at_least_one: Bit,
    /// Bits of the quotient, from the leading one down; bit 0 is the lowest.
    bits: Vec<Bit>,
    /// If the last bit is 0: whether there is a remainder. If the last bit is 1, the value has no
    /// meaning.
    sticky: Bit,
}

/// The quotient of two significands, whose top bits are taken to be 1. With `p` bits per
/// significand, it takes about `p (bits + 4)` ANDs.
fn quotient(b: &mut Builder, x: &[Bit], y: &[Bit], bits: usize) -> Quotient {
    let precision = x.len();
    let width = precision + 1;
    let with_top = |x: &[Bit]| [&x[..precision - 1], &[Bit::TRUE, Bit::FALSE]].concat();
    let (x, y) = (with_top(x), with_top(y));
    // The dividend is doubled if it is below the divisor, so that the quotient begins with a one.
    // The first remainder is x - y, or 2x - y if the dividend was doubled.
    let rest = int::sub(b, &x, &y);
    let doubled = rest[width - 1];
    let more: Vec<Bit> = x.iter().map(|&bit| b.and(bit, doubled)).collect();
    let mut rest = int::add(b, &rest, &more);
    let mut quotient = vec![Bit::TRUE];
    for _ in 1..bits {
        // The last remainder is doubled. Then y is subtracted, or added if the remainder was
        // negative.
        let subtract = quotient[0];
        rest.insert(0, Bit::FALSE);
        rest.truncate(width);
        let addend: Vec<Bit> = y.iter().map(|&bit| b.xor(bit, subtract)).collect();
        rest = int::add_wrapping(b, &rest, &addend, subtract);
        quotient.insert(0, !rest[width - 1]);
    }
    // If the last bit of the quotient is 0, the remainder is negative, and the true remainder is
    // `rest + y`. This sum is 0 exactly if in every place the XOR of the two bits equals the carry
    // in. The carry out of such a place is the OR of the two bits.
    let mut carry = Bit::FALSE;
    let mut differ = Vec::with_capacity(width);
    for (&rest, &y) in rest.iter().zip(&y) {
        let sum = b.xor(rest, y);
        differ.push(b.xor(sum, carry));
        carry = b.or(rest, y);
    }
    Quotient { at_least_one: !doubled, bits: quotient, sticky: !int::is_zero(b, &differ) }
}
