//! Sorting and merging: Batcher's odd-even merge sort for any number of elements.
//!
//! A list is a `&[Vec<Bit>]` of elements of one width. A [`Key`] selects the bits of an element
//! that order it, and their type; the `_by` forms take any comparison (of floats, for example).
//! Sorting is data independent, so only the circuit's outputs reveal anything about the order.
//!
//! One comparison with exchange takes one AND for each bit of the key, to compare, and one for each
//! bit of the element, to exchange. With keys of `k` bits in elements of `w`:
//!
//! | | ANDs | AND depth |
//! |---|---|---|
//! | [`sort`] of `n` | `comparisons(n) (k + w)` | `layers(n) (k + 1)` |
//! | [`sort_stable`] | below `comparisons(n) (k + w + 2i)` | below `layers(n) (k + i + 1)` |
//! | [`merge`] of `m` and `n` | `merge_comparisons(m, n) (k + w)` | `merge_layers(m, n) (k + 1)` |
//! | [`Arrangement::apply`], [`Arrangement::undo`] | `comparisons(n) w` | `layers(n)` |
//!
//! In the row of [`sort_stable`], `i = ceil(log2 n)`: it sorts by the index too, whose constants
//! save some of these ANDs.
//!
//! The depth is exact for `n = 2^p` and an upper bound for other `n`. A bitonic sorter has as many
//! layers but more comparisons (448 instead of 385 to merge 64 with 64), so this module has none.
//! Networks with fewer comparisons than Batcher's are known for 9 elements and more (60 instead of
//! 63 for 16), but not for arbitrary `n`.

mod arrange;
mod key;
mod network;
#[cfg(test)]
mod tests;

pub use arrange::Arrangement;
pub use key::Key;
pub use network::{comparisons, layers, merge_comparisons, merge_layers};

use crate::array::one_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// Returns `items` in the order of `key`. Elements of equal keys have no particular order.
///
/// ```
/// use halfgate_circuit::{Builder, Party, sort::{self, Key}};
/// let mut b = Builder::new();
/// let scores = b.input("scores", Party::Garbler, 64 * 32);
/// let scores: Vec<_> = scores.chunks(32).map(<[_]>::to_vec).collect();
/// let sorted = sort::sort(&mut b, &scores, Key::unsigned(32));
/// assert_eq!(b.ands(), sort::comparisons(64) * 64);
/// # let _ = sorted;
/// ```
///
/// # Panics
/// If the elements differ in width.
pub fn sort(b: &mut Builder, items: &[Vec<Bit>], key: Key) -> Vec<Vec<Bit>> {
    sort_by(b, items, |b, x, y| key.before(b, x, y))
}

/// Returns `items` in the order of `key`. Elements of equal keys keep their order, because each
/// element's place in the list is put below its key as low bits.
///
/// # Panics
/// If the elements differ in width.
pub fn sort_stable(b: &mut Builder, items: &[Vec<Bit>], key: Key) -> Vec<Vec<Bit>> {
    if key.bits() == 0 {
        return items.to_vec();
    }
    let n = items.len();
    let place_bits = n.max(1).next_power_of_two().ilog2() as usize;
    let number = |(i, item): (usize, &Vec<Bit>)| {
        let place = if key.is_descending() { n - 1 - i } else { i };
        [int::constant(place_bits, place as u128), item.clone()].concat()
    };
    let numbered: Vec<Vec<Bit>> = items.iter().enumerate().map(number).collect();
    let sorted = sort(b, &numbered, key.with_low_bits(place_bits));
    sorted.into_iter().map(|mut item| item.split_off(place_bits)).collect()
}

/// Returns `items` in the order of `before`, which returns whether its first argument comes
/// strictly before its second. `comparisons(n)` times the ANDs of `before` plus the width.
///
/// # Panics
/// If the elements differ in width.
pub fn sort_by(
    b: &mut Builder,
    items: &[Vec<Bit>],
    mut before: impl FnMut(&mut Builder, &[Bit], &[Bit]) -> Bit,
) -> Vec<Vec<Bit>> {
    one_width(items);
    let mut items = items.to_vec();
    let places: Vec<usize> = (0..items.len()).collect();
    let order = network::sort(&places, &mut |i, j| {
        exchange(b, &mut items, i, j, &mut before);
    });
    order.into_iter().map(|place| std::mem::take(&mut items[place])).collect()
}

/// Merges two lists, each in the order of `key`. If a list is not in order, the result is not in
/// order either, but has the same elements.
///
/// # Panics
/// If the elements differ in width.
pub fn merge(b: &mut Builder, x: &[Vec<Bit>], y: &[Vec<Bit>], key: Key) -> Vec<Vec<Bit>> {
    merge_by(b, x, y, |b, x, y| key.before(b, x, y))
}

/// Like [`merge`], in the order of `before` as for [`sort_by`].
///
/// # Panics
/// If the elements differ in width.
pub fn merge_by(
    b: &mut Builder,
    x: &[Vec<Bit>],
    y: &[Vec<Bit>],
    mut before: impl FnMut(&mut Builder, &[Bit], &[Bit]) -> Bit,
) -> Vec<Vec<Bit>> {
    let mut items = [x, y].concat();
    one_width(&items);
    let places: Vec<usize> = (0..items.len()).collect();
    let (x, y) = places.split_at(x.len());
    let order = network::merge(x, y, &mut |i, j| {
        exchange(b, &mut items, i, j, &mut before);
    });
    order.into_iter().map(|place| std::mem::take(&mut items[place])).collect()
}

/// Puts elements `i` and `j` in order. Returns whether they were exchanged.
fn exchange(
    b: &mut Builder,
    items: &mut [Vec<Bit>],
    i: usize,
    j: usize,
    before: &mut impl FnMut(&mut Builder, &[Bit], &[Bit]) -> Bit,
) -> Bit {
    let swap = before(b, &items[j], &items[i]);
    (items[i], items[j]) = int::swap_if(b, swap, &items[i], &items[j]);
    swap
}
