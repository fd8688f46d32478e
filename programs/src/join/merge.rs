//! Batcher's odd-even merge of two sorted lists, level by level (Knuth, TAOCP 3, section 5.3.4).
//!
//! A list of places is merged by merging its elements at even and at odd indices, and comparing
//! each odd element with the even element after it. On the level with `c` classes, class `r` merges
//! the elements `r`, `r + c`, `r + 2c`, … of both lists: all classes at once, and of each class all
//! comparisons at once. The comparisons are those of [`halfgate_circuit::sort::merge`].

/// The comparisons of one level: for each class, pairs of places to compare, in order. The smaller
/// element goes to the first place of a pair.
pub(super) type Level = Vec<Vec<(u32, u32)>>;

/// The network for the places `0..n` of one list and `n..n + m` of the other.
pub(super) struct Network {
    /// The levels, in the order in which they run. None is empty.
    pub levels: Vec<Level>,
    /// The places in ascending order of their contents after merging.
    pub order: Vec<u32>,
}

/// Returns the network for lists of `n` and `m` elements.
pub(super) fn network(n: u32, m: u32) -> Network {
    let mut classes = n.max(m).max(1).next_power_of_two();
    let one = |r: u32| {
        let (x, y) = ((r < n).then_some(r), (r < m).then_some(n + r));
        x.into_iter().chain(y).collect::<Vec<u32>>()
    };
    let mut lists: Vec<Vec<u32>> = (0..classes).map(one).collect();
    let pairs = lists.iter().filter(|list| list.len() == 2).map(|list| vec![(list[0], list[1])]);
    let mut levels = vec![pairs.collect::<Level>()];
    while classes > 1 {
        classes /= 2;
        let odd = lists.split_off(classes as usize);
        let mut level = Level::new();
        let merge = |(r, (even, odd)): (u32, (Vec<u32>, Vec<u32>))| {
            // One of the lists has no element in this class, so the class is in order already.
            if r >= n.min(m) {
                return interleave(&even, &odd);
            }
            level.push(even[1..].iter().copied().zip(odd.iter().copied()).collect());
            [&even[..1], &interleave(&even[1..], &odd)].concat()
        };
        lists = (0..).zip(lists.into_iter().zip(odd)).map(merge).collect();
        levels.push(level);
    }
    levels.retain(|level| level.iter().any(|pairs| !pairs.is_empty()));
    Network { levels, order: lists.swap_remove(0) }
}

/// `x[0], y[0], x[1], y[1], …`, and what is left of the longer list.
fn interleave(x: &[u32], y: &[u32]) -> Vec<u32> {
    let (x_then_y, both) = (x.iter().zip(y), x.len().min(y.len()));
    let mut merged: Vec<u32> = x_then_y.flat_map(|(&x, &y)| [x, y]).collect();
    merged.extend(&x[both..]);
    merged.extend(&y[both..]);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::sort::merge_comparisons;

    fn run(network: &Network, mut contents: Vec<u32>) -> Vec<u32> {
        for &(i, j) in network.levels.iter().flatten().flatten() {
            let (i, j) = (i as usize, j as usize);
            (contents[i], contents[j]) =
                (contents[i].min(contents[j]), contents[i].max(contents[j]));
        }
        network.order.iter().map(|&place| contents[place as usize]).collect()
    }

    /// A network that merges all lists of zeros and ones merges all lists.
    #[test]
    fn merges_with_as_few_comparisons_as_known() {
        for (n, m) in (1..20).flat_map(|n| (1..20).map(move |m| (n, m))).chain([(3, 50), (60, 7)]) {
            let network = network(n, m);
            let comparisons: usize = network.levels.iter().flatten().map(Vec::len).sum();
            assert_eq!(comparisons as u64, merge_comparisons(n.into(), m.into()), "{n} {m}");
            for (zeros, others) in (0..=n).flat_map(|i| (0..=m).map(move |j| (i, j))) {
                let sorted = |zeros, len| (0..len).map(move |i| u32::from(i >= zeros));
                let contents = sorted(zeros, n).chain(sorted(others, m)).collect();
                assert!(run(&network, contents).is_sorted(), "{n} {m}: {zeros} {others}");
            }
        }
    }

    #[test]
    fn pairs_of_a_level_are_disjoint() {
        for level in network(37, 52).levels {
            let places: Vec<u32> = level.iter().flatten().flat_map(|&(i, j)| [i, j]).collect();
            let distinct: std::collections::BTreeSet<_> = places.iter().collect();
            assert_eq!(distinct.len(), places.len());
        }
    }
}
