//! Carry-save sums of many values: column by column, like the partial products of a multiplier.

use super::full_adder::full_adder;
use crate::builder::Builder;
use crate::id::Bit;
use std::collections::VecDeque;

/// The sum of `values` modulo `2^width`; values may differ in width. For `k` values of `width`
/// bits, column `j` holds `c_j` bits, with `c_0 = k` and `c_(j+1) = k + floor(c_j / 2)`. Column `j`
/// takes `floor(c_j / 2)` ANDs; the last column takes none. The total is `(k - 1)(width - 1)` or a
/// little less. For values of `n` bits and a `width` that holds any sum, it is below `k n`.
pub fn sum(b: &mut Builder, values: &[&[Bit]], width: usize) -> Vec<Bit> {
    let column = |j: usize| values.iter().filter_map(move |value| value.get(j).copied());
    sum_columns(b, (0..width).map(|j| column(j).collect()).collect())
}

/// The sum of the bits of `columns[j]` times `2^j`, modulo 2 to the power of the number of columns.
/// A column of `c` bits, including carries from the previous one, takes `floor(c / 2)` ANDs; the
/// last column takes none.
pub fn sum_columns(b: &mut Builder, columns: Vec<VecDeque<Bit>>) -> Vec<Bit> {
    let count = columns.len();
    let mut carries: VecDeque<Bit> = VecDeque::new();
    let mut sum = Vec::with_capacity(count);
    for (j, mut column) in columns.into_iter().enumerate() {
        column.append(&mut carries);
        if j + 1 == count {
            sum.push(column.iter().fold(Bit::FALSE, |sum, &bit| b.xor(sum, bit)));
            break;
        }
        // Adding the oldest first keeps the tree flat.
        while column.len() > 1 {
            let mut oldest = || column.pop_front().unwrap_or(Bit::FALSE);
            let (bit, carry) = full_adder(b, oldest(), oldest(), oldest());
            column.push_back(bit);
            carries.push_back(carry);
        }
        sum.push(column.pop_front().unwrap_or(Bit::FALSE));
    }
    sum
}
