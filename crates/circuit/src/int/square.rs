//! Squares: each product of two bits occurs twice, and a bit times itself is free. Below 20 bits
//! the products are added by columns; from 20 bits on, Karatsuba's split makes three squares of
//! halves.

use super::mul::{karatsuba, middle_width};
use super::sum::sum_columns;
use super::{add, add_carry};
use crate::builder::Builder;
use crate::id::Bit;
use std::collections::VecDeque;

/// The least width from which Karatsuba's split takes fewer ANDs.
const SPLIT_FROM: usize = 20;

/// The low `n` bits of `x^2`, also correct for signed `x`. 105 ANDs for 16 bits, 465 for 32, 1,820
/// for 64: about half of [`mul`](super::mul).
pub fn square(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    let n = x.len();
    if n < SPLIT_FROM {
        return by_columns(b, x, n);
    }
    // x0^2 + 2^(h+1) x0 x1; the other terms are beyond the width.
    let half = n.div_ceil(2);
    let (low, high) = x.split_at(half);
    let square = square_full(b, low);
    let cross = super::mul(b, &low[..n - half - 1], &high[..n - half - 1]);
    let rest = add(b, &square[half + 1..n], &cross);
    [&square[..=half], &rest].concat()
}

/// The full square of `x`, unsigned: `2n` bits. `n (n - 1)` ANDs below 20 bits; 878 for 32 bits,
/// 2,960 for 64, where [`mul_full`](super::mul_full) takes 5,233.
pub fn square_full(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    let n = x.len();
    if n < SPLIT_FROM {
        return by_columns(b, x, 2 * n);
    }
    let half = n.div_ceil(2);
    let (x0, x1) = x.split_at(half);
    let (low, high) = (square_full(b, x0), square_full(b, x1));
    let sum = add_carry(b, x0, x1);
    let mut middle = square_full(b, &sum);
    middle.truncate(middle_width(half, 2 * n));
    karatsuba(b, half, &low, &high, &middle)
}

/// The low `width` bits of `x^2`, `x` unsigned; fewer if the full square has fewer. If `x` has 20
/// bits or more, it takes as many ANDs as [`square_full`].
pub fn square_low(b: &mut Builder, x: &[Bit], width: usize) -> Vec<Bit> {
    let width = width.min(2 * x.len());
    if x.len() < SPLIT_FROM {
        return by_columns(b, x, width);
    }
    let mut square = square_full(b, x);
    square.truncate(width);
    square
}

/// The low `width` bits of the square, by columns of partial products.
fn by_columns(b: &mut Builder, x: &[Bit], width: usize) -> Vec<Bit> {
    let mut columns = vec![VecDeque::new(); width];
    for i in 0..x.len() {
        for j in (0..=i).filter(|j| i + j + usize::from(*j < i) < width) {
            let place = i + j + usize::from(j < i);
            columns[place].push_back(b.and(x[i], x[j]));
        }
    }
    sum_columns(b, columns)
}
