//! Counting bits.

use super::full_adder::full_adder;
use crate::builder::Builder;
use crate::id::Bit;
use std::collections::VecDeque;

/// The number of ones in `x`, in just enough bits to hold `n`. It takes `n - h` ANDs, where `h` is
/// the number of ones in the binary form of `n`. This is the least possible (Boyar and Peralta,
/// "Tight bounds for the multiplicative complexity of symmetric functions").
pub fn popcount(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    // Adds the bits of weight 1, three at a time, into one bit of the result, then their carries of
    // weight 2, and so on. Adding the oldest first keeps the tree flat.
    let mut column: VecDeque<Bit> = x.iter().copied().collect();
    let mut count = Vec::new();
    while !column.is_empty() {
        let mut carries = VecDeque::with_capacity(column.len() / 2);
        while column.len() > 1 {
            let mut oldest = || column.pop_front().unwrap_or(Bit::FALSE);
            let (sum, carry) = full_adder(b, oldest(), oldest(), oldest());
            column.push_back(sum);
            carries.push_back(carry);
        }
        count.extend(column.pop_front());
        column = carries;
    }
    count
}
