//! Multiplication. Narrow operands use the schoolbook method, adding one row of partial products
//! after the other. Wide operands use Karatsuba's three products of halves instead of four.
//!
//! The published Bristol Fashion multipliers of 64 bits have 4,033 ANDs (low half of the product)
//! and 8,128 (full product), the counts of the schoolbook method. Here they are 3,605 and 5,233.

use super::add::add_wrapping;
use super::{add, add_carry, and, bit_or_zero, fast, sign, sub, zero_extend};
use crate::builder::Builder;
use crate::id::Bit;

/// The least width of the narrower operand from which Karatsuba's split takes fewer ANDs.
const SPLIT_FROM: usize = 16;

/// The low bits of `x * y`, as many as the wider operand has. Also correct for signed operands of
/// one width. `n(n+1)/2 + (n-1)(n-2)/2` ANDs below 30 bits; 975 for 32 bits, 3,605 for 64.
pub fn mul(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    product(b, x, y, x.len().max(y.len()))
}

/// The low `width` bits of `x * y`, both unsigned; fewer if the full product has fewer.
pub fn mul_low(b: &mut Builder, x: &[Bit], y: &[Bit], width: usize) -> Vec<Bit> {
    product(b, x, y, width.min(x.len() + y.len()))
}

/// The full product of `x` and `y`, both unsigned, as wide as both together. For `n` by `m` bits,
/// where `m <= n`, `nm + n(m-1)` ANDs if `m` is below 16; 1,609 for 32 by 32, 5,233 for 64 by 64.
pub fn mul_full(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    product(b, x, y, x.len() + y.len())
}

/// The full product of `x` and `y`, both in two's complement, as wide as both together. At most
/// `2(n + m) - 2` ANDs more than [`mul_full`]: 1,719 for 32 by 32 bits, 5,471 for 64 by 64.
pub fn mul_full_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    mul_low_signed(b, x, y, x.len() + y.len())
}

/// The low `width` bits of `x * y`, both in two's complement; fewer if the full product has fewer.
pub fn mul_low_signed(b: &mut Builder, x: &[Bit], y: &[Bit], width: usize) -> Vec<Bit> {
    let (n, m) = (x.len(), y.len());
    let mut product = mul_low(b, x, y, width);
    // A sign bit counts as -2^(n-1), not 2^(n-1). The difference is 2^n times the other operand.
    for (negative, place, other) in [(sign(x), n, y), (sign(y), m, x)] {
        if place < product.len() {
            let other = &other[..other.len().min(product.len() - place)];
            let excess = and(b, &vec![negative; other.len()], other);
            let high = sub(b, &product[place..], &excess);
            product.splice(place.., high);
        }
    }
    product
}

/// The low `width` bits of `x * y`.
fn product(b: &mut Builder, x: &[Bit], y: &[Bit], width: usize) -> Vec<Bit> {
    let (x, y) = (&x[..x.len().min(width)], &y[..y.len().min(width)]);
    if b.prefers_short_paths() {
        return fast::product(b, x, y, width);
    }
    let constants = |x: &[Bit]| x.iter().filter(|bit| bit.as_constant().is_some()).count();
    let (x_constants, y_constants) = (constants(x), constants(y));
    if x_constants + y_constants > 0 || x.len().min(y.len()) < SPLIT_FROM {
        // The operand with more constants becomes `y`, because each constant zero of `y` drops a
        // whole row. Without constants, the narrower operand becomes `y`, so that there are fewer
        // rows.
        let swap = (x_constants, y.len()) > (y_constants, x.len());
        let (x, y) = if swap { (y, x) } else { (x, y) };
        return schoolbook(b, x, y, width);
    }
    // If at most two columns of the full product are dropped, `low_half` is not worth it.
    if width + 2 >= x.len() + y.len() {
        zero_extend(&whole(b, x, y), width)
    } else if width < 2 * SPLIT_FROM - 2 {
        schoolbook(b, x, y, width)
    } else {
        low_half(b, x, y, width)
    }
}

/// The low `width` bits of `x * y`, from halves `x = x0 + 2^h x1` and `y = y0 + 2^h y1` with
/// `h = ceil(width / 2)`: the full product `x0 y0`, and the low bits of `x0 y1` and `x1 y0`.
fn low_half(b: &mut Builder, x: &[Bit], y: &[Bit], width: usize) -> Vec<Bit> {
    let half = width.div_ceil(2);
    let (x0, x1) = x.split_at(half.min(x.len()));
    let (y0, y1) = y.split_at(half.min(y.len()));
    let low = zero_extend(&product(b, x0, y0, x0.len() + y0.len()), width);
    let first = product(b, x0, y1, width - half);
    let second = product(b, x1, y0, width - half);
    let cross = add(b, &first, &second);
    let high = add(b, &low[half..], &cross);
    [&low[..half], &high].concat()
}

/// The full product of `x` and `y`, which have at least [`SPLIT_FROM`] bits each.
fn whole(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let half = x.len().div_ceil(2);
    let (x0, x1) = x.split_at(half);
    if y.len() <= half {
        let low = mul_full(b, x0, y);
        let high = mul_full(b, x1, y);
        let high = add(b, &high, &low[half..]);
        return [&low[..half], &high].concat();
    }
    let (y0, y1) = y.split_at(half);
    let low = mul_full(b, x0, y0);
    let high = mul_full(b, x1, y1);
    let (x_sum, y_sum) = (add_carry(b, x0, x1), add_carry(b, y0, y1));
    let middle = product(b, &x_sum, &y_sum, middle_width(half, x.len() + y.len()));
    karatsuba(b, half, &low, &high, &middle)
}

/// Number of bits of `x0 y1 + x1 y0`, where a half has `half` bits and the full product has `width`
/// bits.
pub(super) fn middle_width(half: usize, width: usize) -> usize {
    (2 * half + 1).min(width - half)
}

/// `low + 2^half (middle - low - high) + 2^(2 half) high`, where `low` is `2 half` bits wide.
pub(super) fn karatsuba(
    b: &mut Builder,
    half: usize,
    low: &[Bit],
    high: &[Bit],
    middle: &[Bit],
) -> Vec<Bit> {
    let middle = sub(b, middle, &low[..low.len().min(middle.len())]);
    let middle = sub(b, &middle, &high[..high.len().min(middle.len())]);
    let rest = [&low[half..], high].concat();
    let rest = add(b, &rest, &middle);
    [&low[..half], &rest].concat()
}

/// Like [`mul`], but by rows of partial products at any width, with one ripple-carry addition after
/// the other. Most frameworks use this circuit; it has 993 ANDs for 32 bits.
pub fn mul_by_rows(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    schoolbook(b, x, y, x.len().max(y.len()))
}

/// The low `width` bits of `x * y`, row by row.
fn schoolbook(b: &mut Builder, x: &[Bit], y: &[Bit], width: usize) -> Vec<Bit> {
    let mut sum = vec![Bit::FALSE; width];
    for (shift, &factor) in y.iter().enumerate().take(width) {
        // The row reaches one bit beyond x, for the carry, unless the width cuts it off.
        let row = zero_extend(x, (x.len() + 1).min(width - shift));
        let row: Vec<Bit> = row.iter().map(|&bit| b.and(bit, factor)).collect();
        let part: Vec<Bit> = (0..row.len()).map(|i| bit_or_zero(&sum, shift + i)).collect();
        // An addition reads its first operand twice, some gates apart, so this operand must be kept
        // longer. The row is better for this than the sum so far, because nothing else reads the
        // row.
        let part = add_wrapping(b, &row, &part, Bit::FALSE);
        sum[shift..shift + part.len()].copy_from_slice(&part);
    }
    sum
}
