//! Compares sorting with Rust's, for all sizes up to 20 and some larger, and tests the numbers of
//! comparisons.

use super::*;
use crate::lanes::{Lanes, check_list, random_sets};

const SIZES: [usize; 8] = [0, 1, 2, 3, 24, 33, 50, 64];

fn sizes() -> impl Iterator<Item = usize> {
    (0..=20).chain(SIZES)
}

fn sorted(list: &[u128], f: impl Fn(&mut Vec<u128>)) -> Vec<u128> {
    let mut list = list.to_vec();
    f(&mut list);
    list
}

#[test]
fn any_number_of_elements() {
    for n in sizes() {
        let lanes = check_list(
            (n, 5),
            |b, x| sort(b, x, Key::unsigned(5)),
            |x| sorted(x, |x| x.sort_unstable()),
        );
        assert_eq!(lanes.ands(), comparisons(n as u64) * 10);
    }
}

#[test]
fn every_list_of_bits() {
    // A network that sorts every list of zeros and ones sorts every list (Knuth's 0-1 principle).
    for n in 1..=12 {
        let lanes = Lanes::new(&vec![1; n], |b, x| sort(b, x, Key::unsigned(1)));
        let list = |bits: u128| (0..n).map(|i| bits >> i & 1).collect::<Vec<u128>>();
        let sets: Vec<Vec<u128>> = (0..1 << n).map(list).collect();
        for (set, found) in sets.iter().zip(lanes.run(&sets)) {
            assert_eq!(found, sorted(set, |x| x.sort_unstable()));
        }
    }
}

#[test]
fn keys_with_payload() {
    let signed = |x: &u128| (x & 7) as i32 - if x & 4 == 4 { 8 } else { 0 };
    for n in sizes() {
        let by_low = |b: &mut Builder, x: &[Vec<Bit>]| sort_stable(b, x, Key::unsigned(3));
        check_list((n, 8), by_low, |x| sorted(x, |x| x.sort_by_key(|x| x & 7)));
        let descending = Key::unsigned(3).descending();
        check_list(
            (n, 8),
            |b, x| sort_stable(b, x, descending),
            |x| sorted(x, |x| x.sort_by_key(|x| std::cmp::Reverse(x & 7))),
        );
        check_list(
            (n, 8),
            |b, x| sort_stable(b, x, Key::signed(3)),
            |x| sorted(x, |x| x.sort_by_key(signed)),
        );
        check_list(
            (n, 8),
            |b, x| sort_stable(b, x, Key::signed(3).descending()),
            |x| sorted(x, |x| x.sort_by_key(|x| std::cmp::Reverse(signed(x)))),
        );
        check_list((n, 8), |b, x| sort_stable(b, x, Key::signed(0)), <[u128]>::to_vec);
        // Without the place, payloads stay with their keys, in any order.
        let lanes = check_list(
            (n, 8),
            |b, x| {
                let sorted = sort(b, x, Key::unsigned(3));
                sort(b, &sorted, Key::unsigned(8))
            },
            |x| sorted(x, |x| x.sort_unstable()),
        );
        assert_eq!(lanes.ands(), comparisons(n as u64) * (3 + 8 + 16));
    }
}

#[test]
fn merges() {
    for m in 0..12 {
        for n in (0..12).chain([20, 31]) {
            let key = Key::unsigned(4);
            // The halves are sorted first, in the clear.
            let lanes = Lanes::new(&vec![4; m + n], |b, x| merge(b, &x[..m], &x[m..], key));
            let mut sets = random_sets((m * 100 + n) as u64, &vec![4; m + n], 64);
            for set in &mut sets {
                set[..m].sort_unstable();
                set[m..].sort_unstable();
            }
            for (set, found) in sets.iter().zip(lanes.run(&sets)) {
                assert_eq!(found, sorted(set, |x| x.sort_unstable()), "{m} and {n}");
            }
            assert_eq!(lanes.ands(), merge_comparisons(m as u64, n as u64) * 8);
        }
    }
}

#[test]
fn arrangements() {
    for n in sizes() {
        let widths = [vec![6; n], vec![3; n]].concat();
        let lanes = Lanes::new(&widths, |b, x| {
            let (keys, others) = x.split_at(n);
            let (arrangement, sorted) = Arrangement::sort_by(b, keys, int::lt_unsigned);
            assert_eq!((arrangement.len(), arrangement.is_empty()), (n, n == 0));
            let moved = arrangement.apply(b, others);
            let restored = arrangement.undo(b, &sorted);
            [sorted, moved, restored].concat()
        });
        assert_eq!(lanes.ands(), comparisons(n as u64) * (6 + 6 + 3 + 6));
        let sets = random_sets(7, &widths, 64);
        for (set, found) in sets.iter().zip(lanes.run(&sets)) {
            let (keys, others) = set.split_at(n);
            let pairs = |keys: &[u128], others: &[u128]| {
                let pair = |(&key, &other)| (key, other);
                let mut pairs: Vec<_> = keys.iter().zip(others).map(pair).collect();
                pairs.sort_unstable();
                pairs
            };
            assert!(found[..n].is_sorted());
            assert_eq!(pairs(&found[..n], &found[n..2 * n]), pairs(keys, others));
            assert_eq!(&found[2 * n..], keys);
        }
    }
    let merged = Lanes::new(&[4; 5], |b, x| {
        let (arrangement, merged) = Arrangement::merge_by(b, &x[..2], &x[2..], int::lt_unsigned);
        [arrangement.undo(b, &merged), arrangement.apply(b, x)].concat()
    });
    assert_eq!(merged.run(&[vec![2, 9, 1, 5, 15]]), [[2, 9, 1, 5, 15, 1, 2, 5, 9, 15]]);
}

#[test]
fn numbers_of_comparisons() {
    assert_eq!((0..9).map(comparisons).collect::<Vec<_>>(), [0, 0, 1, 3, 5, 9, 12, 16, 19]);
    for p in 2..30u64 {
        assert_eq!(comparisons(1 << p), (p * p - p + 4) * (1 << (p - 2)) - 1);
        assert_eq!(merge_comparisons(1 << p, 1 << p), p * (1 << p) + 1);
    }
}
