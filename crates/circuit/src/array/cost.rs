//! AND counts, for `n` elements of `width` bits and an index of `bits` bits, none of them constant.
//! An index of fewer than `ceil(log2 n)` bits cannot reach all elements. Then only the elements
//! that it reaches count.

use super::{index_bits, reachable};

/// ANDs of [`in_range`](super::in_range).
pub fn in_range_ands(n: usize, bits: usize) -> u64 {
    let n = reachable(n, bits);
    let Shape { k, zeros, lowest_zero, .. } = Shape::of(n);
    let beyond = (bits - k) as u64;
    match n {
        0 => 0,
        _ if zeros == 0 => beyond.saturating_sub(1),
        _ => (k - 1 - lowest_zero) as u64 + beyond,
    }
}

/// ANDs of [`read`](super::read).
pub fn read_ands(n: usize, width: usize, bits: usize) -> u64 {
    let n = reachable(n, bits);
    let shape = Shape::of(n);
    let elements = (n as u64).saturating_sub(1) * width as u64;
    if bits > shape.k && n > 0 {
        elements + width as u64 + in_range_ands(n, bits)
    } else if shape.zeros == 0 {
        elements
    } else {
        elements + width as u64 + (shape.highest_zero - shape.lowest_zero) as u64
    }
}

/// ANDs of [`one_hot`](super::one_hot).
pub fn one_hot_ands(n: usize, bits: usize) -> u64 {
    let n = reachable(n, bits);
    let shape = Shape::of(n);
    let splits = (n + shape.zeros).saturating_sub(1) as u64;
    if bits > shape.k && n > 0 {
        splits + (bits - shape.k - 1) as u64
    } else {
        splits - shape.k.min(shape.top_ones + 1) as u64
    }
}

/// ANDs of [`write`](super::write). [`write_if`](super::write_if) takes the same, with the count of
/// [`one_hot_if`](super::one_hot_if) instead of [`one_hot_ands`].
pub fn write_ands(n: usize, width: usize, bits: usize) -> u64 {
    (reachable(n, bits) * width) as u64 + one_hot_ands(n, bits)
}

/// ANDs of [`update`](super::update), without the ANDs of `change`.
pub fn update_ands(n: usize, width: usize, bits: usize) -> u64 {
    let n = reachable(n, bits);
    let shape = Shape::of(n);
    let checked = bits > shape.k || shape.zeros > 0;
    let elements = 2 * (n as u64).saturating_sub(1) * width as u64;
    if checked && n > 0 { elements + width as u64 + in_range_ands(n, bits) } else { elements }
}

/// An upper bound for the ANDs of [`lookup`](super::lookup).
pub fn lookup_ands(n: usize, width: usize, bits: usize) -> u64 {
    lookup_split(n, width, bits).1
}

/// Returns the number of index bits to decode, and the ANDs of the whole lookup.
pub(super) fn lookup_split(n: usize, width: usize, bits: usize) -> (usize, u64) {
    let n = reachable(n, bits);
    let ands = |decoded: usize| {
        let rows = n.div_ceil(1 << decoded);
        one_hot_ands(1 << decoded, decoded) + read_ands(rows, width, bits - decoded)
    };
    let choices = (0..=index_bits(n)).map(|decoded| (decoded, ands(decoded)));
    choices.min_by_key(|&(_, ands)| ands).unwrap_or((0, 0))
}

/// Properties of a number of elements that the formulas use.
struct Shape {
    /// Number of bits of the last index, `n - 1`.
    k: usize,
    /// Number of zeros among the bits of the last index.
    zeros: usize,
    /// Position of the lowest zero bit, or 0 if there is none.
    lowest_zero: usize,
    /// Position of the highest zero bit, or 0 if there is none.
    highest_zero: usize,
    /// Number of ones above the highest zero bit.
    top_ones: usize,
}

impl Shape {
    fn of(n: usize) -> Shape {
        let (last, k) = (n.saturating_sub(1), index_bits(n));
        let zeros: Vec<usize> = (0..k).filter(|place| last >> place & 1 == 0).collect();
        Shape {
            k,
            zeros: zeros.len(),
            lowest_zero: zeros.first().copied().unwrap_or(0),
            highest_zero: zeros.last().copied().unwrap_or(0),
            top_ones: zeros.last().map_or(k, |highest| k - 1 - highest),
        }
    }
}
