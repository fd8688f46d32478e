//! Batcher's odd-even merge network, as pairs of places to compare (Knuth, TAOCP 3, section 5.3.4,
//! which has the form for lists of any two lengths).

use std::collections::HashMap;

/// Called with each pair of places `(i, j)` to compare; the smaller element goes to `i`.
pub(super) type Visit<'a> = dyn FnMut(usize, usize) + 'a;

/// Sorts `places` by sorting and then merging halves. Returns the places in ascending order of
/// their contents after sorting.
pub(super) fn sort(places: &[usize], visit: &mut Visit) -> Vec<usize> {
    if places.len() < 2 {
        return places.to_vec();
    }
    let (x, y) = places.split_at(places.len().div_ceil(2));
    let (x, y) = (sort(x, visit), sort(y, visit));
    merge(&x, &y, visit)
}

/// Merges the places `x` with the places `y`; the contents of each list must be in order. Returns
/// all places in ascending order of their contents after merging.
///
/// The elements at even places are merged, and separately the elements at odd places. Then every
/// element at an odd place is in order after at most one more comparison.
pub(super) fn merge(x: &[usize], y: &[usize], visit: &mut Visit) -> Vec<usize> {
    match (x, y) {
        ([], alone) | (alone, []) => return alone.to_vec(),
        (&[x], &[y]) => {
            visit(x, y);
            return vec![x, y];
        }
        _ => {}
    }
    let (even, odd) =
        (|list: &[usize]| every_other(list, 0), |list: &[usize]| every_other(list, 1));
    let mut low = merge(&even(x), &even(y), visit).into_iter();
    let mut high = merge(&odd(x), &odd(y), visit).into_iter();

    let mut merged: Vec<usize> = Vec::with_capacity(x.len() + y.len());
    merged.extend(low.next());
    loop {
        match (low.next(), high.next()) {
            (Some(i), Some(j)) => {
                visit(i, j);
                merged.extend([i, j]);
            }
            (None, None) => return merged,
            (alone, none) => merged.extend(alone.or(none)),
        }
    }
}

fn every_other(list: &[usize], first: usize) -> Vec<usize> {
    list.iter().skip(first).step_by(2).copied().collect()
}

/// Number of comparisons of [`super::sort`] for `n` elements: `(p² - p + 4) 2^(p-2) - 1` for
/// `n = 2^p`. For any `n` it equals the number of Knuth's merge exchange (Algorithm 5.2.2M). No
/// other way to halve the list takes fewer.
pub fn comparisons(n: u64) -> u64 {
    let mut merges = Merges::default();
    // The parts of a level have at most two sizes, which differ by one. The map counts the parts of
    // each size.
    let (mut level, mut total) = (HashMap::from([(n, 1u64)]), 0);
    while !level.is_empty() {
        let mut halves = HashMap::new();
        for (size, count) in level.into_iter().filter(|&(size, _)| size > 1) {
            total += count * merges.comparisons(size.div_ceil(2), size / 2);
            *halves.entry(size.div_ceil(2)).or_default() += count;
            *halves.entry(size / 2).or_default() += count;
        }
        level = halves;
    }
    total
}

/// Number of comparisons of [`super::merge`] for lists of `m` and `n` elements: `p 2^p + 1` for
/// `m = n = 2^p`.
pub fn merge_comparisons(m: u64, n: u64) -> u64 {
    Merges::default().comparisons(m, n)
}

/// Comparisons of merges, by the lengths of their lists. Each level has at most four pairs of
/// lengths.
#[derive(Default)]
struct Merges(HashMap<(u64, u64), u64>);

impl Merges {
    fn comparisons(&mut self, m: u64, n: u64) -> u64 {
        if m == 0 || n == 0 {
            return 0;
        }
        if m == 1 && n == 1 {
            return 1;
        }
        if let Some(&known) = self.0.get(&(m, n)) {
            return known;
        }
        let (even, odd) = ((m.div_ceil(2), n.div_ceil(2)), (m / 2, n / 2));
        let last = (odd.0 + odd.1).min(even.0 + even.1 - 1);
        let all = self.comparisons(even.0, even.1) + self.comparisons(odd.0, odd.1) + last;
        self.0.insert((m, n), all);
        all
    }
}

/// Number of layers of comparisons in [`super::sort`] of `n` elements: `p (p + 1) / 2` with
/// `p = ceil(log2 n)`, exact for `n = 2^p` and an upper bound for other `n`.
pub fn layers(n: u64) -> u32 {
    let levels = ceil_log2(n);
    levels * (levels + 1) / 2
}

/// Number of layers of comparisons in [`super::merge`] of lists of `m` and `n` elements:
/// `1 + ceil(log2 max(m, n))`, or 0 if a list is empty.
pub fn merge_layers(m: u64, n: u64) -> u32 {
    if m == 0 || n == 0 { 0 } else { 1 + ceil_log2(m.max(n)) }
}

fn ceil_log2(n: u64) -> u32 {
    n.max(1).next_power_of_two().ilog2()
}
