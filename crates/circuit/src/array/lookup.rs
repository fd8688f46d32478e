//! A table of constants, read at a secret index.

use super::{cost, index_bits, one_hot, reachable, read};
use crate::builder::Builder;
use crate::id::Bit;

/// The low `width` bits of `table[index]`, of a public table; zeros if that is out of range.
///
/// The low bits of the index, `l` of them, are decoded, which takes `2^l - l - 1` ANDs; then every
/// row of `2^l` entries is a sum of the decoder's outputs, for free, and the rest of the index
/// reads the row. `l` is the one for which the whole is cheapest:
/// [`lookup_ands`](super::lookup_ands), or fewer where rows fold. Depth at most `k`, with
/// `k = ceil(log2 n)` and an index of `k` bits.
///
/// The number of XORs is about `n w / 2`. A table with structure (an S-box) may have a much
/// smaller circuit of its own.
pub fn lookup(b: &mut Builder, table: &[u128], width: usize, index: &[Bit]) -> Vec<Bit> {
    let table = &table[..reachable(table.len(), index.len())];
    let (decoded, _) = cost::lookup_split(table.len(), width, index.len());
    let (low, high) = index.split_at(decoded.min(index_bits(table.len())));
    let hot = one_hot(b, low, 1 << low.len());
    let rows: Vec<Vec<Bit>> = table
        .chunks(1 << low.len())
        .map(|row| (0..width).map(|bit| sum(b, &hot, row, bit)).collect())
        .collect();
    let entry = read(b, &rows, high);
    if rows.is_empty() { vec![Bit::FALSE; width] } else { entry }
}

/// The sum of the decoder's outputs at which the entry has a 1 in place `bit`.
fn sum(b: &mut Builder, hot: &[Bit], row: &[u128], bit: usize) -> Bit {
    let ones = hot.iter().zip(row).filter(|(_, entry)| bit < 128 && *entry >> bit & 1 == 1);
    ones.fold(Bit::FALSE, |sum, (&hot, _)| b.xor(sum, hot))
}
