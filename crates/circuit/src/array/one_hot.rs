//! The one-hot form: one bit for each element, 1 at the index.

use super::{index_bits, one_width, reachable};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// Returns `n` bits of which the one at `index` is 1, or all zeros if `index` is out of range.
///
/// With `k = ceil(log2 n)` and an index of `k` bits: `n - k - 1` ANDs for `n = 2^k`. That is the
/// least possible: the results contain that many different products of two or more index bits. For
/// other `n` it takes `n - 1 + z - (u + 1)`, where the `k` bits of `n - 1` have `z` zeros in all
/// and `u` ones at the top. The depth is `k - 1`. An index of `k + e` bits takes
/// `n - 1 + z + e - 1`, of depth `k + ceil(log2 e)`.
pub fn one_hot(b: &mut Builder, index: &[Bit], n: usize) -> Vec<Bit> {
    one_hot_if(b, Bit::TRUE, index, n)
}

/// Like [`one_hot`] if `condition` is 1, else all zeros. `n - 1 + z` ANDs for an index of `k` bits,
/// of depth `k`, where the `k` bits of `n - 1` have `z` zeros. An index of `k + e` bits takes `e`
/// more.
pub fn one_hot_if(b: &mut Builder, condition: Bit, index: &[Bit], n: usize) -> Vec<Bit> {
    let reached = reachable(n, index.len());
    let Some(last) = reached.checked_sub(1) else { return Vec::new() };
    let (low, high) = index.split_at(index_bits(reached));
    let high_is_zero = int::is_zero(b, high);
    let mut nodes = vec![b.and(condition, high_is_zero)];
    let certain = nodes[0] == Bit::TRUE;
    // A node is 1 if the index starts with the node's bits. Each index bit, from the top, splits
    // every node in two.
    for (i, &bit) in low.iter().enumerate().rev() {
        // While exactly one node is 1, the XOR of all halves for a bit of 1 equals that bit. So the
        // last half needs no AND.
        let complete = certain && nodes.len() == 1 << (low.len() - 1 - i);
        let mut rest = bit;
        let mut split = Vec::with_capacity(2 * nodes.len());
        for (place, &node) in nodes.iter().enumerate() {
            let is_last = place + 1 == nodes.len();
            let with_one = if complete && is_last { rest } else { b.and(node, bit) };
            rest = b.xor(rest, with_one);
            split.push(b.xor(node, with_one));
            if 2 * place < last >> i {
                split.push(with_one);
            }
        }
        nodes = split;
    }
    nodes.resize(n, Bit::FALSE);
    nodes
}

/// Returns the element whose bit of `hot` is 1, or zeros if there is none. At most one bit may be
/// 1. `n w` ANDs, of depth 1.
///
/// # Panics
/// If the number of bits differs from the number of elements, or elements differ in width.
pub fn read_one_hot(b: &mut Builder, array: &[Vec<Bit>], hot: &[Bit]) -> Vec<Bit> {
    let width = one_width(array);
    check(array, hot);
    array.iter().zip(hot).fold(vec![Bit::FALSE; width], |sum, (element, &hot)| {
        let one = |(&sum, &bit)| {
            let chosen = b.and(hot, bit);
            b.xor(sum, chosen)
        };
        sum.iter().zip(element).map(one).collect()
    })
}

/// Returns the array with `value` wherever the bit of `hot` is 1. `n w` ANDs, of depth 1.
///
/// # Panics
/// If the number of bits differs from the number of elements, or elements or the value differ in
/// width.
pub fn write_one_hot(
    b: &mut Builder,
    array: &[Vec<Bit>],
    hot: &[Bit],
    value: &[Bit],
) -> Vec<Vec<Bit>> {
    let width = one_width(array);
    check(array, hot);
    let found = value.len();
    assert!(array.is_empty() || found == width, "a value of {found} bits for elements of {width}");
    let element = |(old, &hot): (&Vec<Bit>, &Bit)| int::select(b, hot, value, old);
    array.iter().zip(hot).map(element).collect()
}

fn check(array: &[Vec<Bit>], hot: &[Bit]) {
    let (found, n) = (hot.len(), array.len());
    assert_eq!(found, n, "{found} bits to choose among {n} elements");
}
