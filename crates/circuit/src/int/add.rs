//! Addition and subtraction: ripple-carry, because size matters and depth does not.

use super::full_adder::full_adder;
use super::{fast, same_width, sign};
use crate::builder::Builder;
use crate::id::Bit;

/// `x + y`, without the carry, as wide as the wider operand. `n - 1` ANDs.
pub fn add(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width(x, y);
    add_wrapping(b, &x, &y, Bit::FALSE)
}

/// `x + y` with the carry as top bit, one bit wider than the wider operand. `n` ANDs.
pub fn add_carry(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width(x, y);
    let (mut sum, carry) = add_with_carry(b, &x, &y, Bit::FALSE);
    sum.push(carry);
    sum
}

/// `x + y + carry` for operands of one width, and the carry out. `n` ANDs.
pub(crate) fn add_with_carry(b: &mut Builder, x: &[Bit], y: &[Bit], carry: Bit) -> (Vec<Bit>, Bit) {
    if b.prefers_short_paths() {
        return fast::add_with_carry(b, x, y, carry);
    }
    let mut carry = carry;
    let mut sum = Vec::with_capacity(x.len());
    for (&x, &y) in x.iter().zip(y) {
        let (bit, next) = full_adder(b, x, y, carry);
        sum.push(bit);
        carry = next;
    }
    (sum, carry)
}

/// `x - y`, modulo 2 to the power of the wider operand's width. `n - 1` ANDs.
pub fn sub(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width(x, y);
    let has_constants = x.iter().chain(&y).any(|bit| bit.as_constant().is_some());
    if has_constants || b.prefers_short_paths() {
        return add_wrapping(b, &x, &super::not(&y), Bit::TRUE);
    }
    // Computes the borrow as `lt_unsigned` does, without inversions, so that both share gates.
    let width = x.len();
    let mut borrow = Bit::FALSE;
    let mut difference = Vec::with_capacity(width);
    for (i, (&x, &y)) in x.iter().zip(&y).enumerate() {
        let differ = b.xor(x, y);
        difference.push(b.xor(differ, borrow));
        if i + 1 < width {
            let change = b.xor(y, borrow);
            let change = b.and(differ, change);
            borrow = b.xor(borrow, change);
        }
    }
    difference
}

/// `-x` in two's complement. `n - 2` ANDs.
pub fn neg(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    increment_if(b, Bit::TRUE, &super::not(x))
}

/// `-x` if `condition` is 1, else `x`. `n - 1` ANDs.
pub fn negate_if(b: &mut Builder, condition: Bit, x: &[Bit]) -> Vec<Bit> {
    let flipped: Vec<Bit> = x.iter().map(|&bit| b.xor(bit, condition)).collect();
    increment_if(b, condition, &flipped)
}

/// The absolute value of a signed `x`, as an unsigned number of the same width. `n - 1` ANDs.
pub fn abs(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    negate_if(b, sign(x), x)
}

/// `x + condition`, without the carry. `n - 1` ANDs.
pub fn increment_if(b: &mut Builder, condition: Bit, x: &[Bit]) -> Vec<Bit> {
    if b.prefers_short_paths() {
        return fast::increment_if(b, condition, x);
    }
    let mut carry = condition;
    let mut sum = Vec::with_capacity(x.len());
    for (i, &bit) in x.iter().enumerate() {
        sum.push(b.xor(bit, carry));
        if i + 1 < x.len() {
            carry = b.and(bit, carry);
        }
    }
    sum
}

/// `x + y + carry` for operands of one width, without the carry out.
pub(crate) fn add_wrapping(b: &mut Builder, x: &[Bit], y: &[Bit], carry: Bit) -> Vec<Bit> {
    let Some(top) = x.len().checked_sub(1) else { return Vec::new() };
    let (mut sum, carry) = add_with_carry(b, &x[..top], &y[..top], carry);
    let half = b.xor(x[top], carry);
    sum.push(b.xor(half, y[top]));
    sum
}
