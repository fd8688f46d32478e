//! Conversion of floats to integers.
//!
//! The significand begins at the top of the integer and is shifted down. The last stage of the
//! shift also masks values that are out of range. Negation and rounding share one addition.

use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// `x` rounded towards zero, as a signed integer of `width` bits, like `as` in Rust. A value out of
/// range becomes the smallest or the largest integer, a NaN becomes 0.
///
/// For `w` bits it takes about `k min(w, p) + 2w + F + 5E` ANDs with `k = ceil(log2 w)`, of depth
/// about `w + 10`. Converting to 32 bits takes 238 from binary32 and 286 from binary64; converting
/// to 64 bits takes 373 and 538.
///
/// # Panics
/// If `width` is below 2, or `x` does not have the format's width.
pub fn to_signed(b: &mut Builder, format: Format, x: &[Bit], width: usize) -> Vec<Bit> {
    to_int(b, format, x, &Target { width, signed: true, nearest: false })
}

/// `x` rounded towards zero, as an unsigned integer of `width` bits. Range and NaNs as in
/// [`to_signed`]; negative values become 0. Converting to 32 bits takes 208 ANDs from binary32 and
/// 259 from binary64; converting to 64 bits takes 308 and 476, of depth 11 and 14.
///
/// # Panics
/// If `width` is 0, or `x` does not have the format's width.
pub fn to_unsigned(b: &mut Builder, format: Format, x: &[Bit], width: usize) -> Vec<Bit> {
    to_int(b, format, x, &Target { width, signed: false, nearest: false })
}

/// `x` rounded to the nearest integer, ties to even, as a signed integer of `width` bits:
/// `x.round_ties_even() as i64`. Otherwise like [`to_signed`], with additional ANDs for the lost
/// bits. Converting to 32 bits takes 263 from binary32 and 329 from binary64; converting to 64 bits
/// takes 394 and 593. Bristol Fashion's FP-f2i, from binary64 to 64 bits, has 1,467.
///
/// # Panics
/// If `width` is below 2, or `x` does not have the format's width.
pub fn to_signed_nearest(b: &mut Builder, format: Format, x: &[Bit], width: usize) -> Vec<Bit> {
    to_int(b, format, x, &Target { width, signed: true, nearest: true })
}

/// Like [`to_signed_nearest`], as an unsigned integer; negative values become 0. Converting to 32
/// bits takes 274 ANDs from binary32 and 343 from binary64; converting to 64 bits takes 403 and
/// 605.
///
/// # Panics
/// If `width` is 0, or `x` does not have the format's width.
pub fn to_unsigned_nearest(b: &mut Builder, format: Format, x: &[Bit], width: usize) -> Vec<Bit> {
    to_int(b, format, x, &Target { width, signed: false, nearest: true })
}

struct Target {
    width: usize,
    signed: bool,
    nearest: bool,
}

fn to_int(b: &mut Builder, format: Format, x: &[Bit], target: &Target) -> Vec<Bit> {
    let Target { width, signed, nearest } = *target;
    assert!(width > usize::from(signed), "an integer of {width} bits");
    let x = Unpacked::new(format, x);
    // The number of bits of the magnitude, and the number of guard bits below.
    let (bits, guards) = (width - usize::from(signed), usize::from(nearest));

    // The exponent must put the leading one between the guard bit and the top of the magnitude.
    // Values in [1/2, 1), with the leading one in the guard bit, are handled separately below if
    // shifting them there would take one more stage. If the bias is 1, such values are subnormal
    // and have no hidden bit, so they are handled separately too.
    let subnormal_half = format.bias() == 1;
    let apart = nearest && (bits.is_power_of_two() || subnormal_half);
    let first = format.bias() - u64::from(nearest && !apart);
    let past = (format.bias() + bits as u64).min(format.top_exponent());
    let threshold = |exponent: u64| int::constant(format.exponent, exponent.into());
    let large = int::le_unsigned(b, &threshold(past), &x.exponent);
    let enough = int::le_unsigned(b, &threshold(first), &x.exponent);
    let mut keep = b.and(enough, !large);
    let nan = x.is_nan(b);
    let mut saturate = b.and(large, !nan);
    if !signed {
        keep = b.and(keep, !x.sign);
        saturate = b.and(saturate, !x.sign);
    }

    let (shifted, sticky) = shifted(b, &x, bits, guards, keep);
    let (guard, magnitude) = shifted.split_at(guards);
    let mut up = Bit::FALSE;
    if nearest {
        let not_even = b.or(magnitude[0], sticky);
        up = b.and(guard[0], not_even);
    }
    if apart {
        // Values above 1/2 and below 1 are rounded up. The tie, 1/2 itself, becomes 0.
        let half = int::eq(b, &x.exponent, &threshold(format.bias() - 1));
        let (&top, rest) = x.fraction.split_last().expect("at least two bits");
        let (above, half) = if subnormal_half {
            (!int::is_zero(b, rest), b.and(half, top))
        } else {
            (!x.has_no_fraction(b), half)
        };
        let over = b.and(half, above);
        let over = b.and(over, if signed { Bit::TRUE } else { !x.sign });
        up = b.xor(up, over);
    }

    // The result is `m + up` for the magnitude `m`, or the negated sum, `!m + 1 - up`, which equals
    // `!m + !up`. So one bit is added in both cases. One more bit on top shows the sign, and
    // whether rounding made the magnitude too large, if it can.
    let sign = if signed { x.sign } else { Bit::FALSE };
    let mut number: Vec<Bit> = magnitude.iter().map(|&bit| b.xor(bit, sign)).collect();
    let may_grow = nearest && format.precision() > bits;
    if signed || may_grow {
        number.push(sign);
    }
    let carry = b.xor(sign, up);
    let mut number = int::increment_if(b, carry, &number);
    // If the value is out of range, `number` is 0 here. If rounding made the magnitude too large,
    // `number` is the complement of the largest integer. Inverting bits corrects both.
    let grown = if may_grow { b.and(number[bits], !sign) } else { Bit::FALSE };
    let largest = b.and(saturate, !sign);
    let low = b.xor(largest, grown);
    number[..bits].iter_mut().for_each(|bit| *bit = b.xor(*bit, low));
    if signed {
        let smallest = b.xor(saturate, largest);
        let top = b.xor(smallest, grown);
        number[bits] = b.xor(number[bits], top);
    }
    number.truncate(width);
    number
}

/// Returns the `bits` lowest integer bits of the magnitude of `x`, and below them the `guards`
/// highest fractional bits; all 0 unless `keep` is 1. `keep` must be 0 if the leading one is not
/// among these bits. With guard bits, also returns whether any bit below the guard bits is 1.
fn shifted(
    b: &mut Builder,
    x: &Unpacked,
    bits: usize,
    guards: usize,
    keep: Bit,
) -> (Vec<Bit>, Bit) {
    let length = bits + guards;
    let significand = [&x.fraction[..], &[Bit::TRUE]].concat();
    let (lost, kept) = significand.split_at(significand.len().saturating_sub(length));
    let spare = length - kept.len();
    let mut value = [&vec![Bit::FALSE; spare], kept].concat();
    let mut sticky = if guards > 0 { !int::is_zero(b, lost) } else { Bit::FALSE };
    // The leading one moves down from the top by bias + bits - 1 - exponent.
    let most = if bits.is_power_of_two() { bits - 1 } else { length - 1 };
    let stages = (usize::BITS - most.leading_zeros()) as usize;
    let from = int::constant(stages, u128::from(x.format.bias()) + bits as u128 - 1);
    let exponent = int::zero_extend(&x.exponent, stages);
    let amount = int::sub(b, &from, &exponent);
    for (stage, &down) in amount.iter().enumerate() {
        let step = 1 << stage;
        if guards > 0 {
            let lost = !int::is_zero(b, &value[..step]);
            let lost = b.and(down, lost);
            sticky = b.or(sticky, lost);
        }
        let lower = int::shr_const(&value, step);
        if stage + 1 < stages {
            value = int::select(b, down, &lower, &value);
        } else {
            // The last stage also masks with `keep`. Zeros are shifted into the upper half, so
            // there a bit needs only one AND.
            let (move_down, stay) = (b.and(down, keep), b.and(!down, keep));
            let merge = |(&lower, &here): (&Bit, &Bit)| {
                let (lower, here) = (b.and(lower, move_down), b.and(here, stay));
                b.xor(lower, here)
            };
            value = lower.iter().zip(&value).map(merge).collect();
        }
    }
    if stages == 0 {
        value = value.iter().map(|&bit| b.and(bit, keep)).collect();
    }
    (value, sticky)
}
