//! Prefix sums and other scans: what an associative operation makes of the first one, two, three
//! … elements of a list.
//!
//! [`scan`] takes the fewest operations, one after the other. [`scan_with`] also has two shapes of
//! logarithmic depth, for when rounds of independent gates matter more than ANDs:
//!
//! | [`Form`] | operations on `n` elements | for `n = 2^p` | operations in a row |
//! |---|---|---|---|
//! | `Sequential` | `n - 1` | | `n - 1` |
//! | `BrentKung` | `2n - floor(log2 n) - 1 - h`, `h` ones in `n` | `2n - p - 2` | at most `2 floor(log2 n)` |
//! | `Sklansky` | the ones in all of `0 .. n` | `n p / 2` | `ceil(log2 n)` |
//!
//! Sums need no such shape: the carries of one ripple-carry addition run alongside those of the
//! next, so [`sums`] has the depth of a single one.

#[cfg(test)]
mod tests;

use crate::array::one_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// In which order a scan applies its operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One after the other.
    Sequential,
    /// Brent and Kung, "A regular layout for parallel adders" (1982): up a tree and down again.
    BrentKung,
    /// Sklansky, "Conditional-sum addition logic" (1960): the least depth.
    Sklansky,
}

impl Form {
    /// How many operations a scan of `n` elements takes.
    pub fn operations(self, n: u64) -> u64 {
        match self {
            _ if n == 0 => 0,
            Form::Sequential => n - 1,
            Form::BrentKung => 2 * n - u64::from(n.count_ones()) - u64::from(n.ilog2()) - 1,
            // Bit j is 1 in 2^j of every 2^(j+1) numbers, the last of them.
            Form::Sklansky => (0..64 - n.leading_zeros())
                .map(|j| (n >> j >> 1 << j) + (n & ((2 << j) - 1)).saturating_sub(1 << j))
                .sum(),
        }
    }
}

/// `xs[0]`, `xs[0] ∘ xs[1]`, `xs[0] ∘ xs[1] ∘ xs[2]`, …, where `op` is `∘`: as many as there are
/// in `xs`. `n - 1` operations, each on the result of the one before, so `op` need not be associative.
///
/// ```
/// use halfgate_circuit::{Builder, Party, int, prefix};
/// let mut b = Builder::new();
/// let prices = b.input("prices", Party::Garbler, 10 * 16);
/// let prices: Vec<_> = prices.chunks(16).map(<[_]>::to_vec).collect();
/// let lowest_so_far = prefix::scan(&mut b, &prices, |b, low, x| int::min_unsigned(b, low, x));
/// assert_eq!(b.ands(), 9 * 32);
/// # let _ = lowest_so_far;
/// ```
pub fn scan<T: Clone>(
    b: &mut Builder,
    xs: &[T],
    mut op: impl FnMut(&mut Builder, &T, &T) -> T,
) -> Vec<T> {
    let mut scanned: Vec<T> = Vec::with_capacity(xs.len());
    for x in xs {
        let next = scanned.last().map(|before| op(b, before, x));
        scanned.push(next.unwrap_or_else(|| x.clone()));
    }
    scanned
}

/// [`scan`] in the given form, of an `op` that must be associative.
/// [`operations`](Form::operations) says how often it is applied.
pub fn scan_with<T: Clone>(
    b: &mut Builder,
    form: Form,
    xs: &[T],
    mut op: impl FnMut(&mut Builder, &T, &T) -> T,
) -> Vec<T> {
    let n = xs.len();
    let mut xs = xs.to_vec();
    let steps = 0..n.max(1).next_power_of_two().ilog2();
    let mut step = |into: usize, from: usize| xs[into] = op(b, &xs[from], &xs[into]);
    match form {
        Form::Sequential => (1..n).for_each(|i| step(i, i - 1)),
        Form::Sklansky => {
            for j in steps {
                // The second half of each block of 2^(j+1) takes the sum of the first.
                (0..n).filter(|i| i >> j & 1 == 1).for_each(|i| step(i, (i >> j << j) - 1));
            }
        }
        Form::BrentKung => {
            for size in steps.clone().map(|j| 1 << j) {
                (2 * size..=n).step_by(2 * size).for_each(|end| step(end - 1, end - 1 - size));
            }
            for size in steps.rev().map(|j| 1 << j) {
                (3 * size..=n).step_by(2 * size).for_each(|end| step(end - 1, end - 1 - size));
            }
        }
    }
    xs
}

/// The sums of the first one, two, three … numbers, modulo 2 to their width `w`.
/// `(n - 1) (w - 1)` ANDs, of depth `w - 1`: that of one addition.
///
/// # Panics
/// If the numbers differ in width.
pub fn sums(b: &mut Builder, xs: &[Vec<Bit>]) -> Vec<Vec<Bit>> {
    one_width(xs);
    scan(b, xs, |b, sum, x| int::add(b, sum, x))
}

/// For each bit, whether it or one before it is 1. `n - 1` ANDs, of depth `n - 1`.
pub fn any(b: &mut Builder, bits: &[Bit]) -> Vec<Bit> {
    scan(b, bits, |b, &before, &bit| b.or(before, bit))
}

/// For each bit, whether it and all before it are 1. `n - 1` ANDs, of depth `n - 1`.
pub fn all(b: &mut Builder, bits: &[Bit]) -> Vec<Bit> {
    scan(b, bits, |b, &before, &bit| b.and(before, bit))
}

/// At each place the value of the last place so far where `marks` is 1; zeros before the first.
/// So every marked value is copied over the places after it, up to the next mark. `n w` ANDs, of
/// depth `n`; `w` and 1 fewer if the first mark is a constant 1.
///
/// In logarithmic depth it is a [`scan_with`] of pairs of a mark and a value, under
/// `(p, x) ∘ (q, y) = (p | q, if q then y else x)`, an associative operation of `w + 1` ANDs.
///
/// # Panics
/// If there is not one mark for each value, or values differ in width.
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
