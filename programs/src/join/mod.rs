//! An aggregate over the join of two tables: how many keys the tables share, and the sum of the
//! values in the rows that have these keys. Nothing else is revealed.
//!
//! The garbler has `N` rows, the evaluator `M`; a row is a key and a value, of 32 bits each. The
//! outputs are those of the query
//!
//! ```sql
//! SELECT COUNT(*), SUM(a.value + b.value) FROM a JOIN b ON a.key = b.key
//! ```
//!
//! A party that has only keys, or does not want its values to be added, gives zeros as values; the
//! sum is then over the other party's values.
//!
//! **Inputs.** The keys of a party are distinct and in ascending order: each party sorts its own
//! rows. A table with fewer rows is filled with keys that the other party does not have. The
//! command refuses a party's own keys that are repeated or not in order. The circuit does not check
//! them: if a caller of the library or the peer passes such keys, the outputs are wrong, but are
//! still all that is revealed: pairs are missed, or rows of one party count as a pair.
//!
//! **The circuit** is structured. As in [`psi`](crate::psi), it merges the sorted tables by
//! Batcher's odd-even merge, so that equal keys become neighbours. Each level of the merge is a few
//! maps of one function, which puts two rows in order (`merge`, `scattered`). Then a map compares
//! the keys of neighbours, another keeps the values of rows that have an equal neighbour, and a
//! tree of maps adds them. All maps read regular slices, so that the text is small.

mod merge;
mod scattered;

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::builder::{Arg, Array};
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Party, Wire, int};
use scattered::{Elements, bits, map};

/// `join`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "join",
    params: "NxM",
    default: "16x16",
    summary: "count of the keys that two tables of N and M rows share, and sum of their values",
    ports: "garbler a_keys:32*N, a_values:32*N; evaluator b_keys:32*M, b_values:32*M; \
            keys of a party distinct and in ascending order; \
            output matches, as wide as the smaller of N and M in binary; output sum:64",
    types: &[
        PortType::ascending("a_keys", Width::Bits(32)),
        PortType::list("a_values", Element::Unsigned, Width::Bits(32)),
        PortType::ascending("b_keys", Width::Bits(32)),
        PortType::list("b_values", Element::Unsigned, Width::Bits(32)),
    ],
    make: Make::Structured(|params: Params| {
        let (n, m) = params.two(["N", "M"], 'x')?;
        circuit(n, m)
    }),
};

/// Maximum number of rows of a party: the rows of all levels must fit in the wires of a body.
pub const MAX_ROWS: u32 = 1 << 18;

/// Bits of a key, and of a value.
const WORD: usize = 32;
/// Bits of a row: the key, then the value.
const ROW: usize = 2 * WORD;

/// Garbler's `a_keys` and `a_values` (`n` of 32 bits each), evaluator's `b_keys` and `b_values`
/// (`m`); outputs `matches`, the number of keys in both tables, as wide as the smaller of `n` and
/// `m` in binary, and `sum` (64 bits), the sum of the values of both parties in rows with these
/// keys.
///
/// It takes `96 c + 97 (n + m)` ANDs or a little less, with the `c` comparisons of
/// [`merge_comparisons`](halfgate_circuit::sort::merge_comparisons): 31 ANDs for each pair of
/// neighbours, 32 to keep or drop a value, 33 to add it, 1 to count. They are 9,269 for `16x16` and
/// 85,009,410 for `50000x50000`.
///
/// # Errors
/// If `n` or `m` is 0 or above [`MAX_ROWS`], or if the gates cannot be stored.
pub fn circuit(n: u32, m: u32) -> Result<StructuredCircuit, MakeError> {
    check("N", n.into(), 1..=MAX_ROWS.into())?;
    check("M", m.into(), 1..=MAX_ROWS.into())?;
    let mut b = Builder::new();
    let mut table = |party, keys: &str, values: &str, len| {
        let keys = b.input_array(keys, party, WORD as u32, len);
        (keys, b.input_array(values, party, WORD as u32, len), len)
    };
    let first = table(Party::Garbler, "a_keys", "a_values", n);
    let second = table(Party::Evaluator, "b_keys", "b_values", m);
    let mut rows = rows(&mut b, first);
    rows.extend(self::rows(&mut b, second));

    let sorted = merged(&mut b, rows, n, m);
    let equal = equal_to_next(&mut b, &sorted);
    let values = values_of_matches(&mut b, &sorted, &equal);
    let sum = total(&mut b, WORD, values);
    let matches = count(&mut b, equal);
    let width = (u32::BITS - n.min(m).leading_zeros()) as usize;
    b.output("matches", &int::zero_extend(&matches, width));
    b.output("sum", &int::zero_extend(&sum, 64));
    Ok(b.finish_structured()?)
}

/// Puts keys and values next to each other, which takes no gates. Returns each row's first wire.
fn rows(b: &mut Builder, (keys, values, len): (Array, Array, u32)) -> Vec<u32> {
    let arguments = [Arg::Array(keys), Arg::Array(values)];
    let rows = b.map("row", len.into(), &arguments, |_, row| row.concat());
    let first = rows.element(0)[0].wire().map_or(0, Wire::number);
    (0..len).map(|row| first + row * ROW as u32).collect()
}

/// Merges the first `n` rows with the other `m`, by their keys.
fn merged(b: &mut Builder, mut rows: Vec<u32>, n: u32, m: u32) -> Vec<u32> {
    let network = merge::network(n, m);
    for level in network.levels {
        let lists: Vec<usize> = level.iter().map(Vec::len).collect();
        let of = |place: fn(&(u32, u32)) -> u32| -> Vec<u32> {
            level.iter().flatten().map(|pair| rows[place(pair) as usize]).collect()
        };
        let [lower, upper] = [of(|pair| pair.0), of(|pair| pair.1)];
        let arguments = [row(&lower), row(&upper)];
        let driven = map(b, "in order", &lists, &arguments, |b, rows| {
            let swap = int::lt_unsigned(b, &rows[1][..WORD], &rows[0][..WORD]);
            let (lower, upper) = int::swap_if(b, swap, &rows[0], &rows[1]);
            [lower, upper].concat()
        });
        for (&(lower, upper), first) in level.iter().flatten().zip(driven) {
            rows[lower as usize] = first;
            rows[upper as usize] = first + ROW as u32;
        }
    }
    network.order.iter().map(|&place| rows[place as usize]).collect()
}

fn row(first: &[u32]) -> Elements<'_> {
    Elements { width: ROW, first }
}

/// For each row but the last, the wire of a bit that tells whether the next row has the same key.
fn equal_to_next(b: &mut Builder, rows: &[u32]) -> Vec<u32> {
    let keys = |first| Elements { width: WORD, first };
    let arguments = [keys(&rows[..rows.len() - 1]), keys(&rows[1..])];
    map(b, "same key", &[rows.len() - 1], &arguments, |b, keys| {
        vec![int::eq(b, &keys[0], &keys[1])]
    })
}

/// For each row, its value if a neighbour has the same key, else 0. At most one neighbour has.
fn values_of_matches(b: &mut Builder, rows: &[u32], equal: &[u32]) -> Vec<u32> {
    let values: Vec<u32> = rows.iter().map(|first| first + WORD as u32).collect();
    let (last, bit) = (rows.len() - 1, |first| Elements { width: 1, first });
    let value = |first| Elements { width: WORD, first };
    // The first and the last row have one neighbour.
    let (ends, of_ends) = ([equal[0], equal[last - 1]], [values[0], values[last]]);
    let arguments = [bit(&ends), value(&of_ends)];
    let mut kept = map(b, "value at the end", &[2], &arguments, |b, row| {
        int::and(b, &[row[0][0]; WORD], &row[1])
    });
    if last > 1 {
        let arguments = [bit(&equal[..last - 1]), bit(&equal[1..]), value(&values[1..last])];
        kept.extend(map(b, "value", &[last - 1], &arguments, |b, row| {
            let matches = b.xor(row[0][0], row[1][0]);
            int::and(b, &[matches; WORD], &row[2])
        }));
    }
    kept
}

/// Bits that are counted in one lane. It is below a power of two, so that no carry is wasted.
const COUNTED: usize = 127;

/// The number of ones.
fn count(b: &mut Builder, mut ones: Vec<u32>) -> Vec<Bit> {
    ones.sort_unstable();
    let ones: Vec<Bit> = ones.iter().flat_map(|&wire| bits(wire, 1)).collect();
    let (full, rest) = ones.split_at(ones.len() / COUNTED * COUNTED);
    let rest = int::popcount(b, rest);
    if full.is_empty() {
        return rest;
    }
    let lanes = (full.len() / COUNTED) as u64;
    let counts = b.map("count", lanes, &[Arg::Sliced(full)], |b, ones| int::popcount(b, &ones[0]));
    let first = counts.element(0)[0].wire().map_or(0, Wire::number);
    let counts_at = (0..counts.len()).map(|lane| first + (lane * counts.width()) as u32);
    let full = total(b, counts.width(), counts_at.collect());
    int::add_carry(b, &full, &rest)
}

/// The sum of numbers of `width` bits, by a tree of maps.
fn total(b: &mut Builder, mut width: usize, mut numbers: Vec<u32>) -> Vec<Bit> {
    // Neighbours in memory are added, so that each level is one map if the numbers are an array.
    numbers.sort_unstable();
    let mut left = Vec::new();
    while numbers.len() > 1 {
        if numbers.len() % 2 == 1 {
            left.extend(numbers.pop().map(|first| bits(first, width).collect::<Vec<Bit>>()));
        }
        let every_other =
            |from: usize| -> Vec<u32> { numbers.iter().skip(from).step_by(2).copied().collect() };
        let [even, odd] = [every_other(0), every_other(1)];
        let arguments = [Elements { width, first: &even }, Elements { width, first: &odd }];
        numbers = map(b, "add", &[even.len()], &arguments, |b, pair| {
            int::add_carry(b, &pair[0], &pair[1])
        });
        width += 1;
    }
    let first = bits(numbers[0], width).collect();
    left.into_iter().rev().fold(first, |sum: Vec<Bit>, number| int::add_carry(b, &sum, &number))
}

/// The same function in plain Rust: tables as keys and values.
pub fn plain(a: &[(u32, u32)], b: &[(u32, u32)]) -> (u64, u64) {
    let values: std::collections::HashMap<u32, u32> = b.iter().copied().collect();
    let of_pair =
        |&(key, value): &(u32, u32)| Some((u64::from(value), u64::from(*values.get(&key)?)));
    let pairs: Vec<(u64, u64)> = a.iter().filter_map(of_pair).collect();
    (pairs.len() as u64, pairs.iter().map(|(a, b)| a + b).sum())
}
