//! Fused multiply-add.
//!
//! The exact product stays in place, and the addend is shifted to it in a window of `3p + 4` bits.
//! An addend that is too large for the window stays at the top of the window. Two empty places then
//! separate it from the product, so the product only decides how the addend is rounded. Two places
//! below the product hold a part of an addend that reaches further down. Such an addend is smaller
//! than the product, and at most one factor is subnormal, so the product has at most the leading
//! zeros of that factor.
//!
//! A difference is always computed as `x + !y`, without the usual `+ 1`. If the addend is larger,
//! inverting the result gives the exact difference. If the product is larger, the result is too
//! small by one unit in the last place. As in [`add`](super::add()), this missing unit is
//! represented as an endless tail of ones below the result, which rounding takes into account.

use super::mul::{Product, product};
use super::round::{bits_of, round_with_ones};
use super::shift::shift_out_or_right;
use super::{Format, Unpacked, Unrounded};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// `x * y + z`, rounded once. In addition to the product of the significands ([`int::mul_full`] of
/// `p` bits), 1,242 ANDs for binary32 and 2,616 for binary64. Of these, aligning the addend takes
/// about `20p`, the sum `3p`, normalising about `19p`, finding NaNs `3F`, rounding and overflow
/// `2F`. With the schoolbook product the AND depth is 176 and 313.
///
/// # Panics
/// If an operand does not have the format's width.
pub fn fma(b: &mut Builder, format: Format, x: &[Bit], y: &[Bit], z: &[Bit]) -> Vec<Bit> {
    let product = product(b, format, x, y);
    let z = Unpacked::new(format, z);
    let subtract = b.xor(product.sign, z.sign);
    let Aligned { addend, lost, exponent } = align(b, &product, &z);

    let zeros = |n| vec![Bit::FALSE; n];
    let wide = [zeros(2), product.significand, zeros(format.precision() + 2)].concat();
    let addend: Vec<Bit> = addend.iter().map(|&bit| b.xor(bit, subtract)).collect();
    let (sum, carry) = int::add_with_carry(b, &wide, &addend, Bit::FALSE);
    // Only a positive difference carries out of the window.
    let negative = b.xor(subtract, carry);
    let ones = b.and(carry, !lost);
    let mut sum: Vec<Bit> = sum.iter().map(|&bit| b.xor(bit, negative)).collect();
    sum.push(Bit::FALSE);

    let (z_special, z_none) = (z.is_special(b), z.has_no_fraction(b));
    let special = b.or(product.special, z_special);
    let opposite = b.and(product.special, subtract);
    let z_wrong = b.or(!z_none, opposite);
    let z_nan = b.and(z_special, z_wrong);
    // The result has the addend's sign if the addend is larger. An infinite addend is always
    // larger. The sum of two opposite numbers is +0.
    let other_sign = b.and(z_special, subtract);
    let other_sign = b.mux(special, other_sign, negative);
    let none = is_zero(b, &sum);
    let none = b.and(none, negative);
    let none = b.and(none, !special);
    let sign = b.xor(product.sign, other_sign);
    let unrounded = Unrounded {
        sign: b.and(sign, !none),
        exponent,
        leading_zeros: sum.len() - 1,
        significand: sum,
        sticky: lost,
        infinite: special,
        nan: b.or(product.nan, z_nan),
        in_range: false,
    };
    round_with_ones(b, format, &unrounded, ones)
}

/// An addend shifted to its place.
struct Aligned {
    /// The addend's significand in a window of `3p + 4` bits, in which the product begins at bit 2.
    /// A far larger addend is at the top of the window.
    addend: Vec<Bit>,
    /// Whether a one was shifted out below the window.
    lost: Bit,
    /// The biased exponent of the window's top bit, in two's complement; at least 1.
    exponent: Vec<Bit>,
}

fn align(b: &mut Builder, product: &Product, z: &Unpacked) -> Aligned {
    let (exponent_bits, precision) = (z.format.exponent, z.format.precision());
    let (z_exponent, significand) = (z.effective_exponent(b), z.significand(b));
    // The exponent of the window's top bit, unless the addend stays at the top.
    let width = exponent_bits.max(bits_of(precision + 4) + 1) + 2;
    let offset = int::constant(width, precision as u128 + 3);
    let top = int::add(b, &int::sign_extend(&product.exponent, width), &offset);
    let z_exponent = int::zero_extend(&z_exponent, width);
    let distance = int::sub(b, &top, &z_exponent);

    // An addend that would have to move further up stays at the top. If the product is 0, its
    // exponent has no meaning, and the addend stays at the top too.
    let (&is_above, distance) = distance.split_last().expect("a width of at least 4");
    let none = b.or(product.zeros[0], product.zeros[1]);
    let stay = b.or(is_above, none);
    let extra = 2 * precision + 4;
    let stages = bits_of(precision + extra);
    let distance: Vec<Bit> = distance.iter().map(|&bit| b.and(bit, !stay)).collect();
    let distance = int::zero_extend(&distance, stages.max(distance.len()));
    let (near, far) = distance.split_at(stages);
    let out = !int::is_zero(b, far);
    let (addend, lost) = shift_out_or_right(b, &significand, extra, near, out);
    let mut exponent = int::select(b, stay, &z_exponent[..width - 1], &top[..width - 1]);
    exponent.push(Bit::FALSE);
    Aligned { addend, lost, exponent }
}

/// Whether all bits are 0. Two parts are tested separately: the normaliser needs the test of the
/// upper part too, and so shares its gates.
fn is_zero(b: &mut Builder, x: &[Bit]) -> Bit {
    let window: Vec<Bit> = x.iter().rev().copied().collect();
    let (high, low) = window.split_at(window.len().next_power_of_two() / 2);
    let (high, low) = (int::is_zero(b, high), int::is_zero(b, low));
    b.and(high, low)
}
