//! Adders and comparators of logarithmic AND depth, for hardware that waits for the longest
//! path: more ANDs than the ripple-carry ones. Carries are a parallel prefix of pairs *generates a
//! carry* and *hands one on*, in Sklansky's form ("Conditional-sum addition logic", 1960).

use super::same_width;
use crate::builder::Builder;
use crate::id::Bit;

/// What a range of columns does to a carry: makes one, or hands one on; never both.
#[derive(Clone, Copy)]
struct Span {
    generates: Bit,
    propagates: Bit,
}

/// `low` and `high` as one range. Two ANDs; one if nothing asks whether it hands a carry on.
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
/// `n log2 n` ANDs; for `n = 2^k + 1` bits `k 2^k + 1`.
pub fn add_fast(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let (x, y) = same_width(x, y);
    let Some(top) = x.len().checked_sub(1) else { return Vec::new() };
    let mut spans = columns(b, &x[..top], &y[..top]);
    // After each round a column's span reaches down to the start of its block.
    let mut block = 1;
    while block < top {
        for i in (0..top).filter(|i| i & block != 0) {
            let low = spans[(i & !(block - 1)) - 1];
            // The lowest blocks reach the bottom, where no carry comes in.
            spans[i] = join(b, low, spans[i], i >= 2 * block);
        }
        block *= 2;
    }
    (0..=top)
        .map(|i| {
            let half = b.xor(x[i], y[i]);
            let carry = if i == 0 { Bit::FALSE } else { spans[i - 1].generates };
            b.xor(half, carry)
        })
        .collect()
}

/// Whether `x < y`, both unsigned: [`lt_unsigned`](super::lt_unsigned) with AND depth
/// `1 + ceil(log2 n)`, for `n` a power of two `3n - 2 - log2 n` ANDs.
pub fn lt_unsigned_fast(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Bit {
    let (x, y) = same_width(x, y);
    // y + !x carries out just when y > x.
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
