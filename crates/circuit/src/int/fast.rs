//! Adders, sums and comparators of logarithmic AND depth, for hardware that waits for the longest
//! path. They take more ANDs than the ripple-carry forms. Carries are computed as a parallel prefix
//! over pairs (*generates a carry*, *propagates a carry*), in Sklansky's form ("Conditional-sum
//! addition logic", 1960).

use super::full_adder::full_adder;
use super::same_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::prefix::{self, Form};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The effect of a range of columns on the carry. The range generates a carry, or propagates the
/// carry that it receives, but never both.
#[derive(Clone, Copy)]
struct Span {
    generates: Bit,
    propagates: Bit,
}

/// Joins `low` and `high` to one range. Two ANDs; one if `propagates` is not needed.
fn join(b: &mut Builder, low: Span, high: Span, propagates: bool) -> Span {
    let handed_on = b.and(high.propagates, low.generates);
    let propagates = if propagates { b.and(high.propagates, low.propagates) } else { Bit::FALSE };
    Span { generates: b.xor(high.generates, handed_on), propagates }
}

fn columns(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Span> {
    let column = |(&x, &y): (&Bit, &Bit)| Span { generates: b.and(x, y), propagates: b.xor(x, y) };
    x.iter().zip(y).map(column).collect()
}

/// `x + y`, without the carry: [`add`](super::add) with AND depth `1 + ceil(log2 (n - 1))`. About
/// `n log2 n` ANDs; `k 2^k + 1` for `n = 2^k + 1` bits.
pub fn add_fast(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width(x, y);
    let Some(top) = x.len().checked_sub(1) else { return Vec::new() };
    let mut spans = columns(b, &x[..top], &y[..top]);
    reach_down(b, &mut spans);
    (0..=top)
        .map(|i| {
            let half = b.xor(x[i], y[i]);
            let carry = if i == 0 { Bit::FALSE } else { spans[i - 1].generates };
            b.xor(half, carry)
        })
        .collect()
}

/// Extends each column's span down to the lowest column, which has no carry in.
fn reach_down(b: &mut Builder, spans: &mut [Span]) {
    // After each round a column's span reaches down to the start of its block.
    let mut block = 1;
    while block < spans.len() {
        for i in (0..spans.len()).filter(|i| i & block != 0) {
            let low = spans[(i & !(block - 1)) - 1];
            // A span that reaches the lowest column never propagates, since no carry comes in
            // there.
            spans[i] = join(b, low, spans[i], i >= 2 * block);
        }
        block *= 2;
    }
}

/// `x + y + carry` for operands of one width, and the carry out.
pub(super) fn add_with_carry(b: &mut Builder, x: &[Bit], y: &[Bit], carry: Bit) -> (Vec<Bit>, Bit) {
    // An additional column below the lowest one generates the carry in.
    let mut spans = vec![Span { generates: carry, propagates: Bit::FALSE }];
    spans.extend(columns(b, x, y));
    reach_down(b, &mut spans);
    let sum = |i: usize| {
        let half = b.xor(x[i], y[i]);
        b.xor(half, spans[i].generates)
    };
    let sum = (0..x.len()).map(sum).collect();
    (sum, spans[x.len()].generates)
}

/// `x + condition`, without the carry.
pub(super) fn increment_if(b: &mut Builder, condition: Bit, x: &[Bit]) -> Vec<Bit> {
    let carries = [&[condition], &x[..x.len().saturating_sub(1)]].concat();
    let carries = prefix::scan_with(b, Form::Sklansky, &carries, |b, &x, &y| b.and(x, y));
    x.iter().zip(carries).map(|(&bit, carry)| b.xor(bit, carry)).collect()
}

/// The low `width` bits of `x * y`.
pub(super) fn product(b: &mut Builder, x: &[Bit], y: &[Bit], width: usize) -> Vec<Bit> {
    let mut rows = Vec::with_capacity(y.len());
    for (shift, &factor) in y.iter().enumerate().take(width) {
        let mut row = vec![Bit::FALSE; shift];
        row.extend(x.iter().take(width - shift).map(|&bit| b.and(bit, factor)));
        rows.push(row);
    }
    let rows: Vec<&[Bit]> = rows.iter().map(Vec::as_slice).collect();
    sum_fast(b, &rows, width)
}

/// Whether `x < y`, both unsigned: [`lt_unsigned`](super::lt_unsigned) with AND depth
/// `1 + ceil(log2 n)`. `3n - 2 - log2 n` ANDs for `n` a power of two.
pub fn lt_unsigned_fast(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Bit {
    let (x, y) = same_width(x, y);
    // y + !x carries out exactly if y > x.
    let mut spans = columns(b, &super::not(&x), &y);
    while spans.len() > 1 {
        let last = spans.len().div_ceil(2);
        spans = (0..last)
            .map(|i| match spans[2 * i..].first_chunk::<2>() {
                Some(&[low, high]) => join(b, low, high, i > 0),
                None => spans[2 * i],
            })
            .collect();
    }
    spans.first().map_or(Bit::FALSE, |all| all.generates)
}

/// The sum of `values` modulo `2^width`: [`sum`](super::sum) with a small depth. A tree of
/// carry-save adders, which takes the bits of a column in the order of their arrival, reduces the
/// values to two numbers. [`add_fast`] adds these two. The tree's depth in full adders is about the
/// logarithm of the number of values to the base 1.5. It takes the ANDs of [`sum`](super::sum) plus
/// the ANDs of the final addition.
pub fn sum_fast(b: &mut Builder, values: &[&[Bit]], width: usize) -> Vec<Bit> {
    let mut rows = [Vec::with_capacity(width), Vec::with_capacity(width)];
    let mut carries: Vec<Arrival> = Vec::new();
    for j in 0..width {
        let bits = values.iter().filter_map(|value| value.get(j)).filter(|&&bit| bit != Bit::FALSE);
        let mut column: BinaryHeap<Arrival> =
            bits.map(|&bit| Arrival { time: Reverse(0), bit }).chain(carries.drain(..)).collect();
        // Two bits per column remain for the last addition. The last column has no carries.
        let is_last = j + 1 == width;
        while column.len() > 2 {
            let mut earliest = || column.pop().unwrap_or(Arrival::ZERO);
            let [x, y] = [earliest(), earliest()];
            // A bit that arrives later than the others waits for the last addition, because its
            // carry would arrive even later, column by column.
            let last = earliest();
            let waits = column.is_empty() && last.time < y.time;
            if is_last || waits {
                let sum = b.xor(x.bit, y.bit);
                column.push(Arrival { time: Reverse(y.time.0 + XOR), bit: sum });
                column.push(last);
                if !is_last {
                    let carry = b.and(x.bit, y.bit);
                    carries.push(Arrival { time: Reverse(y.time.0 + AND), bit: carry });
                }
                continue;
            }
            let (sum, carry) = full_adder(b, x.bit, last.bit, y.bit);
            let time = Reverse((y.time.0 + 2 * XOR).max(last.time.0 + XOR));
            column.push(Arrival { time, bit: sum });
            let time = Reverse(last.time.0 + 2 * XOR + AND);
            carries.push(Arrival { time, bit: carry });
        }
        for row in &mut rows {
            row.push(column.pop().unwrap_or(Arrival::ZERO).bit);
        }
    }
    add_fast(b, &rows[0], &rows[1])
}

/// Clock cycles that a garbling engine takes per gate (Mo, Gopinath and Reagen, ISCA 2023, section
/// 3.2). Only their ratio matters.
const XOR: u32 = 1;
const AND: u32 = 21;

/// A bit and its arrival time. The earliest arrival counts as the greatest, so that the heap
/// returns it first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    time: Reverse<u32>,
    bit: Bit,
}

impl Arrival {
    const ZERO: Arrival = Arrival { time: Reverse(0), bit: Bit::FALSE };
}
