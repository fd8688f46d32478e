//! Scans of any operation, sequential or in logarithmic depth.

use crate::builder::Builder;

/// The order in which a scan applies its operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One operation after the other.
    Sequential,
    /// Brent and Kung, "A regular layout for parallel adders" (1982): up a tree and down again.
    BrentKung,
    /// Sklansky, "Conditional-sum addition logic" (1960): the least depth.
    Sklansky,
}

impl Form {
    /// Number of operations that a scan of `n` elements takes.
    pub fn operations(self, n: u64) -> u64 {
        match self {
            _ if n == 0 => 0,
            Form::Sequential => n - 1,
            Form::BrentKung => 2 * n - u64::from(n.count_ones()) - u64::from(n.ilog2()) - 1,
            // Counts the ones in the numbers 0 to n - 1: bit j is 1 in the last 2^j of every
            // 2^(j+1) numbers.
            Form::Sklansky => (0..64 - n.leading_zeros())
                .map(|j| (n >> j >> 1 << j) + (n & ((2 << j) - 1)).saturating_sub(1 << j))
                .sum(),
        }
    }
}

/// Returns `xs[0]`, `xs[0] ∘ xs[1]`, `xs[0] ∘ xs[1] ∘ xs[2]`, …, where `op` is `∘`: one result per
/// element of `xs`. Takes `n - 1` operations, each on the previous result, so `op` need not be
/// associative.
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

/// Like [`scan`], in the given form. `op` must be associative, and is applied
/// [`operations`](Form::operations) times.
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
                // In each block of 2^(j+1), the first half's total is applied to every element of
                // the second half.
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
