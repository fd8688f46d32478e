//! Conversion between formats, and from integers.

use super::normalised::{Normalised, encode};
use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// Converts `x` from format `from` to format `to`, rounded to nearest even. Infinities and zeros
/// stay the same, and NaNs become the canonical NaN.
///
/// From binary32 to binary64 it takes 250 ANDs, of depth 30, most of them to normalise subnormal
/// numbers. From binary64 to binary32 it takes 336 ANDs, of depth 62, most of them for subnormal
/// results. Between formats whose exponents have the same width, it takes at most `2F + 2E` ANDs,
/// with `F` and `E` of the wider format.
///
/// # Panics
/// If `x` does not have the width of `from`.
pub fn convert(b: &mut Builder, from: Format, to: Format, x: &[Bit]) -> Vec<Bit> {
    let x = Unpacked::new(from, x);
    if from.exponent == to.exponent {
        return same_exponent(b, to, &x);
    }
    let (special, nan) = (x.is_special(b), x.is_nan(b));
    let normalised = !vanishes(from, to);
    let (exponent, significand, zero) = if normalised {
        let (exponent, significand) = x.normalised(b);
        let zero = !significand[from.fraction];
        (exponent, significand, zero)
    } else {
        let exponent = int::zero_extend(&x.exponent, from.exponent + 1);
        let significand = [&x.fraction[..], &[Bit::TRUE]].concat();
        (exponent, significand, x.is_tiny(b))
    };
    // The exponent field in format `to`, minus one. `width` is enough for the sum of both formats'
    // exponent fields and the fraction's bits.
    let most = from.top_exponent() + from.fraction as u64 + to.top_exponent();
    let width = most.ilog2() as usize + 2;
    let offset = i128::from(to.bias()) - i128::from(from.bias()) - 1;
    let exponent = int::sign_extend(&exponent, width);
    let exponent = int::add(b, &exponent, &int::constant(width, offset as u128));
    // Zeros are appended below the significand, so that the result has a guard bit.
    let spare = (to.precision() + 1).saturating_sub(from.precision());
    let smallest = 1 - from.bias() as i64 - if normalised { from.fraction as i64 } else { 0 };
    let result = Normalised {
        sign: x.sign,
        exponent,
        significand: [&vec![Bit::FALSE; spare], &significand[..]].concat(),
        sticky: Bit::FALSE,
        zero,
        infinite: special,
        nan,
        range: [smallest < 1 - to.bias() as i64, from.bias() > to.bias()],
    };
    encode(b, to, &result)
}

/// Whether all subnormal values of `from` become zero in `to`.
fn vanishes(from: Format, to: Format) -> bool {
    to.bias() + (to.fraction as u64) < from.bias()
}

/// Converts between formats whose exponent fields have the same meaning. Only the fraction needs
/// rounding. Its carry increments the exponent field, and turns the largest finite exponent into
/// infinity.
fn same_exponent(b: &mut Builder, to: Format, x: &Unpacked) -> Vec<Bit> {
    let nan = x.is_nan(b);
    let spare = to.fraction.saturating_sub(x.fraction.len());
    let fraction = [&vec![Bit::FALSE; spare], &x.fraction[..]].concat();
    let (low, fraction) = fraction.split_at(fraction.len() - to.fraction);
    let (guard, below) = low.split_last().map_or((Bit::FALSE, low), |(&guard, low)| (guard, low));
    let sticky = !int::is_zero(b, below);
    // The hidden bit takes no part: the exponent field is copied, and only the carry changes it.
    let not_even = b.or(fraction[0], sticky);
    let carry = b.and(guard, not_even);
    let carry = b.and(carry, !nan);
    let number = [fraction, &x.exponent].concat();
    let number = int::increment_if(b, carry, &number);
    let (fraction, exponent) = number.split_at(to.fraction);
    let mut fraction: Vec<Bit> = fraction.iter().map(|&bit| b.and(bit, !nan)).collect();
    fraction[to.fraction - 1] = b.xor(fraction[to.fraction - 1], nan);
    let sign = b.and(x.sign, !nan);
    to.pack(sign, exponent, &fraction)
}

/// Converts a signed integer of any width to the nearest value, ties to even. The result is
/// infinite if the integer is too large for the format.
///
/// For `w` bits it takes about `(k + 2) w + 3E` ANDs, with `k = ceil(log2 w)`. Converting 32 bits
/// takes 231 ANDs to binary32 and 224 to binary64, of depth 54 and 52. Converting 64 bits takes 551
/// and 522, of depth 94. The smallest circuit published in Bristol Fashion, from 64 bits to
/// binary64, has 2,416 ANDs.
///
/// # Panics
/// If `x` has no bits.
pub fn from_signed(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    let (&sign, low) = x.split_last().expect("an integer of at least one bit");
    // A negative number is only complemented, which gives its magnitude minus one.
    let low: Vec<Bit> = low.iter().map(|&bit| b.xor(bit, sign)).collect();
    from_magnitude(b, format, sign, &low)
}

/// Converts an unsigned integer of any width, like [`from_signed`]. Converting 32 bits takes 230
/// ANDs to binary32 and 197 to binary64, of depth 50 and 19. Converting 64 bits takes 519 to either
/// format, of depth 60 and 87.
///
/// # Panics
/// If `x` has no bits.
pub fn from_unsigned(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    assert!(!x.is_empty(), "an integer of at least one bit");
    from_magnitude(b, format, Bit::FALSE, x)
}

/// Returns the value of this sign whose magnitude is nearest to `x + sign`, where `sign` counts as
/// 0 or 1.
fn from_magnitude(b: &mut Builder, format: Format, sign: Bit, x: &[Bit]) -> Vec<Bit> {
    // Shifts up until the leading one is at the top. For a negative number ones are shifted in, so
    // that adding one in the lowest place still completes the magnitude. For -1, all bits become
    // ones.
    let width = x.len();
    let most = if sign == Bit::FALSE { width.saturating_sub(1) } else { width };
    let stages = (usize::BITS - most.leading_zeros()) as usize;
    let mut x = x.to_vec();
    let mut shift = vec![Bit::FALSE; stages];
    for stage in (0..stages).rev() {
        let step = 1 << stage;
        shift[stage] = int::is_zero(b, &x[width - step..]);
        let up = [&vec![sign; step], &x[..width - step]].concat();
        x = int::select(b, shift[stage], &up, &x);
    }
    // A signed integer of one bit is -1 or 0, and leaves no bits in `x`.
    let leading = x.last().copied().unwrap_or(sign);

    let spare = format.precision().saturating_sub(width);
    let (low, kept) = x.split_at(width.saturating_sub(format.precision()));
    let low = int::add_carry(b, low, &[sign]);
    let (carry, low) = if width > format.precision() {
        (low[low.len() - 1], &low[..low.len() - 1])
    } else {
        (sign, &[][..])
    };
    let carry = match low.split_last() {
        None => carry,
        Some((&guard, below)) => {
            let sticky = !int::is_zero(b, below);
            let not_even = b.or(kept[0], sticky);
            let up = b.and(guard, not_even);
            // If adding `sign` carried out of `low`, all of `low` is 0, and so is the guard bit.
            b.xor(carry, up)
        }
    };
    let kept = int::increment_if(b, carry, &int::zero_extend(kept, kept.len() + 1));
    let (fraction, overflow) = (&kept[..kept.len() - 1], kept[kept.len() - 1]);
    let fraction = [&vec![Bit::FALSE; spare], fraction].concat();
    let mut fraction = fraction[..format.fraction].to_vec();

    // The exponent field is bias + width - 1 - shift + overflow. Instead of subtracting the shift,
    // this adds its complement and subtracts all ones.
    let highest = format.bias() as usize + width;
    let exponent_width = format.exponent.max((highest.ilog2() + 1) as usize);
    let offset = (highest as i128 - 1) - ((1i128 << stages) - 1);
    let offset = int::constant(exponent_width, offset as u128);
    let left = int::zero_extend(&int::not(&shift), exponent_width);
    let exponent = int::add_wrapping(b, &left, &offset, overflow);
    let mut field: Vec<Bit> =
        exponent[..format.exponent].iter().map(|&bit| b.and(bit, leading)).collect();
    if highest >= format.top_exponent() as usize {
        let top = int::constant(exponent_width, format.top_exponent().into());
        let large = int::le_unsigned(b, &top, &exponent);
        let large = b.and(large, leading);
        field = field.iter().map(|&bit| b.or(bit, large)).collect();
        fraction = fraction.iter().map(|&bit| b.and(bit, !large)).collect();
    }
    format.pack(sign, &field, &fraction)
}
