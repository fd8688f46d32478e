//! Prefix sums and other scans: the results of an associative operation on the first one, two,
//! three … elements of a list.
//!
//! [`scan`] takes the fewest operations, one after the other. [`scan_with`] also has two forms of
//! logarithmic depth, for when rounds of independent gates matter more than ANDs:
//!
//! | [`Form`]     | operations on `n` elements    | for `n = 2^p` | longest chain             |
//! |--------------|-------------------------------|---------------|---------------------------|
//! | `Sequential` | `n - 1`                       |               | `n - 1`                   |
//! | `BrentKung`  | `2n - floor(log2 n) - 1 - h`, | `2n - p - 2`  | at most `2 floor(log2 n)` |
//! |              | `h`: ones in binary `n`       |               |                           |
//! | `Sklansky`   | ones in binary `0` to `n - 1` | `n p / 2`     | `ceil(log2 n)`            |
//!
//! Sums do not need these forms. The carries of one ripple-carry addition run alongside those of
//! the next, so [`sums`] has the depth of a single addition.

mod scan;
#[cfg(test)]
mod tests;

pub use scan::{Form, scan, scan_with};

use crate::array::one_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The sums of the first one, two, three … numbers, modulo 2 to the power of their width `w`.
/// `(n - 1) (w - 1)` ANDs, of depth `w - 1`, the depth of one addition.
///
/// # Panics
/// If the numbers differ in width.
pub fn sums(b: &mut Builder, xs: &[Vec<Bit>]) -> Vec<Vec<Bit>> {
    one_width(xs);
    scan(b, xs, |b, sum, x| int::add(b, sum, x))
}

/// For each bit, whether it or any bit before it is 1. `n - 1` ANDs, of depth `n - 1`.
pub fn any(b: &mut Builder, bits: &[Bit]) -> Vec<Bit> {
    scan(b, bits, |b, &before, &bit| b.or(before, bit))
}

/// For each bit, whether it and all bits before it are 1. `n - 1` ANDs, of depth `n - 1`.
pub fn all(b: &mut Builder, bits: &[Bit]) -> Vec<Bit> {
    scan(b, bits, |b, &before, &bit| b.and(before, bit))
}

/// Copies every marked value over the following places, up to the next mark. So each place gets the
/// value at the last place so far whose bit of `marks` is 1. Places before the first mark get
/// zeros. `n w` ANDs, of depth `n`. If the first mark is a constant 1, `w` fewer ANDs, of depth
/// `n - 1`.
///
/// For logarithmic depth, use [`scan_with`] on pairs of a mark and a value, with the associative
/// operation `(p, x) ∘ (q, y) = (p | q, if q then y else x)`. It takes `w + 1` ANDs.
///
/// # Panics
/// If the number of marks differs from the number of values, or values differ in width.
pub fn copy_last(b: &mut Builder, marks: &[Bit], values: &[Vec<Bit>]) -> Vec<Vec<Bit>> {
    let width = one_width(values);
    let (found, n) = (marks.len(), values.len());
    assert_eq!(found, n, "{found} marks for {n} values");
    let mut last = vec![Bit::FALSE; width];
    let mut copied = Vec::with_capacity(n);
    for (&mark, value) in marks.iter().zip(values) {
        last = int::select(b, mark, value, &last);
        copied.push(last.clone());
    }
    copied
}
