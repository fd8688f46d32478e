//! Compares string functions with plain ones, on letters that are often equal.

use super::*;
use crate::lanes::{Lanes, random_sets};

/// Tests a function of two strings of `w`-bit characters.
fn check(
    (n, m, w): (usize, usize, usize),
    build: impl FnOnce(&mut Builder, &[Vec<Bit>], &[Vec<Bit>]) -> Vec<Vec<Bit>>,
    expected: impl Fn(&[u128], &[u128]) -> Vec<u128>,
) -> u64 {
    let widths = vec![w; n + m];
    let lanes = Lanes::new(&widths, |b, x| build(b, &x[..n], &x[n..]));
    let sets = random_sets((n * 100 + m) as u64, &widths, 64);
    for (set, found) in sets.iter().zip(lanes.run(&sets)) {
        assert_eq!(found, expected(&set[..n], &set[n..]), "{n} and {m}: {set:?}");
    }
    lanes.ands()
}

fn bits(hits: &[bool]) -> u128 {
    hits.iter().enumerate().map(|(i, &hit)| u128::from(hit) << i).sum()
}

#[test]
fn patterns() {
    for n in 0..9 {
        for m in 0..5 {
            for w in [1, 2] {
                let plain = |text: &[u128], pattern: &[u128]| match m {
                    0 => vec![bits(&vec![true; n + 1])],
                    _ => {
                        vec![bits(&text.windows(m).map(|here| here == pattern).collect::<Vec<_>>())]
                    }
                };
                let ands = check((n, m, w), |b, x, y| vec![occurrences(b, x, y)], plain);
                let places = (n + 1).saturating_sub(m);
                assert_eq!(ands, (places * (m * w).saturating_sub(1)) as u64);
            }
            // The top bit of each character of the pattern marks a wildcard.
            let ands = check(
                (n, m, 3),
                |b, x, y| {
                    let wildcards: Vec<Bit> = y.iter().map(|y| y[2]).collect();
                    let low =
                        |x: &[Vec<Bit>]| x.iter().map(|x| x[..2].to_vec()).collect::<Vec<_>>();
                    vec![occurrences_with_wildcards(b, &low(x), &low(y), &wildcards)]
                },
                |text, pattern| {
                    let equal = |(x, y): (&u128, &u128)| y & 4 == 4 || x & 3 == y & 3;
                    let here = |i: usize| text[i..i + m].iter().zip(pattern).all(equal);
                    let places = 0..(n + 1).saturating_sub(m);
                    vec![bits(&places.map(here).collect::<Vec<_>>())]
                },
            );
            let places = (n + 1).saturating_sub(m);
            assert_eq!(ands, (places * (3 * m).saturating_sub(1)) as u64);
        }
    }
}

#[test]
fn firsts() {
    for n in 1usize..10 {
        let lanes = Lanes::new(&[n], |b, x| {
            let (found, index) = first(b, &x[0]);
            vec![vec![found], index]
        });
        assert_eq!(lanes.ands(), n as u64 - 1);
        let sets: Vec<Vec<u128>> = (0..1 << n).map(|i| vec![i]).collect();
        for (i, found) in lanes.run(&sets).into_iter().enumerate() {
            let place = if i == 0 { 0 } else { i.trailing_zeros() };
            assert_eq!(found, [u128::from(i != 0), place.into()]);
        }
    }
    let lanes = Lanes::new(&[], |b, _| vec![vec![first(b, &[]).0]]);
    assert_eq!(lanes.run(&[vec![]]), [[0]]);
}

#[test]
fn prefixes() {
    for n in 0..8 {
        for m in 0..8 {
            let plain = |x: &[u128], y: &[u128]| {
                vec![x.iter().zip(y).take_while(|(x, y)| x == y).count() as u128]
            };
            let ands = check((n, m, 2), |b, x, y| vec![common_prefix(b, x, y)], plain);
            let shorter = n.min(m);
            assert_eq!(ands, (2 * shorter).saturating_sub(1) as u64);
        }
    }
}

/// The distance, computed with the table of all prefixes.
fn levenshtein(x: &[u128], y: &[u128]) -> Vec<u128> {
    let mut row: Vec<usize> = (0..=y.len()).collect();
    for (i, x) in x.iter().enumerate() {
        let mut above = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in y.iter().enumerate() {
            let replaced = above + usize::from(x != y);
            above = row[j + 1];
            row[j + 1] = replaced.min(above + 1).min(row[j] + 1);
        }
    }
    vec![row[y.len()] as u128]
}

#[test]
fn distances() {
    for n in 0..10usize {
        for m in 0..10usize {
            let ands = check((n, m, 2), |b, x, y| vec![edit_distance(b, x, y)], levenshtein);
            let (short, long) = (n.min(m) as u64, n.max(m) as u64);
            if short >= 2 {
                let table = short * long + 4 * (short - 1) * (long - 1);
                let sum = 2 * short - u64::from(short.count_ones());
                let most = table + sum + u64::from(long.ilog2()) + 1;
                assert!(ands >= table && ands <= most, "{ands} ANDs for {n} and {m}");
                assert!(n != m || ands == table + sum, "{ands} ANDs for {n} and {m}");
            }
        }
    }
    check((40, 17, 2), |b, x, y| vec![edit_distance(b, x, y)], levenshtein);
}

#[test]
fn automata() {
    for (states, w, letters) in [(1, 1, 2), (2, 1, 2), (5, 3, 3), (9, 4, 16), (4, 2, 4)] {
        // Characters above `letters` behave like the last letter, so that there are classes.
        let table = random_sets(states as u64, &vec![16; states * letters + states], 1).remove(0);
        let next = |s: usize| {
            let to = |c: usize| table[s * letters + c.min(letters - 1)] as usize % states;
            (0..1 << w).map(to).collect()
        };
        let dfa = Dfa {
            start: states / 2,
            accepting: (0..states).map(|s| table[states * letters + s] & 1 == 1).collect(),
            next: (0..states).map(next).collect(),
        };
        for n in 0..7 {
            let ands = check(
                (n, 0, w),
                |b, x, _| vec![vec![dfa.accepts(b, x)]],
                |x, _| {
                    let end = x.iter().fold(dfa.start, |state, &c| dfa.next[state][c as usize]);
                    vec![dfa.accepting[end].into()]
                },
            );
            assert!(ands <= n as u64 * dfa.step_ands(), "{ands} ANDs for {n} characters");
        }
    }
}
