//! Edit distance, computed from differences between neighbours.
//!
//! In the table of the distances of all prefixes, neighbours differ by at most one, so a cell only
//! needs differences. A cell takes the difference across its left side, the difference across its
//! top, and whether its two characters are equal. From these it computes the differences across its
//! right side and its bottom (Myers, "A fast bit-vector algorithm for approximate string matching
//! based on dynamic programming", J. ACM 1999; in the form of Hyyrö, 2003). That takes four ANDs
//! per cell; a minimum of three sums takes several ANDs per bit of a distance.

use crate::array::one_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The difference between two neighbouring distances: 1, 0 or -1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Whether the difference is 1.
    pub up: Bit,
    /// Whether the difference is -1. `up` and `down` are never both 1.
    pub down: Bit,
}

impl Step {
    /// The difference 1, which occurs everywhere along the empty prefixes.
    pub const UP: Step = Step { up: Bit::TRUE, down: Bit::FALSE };

    /// Computes one cell: takes the steps down its left side and along its top, and returns those
    /// down its right side and along its bottom. `equal` is 1 if the cell's characters are the
    /// same. 4 ANDs.
    pub fn cell(b: &mut Builder, equal: Bit, left: Step, top: Step) -> (Step, Step) {
        // Whether the distance at the cell equals the distance at its upper left corner.
        let falls = b.or(left.down, top.down);
        let same = b.or(equal, falls);
        (Step::across(b, same, top), Step::across(b, same, left))
    }

    /// Returns the step that ends at the cell and begins where `side` ends. Both paths from the
    /// upper left corner to the cell have the same sum. So the step is the diagonal step (0 if
    /// `same`, else 1) minus the step `side`.
    fn across(b: &mut Builder, same: Bit, side: Step) -> Step {
        // If the side is not -1, the step is 1 unless `same | side.up`. This OR is the XOR of both
        // bits and of their product.
        let down = b.and(same, side.up);
        let sum = b.xor(same, side.up);
        let either = b.xor(sum, down);
        // If the side is -1, `same` is 1 and the step is 1 too. So at most one of `!either` and
        // `side.down` is 1.
        Step { up: b.xor(!either, side.down), down }
    }
}

/// The number of characters to insert, drop or replace to turn one string into the other
/// (Levenshtein's distance), in just enough bits for the longer string's length.
///
/// For strings of `m <= n` characters of `w` bits, with `m >= 2`: `m n (w - 1) + 4 (m - 1) (n - 1)`
/// ANDs for the table, whose first row and column fold; `2m - h`, with `h` ones in `2m`, to sum its
/// last row; and up to `log2 n + 1` to add `n - m`.
///
/// # Panics
/// If characters differ in width.
pub fn edit_distance(b: &mut Builder, x: &[Vec<Bit>], y: &[Vec<Bit>]) -> Vec<Bit> {
    one_width(&[x, y].concat());
    // The sum runs along the shorter string.
    let (short, long) = if x.len() <= y.len() { (x, y) } else { (y, x) };
    let mut row = vec![Step::UP; short.len()];
    for y in long {
        let mut left = Step::UP;
        for (top, x) in row.iter_mut().zip(short) {
            let equal = int::eq(b, x, y);
            (left, *top) = Step::cell(b, equal, left, *top);
        }
    }
    // The distance is the longer length plus the number of ups minus the number of downs in the
    // last row. Counting ups and missing downs gives the shorter length in addition, so that length
    // is subtracted.
    let steps: Vec<Bit> = row.iter().flat_map(|step| [step.up, !step.down]).collect();
    let count = int::popcount(b, &steps);
    let width = (usize::BITS - long.len().leading_zeros()) as usize;
    let difference = int::constant(width, (long.len() - short.len()) as u128);
    int::zero_extend(&int::add(b, &int::zero_extend(&count, width), &difference), width)
}
