//! Comparison: the borrow of a subtraction.
//!
//! The borrow depends on the highest place so far where the operands differ:
//! `borrow' = borrow ^ ((x ^ y) & (y ^ borrow))`. Unlike the carry of `x + !y + 1`, the borrow
//! needs no inversion. This helps machines whose gates have no inversion flags. An exchange that
//! follows the comparison also shares the gates of `x ^ y`.

use super::full_adder::majority;
use super::{fast, same_width, select};
use crate::builder::Builder;
use crate::id::Bit;

/// Whether `x == y`. `n - 1` ANDs, of depth `log2 n`.
pub fn eq(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Bit {
    let (x, y) = same_width(x, y);
    let differ: Vec<Bit> = x.iter().zip(&y).map(|(&x, &y)| b.xor(x, y)).collect();
    is_zero(b, &differ)
}

/// Whether all bits are 0. `n - 1` ANDs, of depth `log2 n`.
pub fn is_zero(b: &mut Builder, x: &[Bit]) -> Bit {
    let mut level = super::not(x);
    while level.len() > 1 {
        let pair = |pair: &[Bit]| if let [x, y] = *pair { b.and(x, y) } else { pair[0] };
        level = level.chunks(2).map(pair).collect();
    }
    level.pop().unwrap_or(Bit::TRUE)
}

/// Whether `x < y`, both unsigned. `n` ANDs.
pub fn lt_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Bit {
    if b.prefers_short_paths() {
        return fast::lt_unsigned_fast(b, x, y);
    }
    let (x, y) = same_width(x, y);
    x.iter().zip(&y).fold(Bit::FALSE, |borrow, (&x, &y)| {
        if x.as_constant().or(y.as_constant()).is_some() {
            // This is the adder's form, so it shares the adder's gates: a constant is often both
            // compared and subtracted.
            return !majority(b, x, !y, !borrow);
        }
        let differ = b.xor(x, y);
        let change = b.xor(y, borrow);
        let change = b.and(differ, change);
        b.xor(borrow, change)
    })
}

/// Whether `x <= y`, both unsigned. `n` ANDs.
pub fn le_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Bit {
    !lt_unsigned(b, y, x)
}

/// Whether `x < y`, both in two's complement. Operands of different widths are sign-extended. `n`
/// ANDs.
pub fn lt_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Bit {
    let (x, y) = same_width_signed(x, y);
    lt_unsigned(b, &flip_sign(&x), &flip_sign(&y))
}

/// The smaller of two unsigned numbers. `2n` ANDs.
pub fn min_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let x_first = lt_unsigned(b, x, y);
    select(b, x_first, x, y)
}

/// The larger of two unsigned numbers. `2n` ANDs.
pub fn max_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let x_first = lt_unsigned(b, x, y);
    select(b, x_first, y, x)
}

/// The smaller of two signed numbers, sign-extended if their widths differ. `2n` ANDs.
pub fn min_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width_signed(x, y);
    let x_first = lt_signed(b, &x, &y);
    select(b, x_first, &x, &y)
}

/// The larger of two signed numbers, sign-extended if their widths differ. `2n` ANDs.
pub fn max_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width_signed(x, y);
    let x_first = lt_signed(b, &x, &y);
    select(b, x_first, &y, &x)
}

fn same_width_signed(x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let width = x.len().max(y.len());
    (super::sign_extend(x, width), super::sign_extend(y, width))
}

/// Maps two's complement to unsigned numbers in the same order.
fn flip_sign(x: &[Bit]) -> Vec<Bit> {
    let mut x = x.to_vec();
    if let Some(sign) = x.last_mut() {
        *sign = !*sign;
    }
    x
}
