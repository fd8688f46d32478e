//! Tests every permutation of up to six elements, and random ones of up to 70.

use super::*;
use crate::bits::Bits;
use crate::lanes::{Lanes, random_sets};
use crate::stats::Stats;

/// A network of `n` elements of `width` bits; its values are one control bit each, then the
/// elements.
fn lanes(n: usize, width: usize) -> Lanes {
    Lanes::new(&[vec![1; switches(n)], vec![width; n]].concat(), |b, x| {
        let (controls, items) = x.split_at(switches(n));
        permute(b, items, &controls.concat())
    })
}

fn values(controls: &Bits) -> Vec<u128> {
    (0..controls.len()).map(|i| u128::from(controls.get(i))).collect()
}

/// Returns a random order of `0 .. n`.
fn random_order(seed: u64, n: usize) -> Vec<usize> {
    let keys = random_sets(seed, &vec![64; n], 1).remove(0);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| keys[i]);
    order
}

fn all_orders(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![vec![]] };
    let insert = |order: Vec<usize>| {
        (0..n).map(move |place| [&order[..place], &[last], &order[place..]].concat())
    };
    all_orders(last).into_iter().flat_map(insert).collect()
}

/// Tests the network with each of these orders.
fn check(network: &Lanes, orders: &[Vec<usize>]) {
    let set = |order: &Vec<usize>| {
        let controls = waksman_controls(order).unwrap();
        values(&controls).into_iter().chain(0..order.len() as u128).collect()
    };
    let sets: Vec<Vec<u128>> = orders.iter().map(set).collect();
    for (order, found) in orders.iter().zip(network.run(&sets)) {
        assert_eq!(found, order.iter().map(|&i| i as u128).collect::<Vec<_>>());
    }
}

#[test]
fn every_permutation() {
    for n in 0..=6 {
        check(&lanes(n, 3), &all_orders(n));
    }
}

#[test]
fn permutations_of_any_size() {
    for n in (0..=20).chain([31, 32, 33, 63, 64, 65, 70]) {
        let lanes = lanes(n, 7);
        assert_eq!(lanes.ands(), 7 * switches(n) as u64);
        if n >= 2 {
            let depth = 2 * n.next_power_of_two().ilog2() - 1;
            assert_eq!(Stats::of(&lanes.circuit).and_depth, depth, "{n} elements");
        }
        let orders: Vec<Vec<usize>> = (0..20).map(|seed| random_order(seed, n)).collect();
        check(&lanes, &orders);
    }
}

#[test]
fn numbers_of_switches() {
    assert_eq!((0..9).map(switches).collect::<Vec<_>>(), [0, 0, 1, 3, 5, 8, 11, 14, 17]);
    for p in 0..20usize {
        assert_eq!(switches(1 << p), (p << p) + 1 - (1 << p));
    }
}

#[test]
fn two_permutations() {
    let n = 11;
    let (p, q) = (random_order(1, n), random_order(2, n));
    let lanes = Lanes::new(&[vec![1; 2 * switches(n)], vec![4; n]].concat(), |b, x| {
        let (controls, items) = x.split_at(2 * switches(n));
        let controls = controls.concat();
        let (first, second) = controls.split_at(switches(n));
        shuffle(b, items, first, second)
    });
    let (first, second) = (waksman_controls(&p).unwrap(), waksman_controls(&q).unwrap());
    let set = [values(&first), values(&second), (0..n as u128).collect()].concat();
    let expected: Vec<u128> = q.iter().map(|&i| p[i] as u128).collect();
    assert_eq!(lanes.run(&[set]), [expected]);
}

#[test]
fn lists_that_are_no_permutation() {
    for list in [&[1][..], &[0, 0], &[2, 1, 2], &[0, 1, 3], &[usize::MAX, 0]] {
        let n = list.len();
        assert_eq!(waksman_controls(list), Err(PermutationError::NotAPermutation { n }));
    }
}
