//! Arrays that are read and written at a secret index.
//!
//! An array is a `&[Vec<Bit>]` of `n` elements of one width `w`. An index is an unsigned number of
//! any width. **An index out of range** (`n` or more) reads zeros and writes nothing. An index of
//! `k = ceil(log2 n)` bits is cheapest. The high bits of a wider index are checked; a narrower
//! index reaches only the elements that it can number.
//!
//! A circuit's gates are the same for every index, so every access touches every element:
//!
//! | | ANDs, for `n = 2^k` and an index of `k` bits | AND depth |
//! |---|---|---|
//! | [`read`]: a tree of multiplexers | `(n - 1) w` | `k` |
//! | [`one_hot`]: a decoder | `n - k - 1` | `k - 1` |
//! | [`write`](fn@write): decoder and multiplexers | `n w + n - k - 1` | `k` |
//! | [`update`]: read, change, write | `2 (n - 1) w` + the change's | `2 k` + the change's |
//! | [`lookup`] in a table of constants | about `2^(k/2) w`, or `n - k - 1` | `k` |
//!
//! If the indices of several accesses are all available beforehand, [`access`] takes fewer ANDs for
//! the whole batch, from about nine reads or five accesses that may write. See [`batch`], which
//! also explains why there is no oblivious RAM here.
//!
//! The functions document the formulas for other sizes. Reading with a decoder takes as many ANDs
//! as reading with the tree, plus the ANDs of the decoder. So [`read_one_hot`] is meant only for an
//! index that is given as one bit per element.

pub mod batch;
mod cost;
mod linear;
mod lookup;
mod one_hot;
#[cfg(test)]
mod tests;

pub use batch::{
    Access, Accessed, access, access_by_sorting, access_in_turn, by_sorting_ands, in_turn_ands,
};
pub use cost::{in_range_ands, lookup_ands, one_hot_ands, read_ands, update_ands, write_ands};
pub use linear::{in_range, read, update, write, write_if};
pub use lookup::lookup;
pub use one_hot::{one_hot, one_hot_if, read_one_hot, write_one_hot};

use crate::id::Bit;

/// Returns the width of all elements, or 0 if there are none.
///
/// # Panics
/// If the elements differ in width.
pub(crate) fn one_width(elements: &[Vec<Bit>]) -> usize {
    let width = elements.first().map_or(0, Vec::len);
    for (i, element) in elements.iter().enumerate() {
        let found = element.len();
        assert_eq!(found, width, "element {i} has {found} bits, but element 0 has {width}");
    }
    width
}

/// Bits of the highest index into `n` elements: `ceil(log2 n)`.
fn index_bits(n: usize) -> usize {
    n.max(1).next_power_of_two().ilog2() as usize
}

/// Number of elements that an index of `bits` bits can select.
fn reachable(n: usize, bits: usize) -> usize {
    if bits < usize::BITS as usize { n.min(1 << bits) } else { n }
}
