//! Tables of constants, read at a secret index.

use super::{cost, index_bits, one_hot, reachable, read};
use crate::builder::Builder;
use crate::id::Bit;

/// Returns the low `width` bits of `table[index]` from a public table, or zeros if `index` is out
/// of range.
///
/// The low `l` bits of the index are decoded, which takes `2^l - l - 1` ANDs. Each row of `2^l`
/// entries then takes only XORs of the decoder's outputs, which are free. The rest of the index
/// selects a row. `l` is chosen so that the total is lowest. [`lookup_ands`](super::lookup_ands)
/// returns this total. It is an upper bound: where rows have equal or constant bits, the builder
/// removes gates.
///
/// For a table of `n` entries and an index of `k = ceil(log2 n)` bits, the depth is at most `k`.
/// The number of XORs is about `n * width / 2`. For a table with structure (such as an S-box), a
/// dedicated circuit may be much smaller.
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

/// XORs the decoder's outputs whose entries have a 1 at position `bit`.
fn sum(b: &mut Builder, hot: &[Bit], row: &[u128], bit: usize) -> Bit {
    let ones = hot.iter().zip(row).filter(|(_, entry)| bit < 128 && *entry >> bit & 1 == 1);
    ones.fold(Bit::FALSE, |sum, (&hot, _)| b.xor(sum, hot))
}
