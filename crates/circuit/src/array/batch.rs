//! Batches of accesses whose indices are all available before the first access.
//!
//! [`access_in_turn`] makes the accesses one after the other, each over the whole array.
//! [`access_by_sorting`] sorts the accesses by index and time, and merges them with the array,
//! which is in the order of its indices already. It then copies each value over the reads that
//! follow it, and undoes merge and sort with the same exchanges, which takes no comparisons. The
//! sorting follows Zahur and Evans, "Circuit structures for improving efficiency of security and
//! privacy tools", S&P 2013; an [`Arrangement`] undoes the merge and the sort. This takes
//! `O((n + T) log T + T log² T)` exchanges for `T` accesses instead of `T n`. [`access`] takes the
//! method with fewer ANDs.
//!
//! With elements of 32 bits, and an index of `ceil(log2 n)` bits, sorting takes fewer ANDs from
//! this number of accesses on:
//!
//! | elements | reads | accesses that may read or write |
//! |---|---|---|
//! | 64 | 9 | 5 |
//! | 256 | 8 | 5 |
//! | 1,024 | 8 | 5 |
//! | 4,096 | 9 | 5 |
//!
//! 64 reads of 256 elements take 130,286 ANDs by sorting and 522,240 in turn; 64 accesses that may
//! read or write take 191,102 by sorting and 1,046,528 in turn. Reads that are made in turn have an
//! AND depth of `ceil(log2 n)` and are independent of each other. With sorting, every result
//! depends on all accesses.
//!
//! # Accesses that depend on each other
//!
//! An index that depends on the result of an earlier read cannot be in the same batch. For such
//! accesses there is only the linear scan of [`read`], [`write`](fn@super::write) and [`update`].
//! Oblivious RAM (for garbled circuits: Zahur and others, "Revisiting Square-Root ORAM", S&P 2016)
//! is cheaper. It keeps the array shuffled and *reveals* to both parties the place to which each
//! index was shuffled, so that one element is fetched instead of all. The wires of the fetch then
//! depend on a value opened during the run. Here the circuit is fixed, and agreed on by its hash,
//! before the run, and no wire is opened before the end. Oblivious RAM would need sessions that
//! open wires between cycles, and that use the opened values to choose the labels of the next
//! cycle.

use super::{in_range, in_range_ands, read_ands, update_ands, write_ands};
use super::{index_bits, one_width, reachable, read, update, write};
use crate::builder::Builder;
use crate::id::Bit;
use crate::sort::{Arrangement, Key, comparisons, merge_comparisons};
use crate::{int, prefix};

/// One access of a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// Whether the access is a write. The bit may be secret; a constant takes fewer ANDs.
    pub write: Bit,
    /// The index.
    pub index: Vec<Bit>,
    /// The value to write; unused by a read.
    pub value: Vec<Bit>,
}

impl Access {
    /// Creates a read of elements of `width` bits.
    pub fn read(index: &[Bit], width: usize) -> Access {
        Access { write: Bit::FALSE, index: index.to_vec(), value: vec![Bit::FALSE; width] }
    }

    /// Creates a write.
    pub fn write(index: &[Bit], value: &[Bit]) -> Access {
        Access { write: Bit::TRUE, index: index.to_vec(), value: value.to_vec() }
    }
}

/// The results of a batch of accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accessed {
    /// For each access, the element that it read or the value that it wrote; zeros if its index was
    /// out of range.
    pub seen: Vec<Vec<Bit>>,
    /// The array afterwards.
    pub array: Vec<Vec<Bit>>,
}

/// Makes `accesses` in order, with the method that takes fewer ANDs according to [`in_turn_ands`]
/// and [`by_sorting_ands`].
///
/// # Panics
/// If elements and values differ in width.
pub fn access(b: &mut Builder, array: &[Vec<Bit>], accesses: &[Access]) -> Accessed {
    let (n, width) = (array.len(), one_width(array));
    if by_sorting_ands(n, width, accesses) < in_turn_ands(n, width, accesses) {
        access_by_sorting(b, array, accesses)
    } else {
        access_in_turn(b, array, accesses)
    }
}

/// ANDs of [`access_in_turn`].
pub fn in_turn_ands(n: usize, width: usize, accesses: &[Access]) -> u64 {
    let one = |access: &Access| {
        let bits = access.index.len();
        let checked =
            bits > index_bits(reachable(n, bits)) || !reachable(n, bits).is_power_of_two();
        let masked = if checked && n > 0 { width as u64 } else { 0 };
        match access.write.as_constant() {
            Some(false) => read_ands(n, width, bits),
            Some(true) => write_ands(n, width, bits) + masked + in_range_ands(n, bits),
            None => update_ands(n, width, bits) + width as u64 + masked,
        }
    };
    accesses.iter().map(one).sum()
}

/// Makes `accesses` one after the other. A read takes the ANDs of [`read`]. A write takes the ANDs
/// of [`write`](fn@super::write). If its index may be out of range, it also takes the ANDs of
/// [`in_range`] and `w`, the width of an element. An access that may read or write takes the ANDs
/// of [`update`] plus `w`, or plus `2 w` if its index may be out of range.
///
/// # Panics
/// If elements and values differ in width.
pub fn access_in_turn(b: &mut Builder, array: &[Vec<Bit>], accesses: &[Access]) -> Accessed {
    check(array, accesses);
    let mut array = array.to_vec();
    let seen = accesses.iter().map(|Access { write: writes, index, value }| {
        let within = |b: &mut Builder, array: &[Vec<Bit>], value: &[Bit]| {
            let within = in_range(b, index, array.len());
            mask(b, within, value)
        };
        match writes.as_constant() {
            Some(false) => read(b, &array, index),
            Some(true) => {
                array = write(b, &array, index, value);
                within(b, &array, value)
            }
            None => {
                let mut seen = vec![Bit::FALSE; value.len()];
                array = update(b, &array, index, |b, old| {
                    seen = int::select(b, *writes, value, old);
                    seen.clone()
                });
                within(b, &array, &seen)
            }
        }
    });
    let seen = seen.collect();
    Accessed { seen, array }
}

/// An upper bound for the ANDs of [`access_by_sorting`]. The actual number is lower because
/// constants fold: the array's indices and the times of the accesses are constants.
pub fn by_sorting_ands(n: usize, width: usize, accesses: &[Access]) -> u64 {
    if n == 0 || accesses.is_empty() {
        return 0;
    }
    let plan = Plan::of(n, accesses);
    let (count, all) = (accesses.len() as u64, (n + accesses.len()) as u64);
    let (w, key) = (width as u64, (plan.time_bits + plan.index_bits) as u64);
    let exchange = 2 * key + 1 + 2 * w;
    // If no access writes, the values to write are constants, so they fold.
    let exchange_accesses = if plan.writes { exchange } else { 2 * plan.index_bits as u64 + w };
    let copies = if plan.writes { 3 * w + plan.time_bits as u64 - 1 } else { w };
    let checks: u64 = accesses.iter().map(|a| in_range_ands(n, a.index.len()) + 1 + w).sum();
    comparisons(count) * exchange_accesses
        + merge_comparisons(n as u64, count) * exchange
        + all * copies
        + checks
}

/// Makes `accesses` by sorting them into the array. At most [`by_sorting_ands`] ANDs; the AND depth
/// grows with `n + T`.
///
/// # Panics
/// If elements and values differ in width.
pub fn access_by_sorting(b: &mut Builder, array: &[Vec<Bit>], accesses: &[Access]) -> Accessed {
    let width = check(array, accesses);
    if array.is_empty() || accesses.is_empty() {
        let seen = accesses.iter().map(|_| vec![Bit::FALSE; width]).collect();
        return Accessed { seen, array: array.to_vec() };
    }
    let n = array.len();
    let plan = Plan::of(n, accesses);
    let key = Key::unsigned(plan.time_bits + plan.index_bits);
    let before = |b: &mut Builder, x: &[Bit], y: &[Bit]| key.before(b, x, y);

    // Time 0 belongs to the array, which writes its elements before all accesses.
    let elements: Vec<Vec<Bit>> = array
        .iter()
        .enumerate()
        .map(|(i, x)| plan.entry(0, &int::constant(plan.index_bits, i as u128), Bit::TRUE, x))
        .collect();
    let within: Vec<Bit> = accesses.iter().map(|access| in_range(b, &access.index, n)).collect();
    let mut entries = Vec::with_capacity(accesses.len());
    for (i, (access, &within)) in accesses.iter().zip(&within).enumerate() {
        let writes = b.and(access.write, within);
        let time = if plan.writes { i + 1 } else { 1 };
        // An access whose index is out of range reads some element, which is masked below. So the
        // high bits of its index can be dropped.
        let index = int::zero_extend(&access.index, plan.index_bits);
        entries.push(plan.entry(time, &index, writes, &access.value));
    }
    let (sort, entries) = Arrangement::sort_by(b, &entries, before);
    let (merge, all) = Arrangement::merge_by(b, &elements, &entries, before);

    let seen = plan.copy(b, &all);
    let restored = merge.undo(b, &seen);
    let (elements, seen) = restored.split_at(n);
    let seen = sort.undo(b, seen);
    let seen = seen.iter().zip(&within).map(|(x, &within)| mask(b, within, x)).collect();
    Accessed { seen, array: if plan.writes { elements.to_vec() } else { array.to_vec() } }
}

/// The layout of entries in the sorted list: time, index, write flag, value.
struct Plan {
    /// Whether any access may write. If none may write, the order of the accesses does not matter,
    /// and all have time 1.
    writes: bool,
    time_bits: usize,
    index_bits: usize,
}

impl Plan {
    fn of(n: usize, accesses: &[Access]) -> Plan {
        let writes = accesses.iter().any(|access| access.write != Bit::FALSE);
        let times = if writes { accesses.len() + 1 } else { 2 };
        Plan { writes, time_bits: index_bits(times), index_bits: index_bits(n) }
    }

    fn entry(&self, time: usize, index: &[Bit], writes: Bit, value: &[Bit]) -> Vec<Bit> {
        [&int::constant(self.time_bits, time as u128), index, &[writes], value].concat()
    }

    /// Returns one value per sorted entry. For an access, it is the last value written up to this
    /// entry. For an element of the array, it is the element's value after all accesses.
    fn copy(&self, b: &mut Builder, all: &[Vec<Bit>]) -> Vec<Vec<Bit>> {
        let key_bits = self.time_bits + self.index_bits;
        let mut marks: Vec<Bit> = all.iter().map(|entry| entry[key_bits]).collect();
        // The first entry is element 0 of the array.
        marks[0] = Bit::TRUE;
        let values: Vec<Vec<Bit>> = all.iter().map(|x| x[key_bits + 1..].to_vec()).collect();
        let mut seen = prefix::copy_last(b, &marks, &values);
        if !self.writes {
            return seen;
        }
        let is_element: Vec<Bit> =
            all.iter().map(|entry| int::is_zero(b, &entry[..self.time_bits])).collect();
        // This goes through the list backwards. Each element of the array takes the last value
        // before the next element.
        let mut last = Vec::new();
        for i in (0..all.len()).rev() {
            let ends = is_element.get(i + 1).copied().unwrap_or(Bit::TRUE);
            last = int::select(b, ends, &seen[i], &last);
            seen[i] = int::select(b, is_element[i], &last, &seen[i]);
        }
        seen
    }
}

fn mask(b: &mut Builder, condition: Bit, x: &[Bit]) -> Vec<Bit> {
    x.iter().map(|&bit| b.and(condition, bit)).collect()
}

/// Returns the common width of elements and values.
fn check(array: &[Vec<Bit>], accesses: &[Access]) -> usize {
    let values = accesses.iter().map(|access| access.value.clone());
    one_width(&array.iter().cloned().chain(values).collect::<Vec<_>>())
}
