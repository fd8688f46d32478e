//! Accesses that touch every element once.

use super::{index_bits, one_hot_if, one_width, reachable, write_one_hot};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// Returns the element at `index`, or zeros if `index` is out of range. From an array without
/// elements, returns no bits.
///
/// With `k = ceil(log2 n)` and an index of `k` bits: `(n - 1) w` ANDs for `n = 2^k`, else
/// `n w + l - f`, where `w` is the width of an element, and `f` and `l` are the positions of the
/// lowest and the highest 0 bit of `n - 1`. The depth is `k`. An index of `k + e` bits takes
/// [`in_range`]'s ANDs and `n w`.
///
/// # Panics
/// If the elements differ in width.
pub fn read(b: &mut Builder, array: &[Vec<Bit>], index: &[Bit]) -> Vec<Bit> {
    one_width(array);
    let array = &array[..reachable(array.len(), index.len())];
    let n = array.len();
    if index.len() > index_bits(n) {
        let element = read_any(b, array, index);
        let in_range = in_range(b, index, n);
        return element.iter().map(|&bit| b.and(in_range, bit)).collect();
    }
    let Some((&top, low)) = index.split_last() else { return read_any(b, array, index) };
    // An index whose top bit is 0 is always in range, so only the other half needs a check, on one
    // bit less.
    let (below, from) = array.split_at(1 << low.len());
    let (below, from) = (read_any(b, below, low), read(b, from, low));
    int::select(b, top, &from, &below)
}

/// Returns the element at `index`, or some element if `index` is out of range. `(n - 1) w` ANDs.
fn read_any(b: &mut Builder, array: &[Vec<Bit>], index: &[Bit]) -> Vec<Bit> {
    let mut level = array.to_vec();
    for &bit in &index[..index_bits(array.len())] {
        let choose = |pair: &[Vec<Bit>]| match pair {
            [even, odd] => int::select(b, bit, odd, even),
            alone => alone.concat(),
        };
        level = level.chunks(2).map(choose).collect();
    }
    level.pop().unwrap_or_default()
}

/// Whether `index` is below the constant `n`.
///
/// With `k = ceil(log2 n)` and an index of `k + e` bits: for `n = 2^k` it takes `e - 1` ANDs of
/// depth `ceil(log2 e)`, and none if `e = 0`. For other `n` it takes `k - 1 - f + e` ANDs, where
/// `f` is the position of the lowest 0 bit of `n - 1`.
pub fn in_range(b: &mut Builder, index: &[Bit], n: usize) -> Bit {
    let Some(last) = n.checked_sub(1) else { return Bit::FALSE };
    let (low, high) = index.split_at(index_bits(n).min(index.len()));
    if low.len() < index_bits(n) {
        return Bit::TRUE;
    }
    // Whether the bits so far, as a number, are at most the same bits of the last index.
    let at_most = low.iter().enumerate().fold(Bit::TRUE, |at_most, (i, &bit)| {
        if last >> i & 1 == 1 { b.or(at_most, !bit) } else { b.and(at_most, !bit) }
    });
    let high_is_zero = int::is_zero(b, high);
    b.and(at_most, high_is_zero)
}

/// Returns the array with `value` at `index`, or unchanged if `index` is out of range. `n w` ANDs,
/// of depth 1, plus the ANDs of [`one_hot`](super::one_hot).
///
/// # Panics
/// If the elements or the value differ in width.
pub fn write(b: &mut Builder, array: &[Vec<Bit>], index: &[Bit], value: &[Bit]) -> Vec<Vec<Bit>> {
    write_if(b, Bit::TRUE, array, index, value)
}

/// Like [`write`](fn@write) if `condition` is 1, else returns the array unchanged. `n w` ANDs, of
/// depth 1, plus the ANDs of [`one_hot_if`].
///
/// # Panics
/// If the elements or the value differ in width.
pub fn write_if(
    b: &mut Builder,
    condition: Bit,
    array: &[Vec<Bit>],
    index: &[Bit],
    value: &[Bit],
) -> Vec<Vec<Bit>> {
    let hot = one_hot_if(b, condition, index, array.len());
    write_one_hot(b, array, &hot, value)
}

/// Returns the array with `change(element)` in place of the element at `index`. If `index` is out
/// of range, the array stays unchanged, but `change` still receives some element. Without elements
/// `change` is not called.
///
/// `2 (n - 1) w` ANDs plus the ANDs of `change`. If the index does not have exactly `k` bits with
/// `n = 2^k`, add `w` and the ANDs of [`in_range`]. That is about `w + n` fewer than a [`read`] and
/// a [`write`](fn@write), because the difference is sent back down the same tree of selections.
///
/// # Panics
/// If the elements, or the result of `change`, differ in width.
pub fn update(
    b: &mut Builder,
    array: &[Vec<Bit>],
    index: &[Bit],
    change: impl FnOnce(&mut Builder, &[Bit]) -> Vec<Bit>,
) -> Vec<Vec<Bit>> {
    let width = one_width(array);
    if array.is_empty() {
        return Vec::new();
    }
    let (reached, beyond) = array.split_at(reachable(array.len(), index.len()));
    let old = read_any(b, reached, index);
    let new = change(b, &old);
    assert_eq!(new.len(), width, "an element of {} bits for {width}", new.len());
    let in_range = in_range(b, index, reached.len());
    let difference: Vec<Bit> = old
        .iter()
        .zip(&new)
        .map(|(&old, &new)| {
            let differ = b.xor(old, new);
            b.and(in_range, differ)
        })
        .collect();
    let mut level = vec![difference];
    let bits = index_bits(reached.len());
    for (i, &bit) in index[..bits].iter().enumerate().rev() {
        // A node without a second child passes `x` on unchanged: if this index bit is 1 there, `x`
        // is all zeros anyway.
        let last = (reached.len() - 1) >> i;
        level =
            level
                .iter()
                .enumerate()
                .flat_map(|(node, x)| {
                    if 2 * node + 1 > last { vec![x.clone()] } else { branch(b, bit, x).into() }
                })
                .collect();
    }
    let changed = reached.iter().zip(&level).map(|(x, difference)| int::xor(b, x, difference));
    changed.collect::<Vec<_>>().into_iter().chain(beyond.iter().cloned()).collect()
}

/// Returns `x` in the second place if `bit` is 1, else in the first, and zeros in the other place.
fn branch(b: &mut Builder, bit: Bit, x: &[Bit]) -> [Vec<Bit>; 2] {
    let second: Vec<Bit> = x.iter().map(|&x| b.and(bit, x)).collect();
    [int::xor(b, x, &second), second]
}
