//! Permutation networks, which put a list in an order that only one party knows, or that neither
//! party knows.
//!
//! The network is Waksman's ("A permutation network", 1968) for powers of two. For other sizes it
//! is the network of Beauquier and Darrot ("On arbitrary size Waksman networks and their
//! vulnerability", 2002): a column of switches, two networks of half the size, and another column,
//! in which one switch is not needed. With `n` elements of `w` bits:
//!
//! |             | ANDs                                                 | AND depth            |
//! |-------------|------------------------------------------------------|----------------------|
//! | [`permute`] | `w` per switch; [`switches`]`(n)` is the sum of      | `2 ceil(log2 n) - 1` |
//! |             | `ceil(log2 i)` for `i` from 1 to `n`, and `n p - n + |                      |
//! |             | 1` for `n = 2^p`                                     |                      |
//! | [`shuffle`] | twice that                                           | twice that           |
//!
//! The party that knows the order computes the control bits in the clear with [`waksman_controls`],
//! and supplies them as its input. Any control bits make some permutation, so a cheating party
//! gains nothing beyond choosing another permutation. Random *bits* do not make every order equally
//! likely: draw a random permutation, and compute its bits.

mod controls;
#[cfg(test)]
mod tests;

pub use controls::{PermutationError, waksman_controls};

use crate::array::one_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// Number of switches, and of control bits, in the network for `n` elements.
pub fn switches(n: usize) -> usize {
    // Sum of ceil(log2 i): for each power of two below n, the number of i above it.
    (0..usize::BITS).take_while(|&j| 1 << j < n).map(|j| n - (1 << j)).sum()
}

/// Returns `items` in the order that `controls` select. `controls` come from [`waksman_controls`]
/// for a permutation `p`: element `i` of the result is `items[p[i]]`. `w` ANDs per switch, of depth
/// `2 ceil(log2 n) - 1`.
///
/// ```
/// use halfgate_circuit::{Builder, Party, permute};
/// let mut b = Builder::new();
/// let order = b.input("order", Party::Garbler, permute::switches(8) as u32);
/// let items = b.input("items", Party::Evaluator, 8 * 32);
/// let items: Vec<_> = items.chunks(32).map(<[_]>::to_vec).collect();
/// let ordered = permute::permute(&mut b, &items, &order);
/// b.output("ordered", &ordered.concat());
/// assert_eq!(b.ands(), 17 * 32);
///
/// // The garbler's input that reverses the list.
/// let order = permute::waksman_controls(&[7, 6, 5, 4, 3, 2, 1, 0])?;
/// assert_eq!(order.len(), 17);
/// # Ok::<(), permute::PermutationError>(())
/// ```
///
/// # Panics
/// If the number of controls is not [`switches`]`(n)`, or elements differ in width.
pub fn permute(b: &mut Builder, items: &[Vec<Bit>], controls: &[Bit]) -> Vec<Vec<Bit>> {
    one_width(items);
    let (n, found, needed) = (items.len(), controls.len(), switches(items.len()));
    assert_eq!(found, needed, "{found} controls for the {needed} switches of {n} elements");
    network(b, items.to_vec(), &mut controls.iter().copied())
}

/// Returns `items` in an order that neither party knows. Each party must supply the controls of a
/// permutation that it drew at random and keeps secret: `p` for `first`, `q` for `second`. Element
/// `i` of the result is `items[p[q[i]]]`. Costs two networks.
///
/// # Panics
/// As for [`permute`].
pub fn shuffle(
    b: &mut Builder,
    items: &[Vec<Bit>],
    first: &[Bit],
    second: &[Bit],
) -> Vec<Vec<Bit>> {
    let once = permute(b, items, first);
    permute(b, &once, second)
}

/// Number of switches in the first column of the network for `n` elements.
fn first_column(n: usize) -> usize {
    n / 2
}

/// Number of switches in the last column.
fn last_column(n: usize) -> usize {
    n.saturating_sub(1) / 2
}

/// Applies the network. Reads the controls in the order in which `controls.rs` appends them: the
/// first column, the upper half, the lower half, the last column.
fn network(
    b: &mut Builder,
    items: Vec<Vec<Bit>>,
    controls: &mut impl Iterator<Item = Bit>,
) -> Vec<Vec<Bit>> {
    let n = items.len();
    if n < 2 {
        return items;
    }
    let (mut upper, mut lower) = (Vec::new(), Vec::new());
    for pair in items.chunks(2) {
        if let [x, y] = pair {
            let (x, y) = switch(b, controls, x, y);
            upper.push(x);
            lower.push(y);
        } else {
            lower.extend_from_slice(pair);
        }
    }
    let mut upper = network(b, upper, controls).into_iter();
    let mut lower = network(b, lower, controls).into_iter();

    let mut permuted = Vec::with_capacity(n);
    for _ in 0..last_column(n) {
        let (x, y) = (upper.next().unwrap_or_default(), lower.next().unwrap_or_default());
        permuted.extend(<[_; 2]>::from(switch(b, controls, &x, &y)));
    }
    permuted.extend(upper.chain(lower));
    permuted
}

fn switch(
    b: &mut Builder,
    controls: &mut impl Iterator<Item = Bit>,
    x: &[Bit],
    y: &[Bit],
) -> (Vec<Bit>, Vec<Bit>) {
    let swap = controls.next().expect("a control for each switch, as permute has checked");
    int::swap_if(b, swap, x, y)
}
