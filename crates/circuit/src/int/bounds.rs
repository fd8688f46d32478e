//! Sums and differences that may not fit: flags, saturation, absolute difference. Also counts the
//! zeros below a number's lowest one and above its highest one.

use super::full_adder::full_adder;
use super::{add_carry, negate_if, not, same_width, select, sign, sub, zero_extend};
use crate::builder::Builder;
use crate::id::Bit;

/// `x + y` of two unsigned numbers, and whether it did not fit. `n` ANDs.
pub fn add_overflowing_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Bit) {
    let mut sum = add_carry(b, x, y);
    let carry = sum.pop().unwrap_or(Bit::FALSE);
    (sum, carry)
}

/// `x - y` of two unsigned numbers, and whether it was negative. `n` ANDs.
pub fn sub_overflowing_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Bit) {
    let width = x.len().max(y.len());
    let mut difference = sub(b, &zero_extend(x, width + 1), y);
    let borrow = difference.pop().unwrap_or(Bit::FALSE);
    (difference, borrow)
}

/// `x + y` of two numbers of one width in two's complement, and whether it did not fit. `n` ANDs.
pub fn add_overflowing_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Bit) {
    signed_sum(b, x, y, Bit::FALSE)
}

/// `x - y` of two numbers of one width in two's complement, and whether it did not fit. `n` ANDs.
pub fn sub_overflowing_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Bit) {
    let (x, y) = same_width(x, y);
    signed_sum(b, &x, &not(&y), Bit::TRUE)
}

/// The sum with a carry in, and whether it did not fit: the carries into and out of the top bit
/// then differ.
fn signed_sum(b: &mut Builder, x: &[Bit], y: &[Bit], carry: Bit) -> (Vec<Bit>, Bit) {
    let (x, y) = same_width(x, y);
    let (mut carry, mut overflow) = (carry, Bit::FALSE);
    let mut sum = Vec::with_capacity(x.len());
    for (&x, &y) in x.iter().zip(&y) {
        let (bit, next) = full_adder(b, x, y, carry);
        sum.push(bit);
        overflow = b.xor(carry, next);
        carry = next;
    }
    (sum, overflow)
}

/// `x + y`, or the largest number if the sum is too large; unsigned. `2n` ANDs.
pub fn saturating_add_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (sum, over) = add_overflowing_unsigned(b, x, y);
    sum.iter().map(|&bit| b.or(bit, over)).collect()
}

/// `x - y`, or 0 if the difference is negative; unsigned. `2n` ANDs.
pub fn saturating_sub_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (difference, under) = sub_overflowing_unsigned(b, x, y);
    difference.iter().map(|&bit| b.and(bit, !under)).collect()
}

/// `x + y` of two numbers of one width in two's complement, or the largest or least number if the
/// sum does not fit. `2n - 1` ANDs.
pub fn saturating_add_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (sum, over) = add_overflowing_signed(b, x, y);
    saturate(b, &sum, over)
}

/// `x - y`, otherwise like [`saturating_add_signed`].
pub fn saturating_sub_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (difference, over) = sub_overflowing_signed(b, x, y);
    saturate(b, &difference, over)
}

/// Returns `sum`, or the nearest limit if `over` is 1. A sum that did not fit has the wrong sign:
/// if it appears negative, it was too large.
fn saturate(b: &mut Builder, sum: &[Bit], over: Bit) -> Vec<Bit> {
    let mut limit = vec![sign(sum); sum.len()];
    if let Some(top) = limit.last_mut() {
        *top = !*top;
    }
    select(b, over, &limit, sum)
}

/// The absolute difference of two unsigned numbers. `2n - 1` ANDs.
pub fn abs_diff_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (difference, negative) = sub_overflowing_unsigned(b, x, y);
    negate_if(b, negative, &difference)
}

/// The number of zeros below the lowest one, or `n` if all bits are 0, in just enough bits to hold
/// `n`. `n - 1` ANDs, of depth `n - 1`.
pub fn trailing_zeros(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    // `now` is 1 if there is a one at or below `place`. So `first` is 1 only at the lowest one, and
    // XORs are enough to select that place's number.
    let mut seen = Bit::FALSE;
    let width = (usize::BITS - x.len().leading_zeros()) as usize;
    let mut count = vec![Bit::FALSE; width];
    for place in 0..=x.len() {
        let now = x.get(place).map_or(Bit::TRUE, |&bit| b.or(seen, bit));
        let first = b.xor(seen, now);
        for (_, bit) in count.iter_mut().enumerate().filter(|(j, _)| place >> j & 1 == 1) {
            *bit = b.xor(*bit, first);
        }
        seen = now;
    }
    count
}

/// The number of zeros above the highest one; otherwise like [`trailing_zeros`].
pub fn leading_zeros(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    let reversed: Vec<Bit> = x.iter().rev().copied().collect();
    trailing_zeros(b, &reversed)
}
