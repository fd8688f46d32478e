//! Compares scans with plain ones, for every number of elements up to 40, and tests their depth.

use super::*;
use crate::lanes::check_list;
use crate::stats::Stats;

const FORMS: [Form; 3] = [Form::Sequential, Form::BrentKung, Form::Sklansky];

fn plain(xs: &[u128], op: impl Fn(u128, u128) -> u128) -> Vec<u128> {
    (1..=xs.len()).map(|len| xs[..len].iter().copied().reduce(&op).unwrap()).collect()
}

#[test]
fn forms() {
    // Associative, but not commutative: 2x2 matrices over two elements, rows first.
    let product = |x: u128, y: u128| {
        let bit = |m: u128, i: u128| m >> i & 1;
        let entry = |i: u128| {
            let (row, column) = (i / 2 * 2, i % 2);
            (bit(x, row) & bit(y, column)) ^ (bit(x, row + 1) & bit(y, column + 2))
        };
        (0..4).map(|i| entry(i) << i).sum()
    };
    let multiply = |b: &mut Builder, x: &Vec<Bit>, y: &Vec<Bit>| {
        (0..4)
            .map(|i| {
                let (row, column) = (i / 2 * 2, i % 2);
                let (p, q) = (b.and(x[row], y[column]), b.and(x[row + 1], y[column + 2]));
                b.xor(p, q)
            })
            .collect::<Vec<Bit>>()
    };
    for n in 0..=40 {
        for form in FORMS {
            let lanes =
                check_list((n, 4), |b, x| scan_with(b, form, x, multiply), |x| plain(x, product));
            assert_eq!(lanes.ands(), 8 * form.operations(n as u64), "{form:?} of {n}");
            let Some(log) = n.checked_ilog2() else { continue };
            let depth = Stats::of(&lanes.circuit).and_depth;
            match form {
                Form::Sequential => assert_eq!(depth as usize, n - 1),
                Form::BrentKung => assert!(depth <= 2 * log, "depth {depth} of {n}"),
                Form::Sklansky => assert_eq!(depth, n.next_power_of_two().ilog2()),
            }
        }
        check_list((n, 4), |b, x| scan(b, x, multiply), |x| plain(x, product));
    }
}

#[test]
fn operations_of_powers_of_two() {
    for p in 0..20u64 {
        assert_eq!(Form::BrentKung.operations(1 << p), (2 << p) - p - 2);
        assert_eq!(Form::Sklansky.operations(1 << p), (p << p) / 2);
    }
    assert!(FORMS.iter().all(|form| form.operations(0) == 0 && form.operations(1) == 0));
}

#[test]
fn sums_and_conditions() {
    for n in 0..12 {
        let lanes = check_list((n, 6), sums, |x| plain(x, |x, y| (x + y) & 63));
        assert_eq!(lanes.ands(), 5 * n.saturating_sub(1) as u64);
        assert!(n < 2 || Stats::of(&lanes.circuit).and_depth == 5);
        check_list((n, 1), |b, x| vec![any(b, &x.concat())], |x| pack(plain(x, |x, y| x | y)));
        check_list((n, 1), |b, x| vec![all(b, &x.concat())], |x| pack(plain(x, |x, y| x & y)));
    }
}

/// Bits as one number.
fn pack(bits: Vec<u128>) -> Vec<u128> {
    vec![bits.iter().enumerate().map(|(i, bit)| bit << i).sum()]
}

#[test]
fn copies() {
    for n in 0..12 {
        // The low bit of each element is its mark.
        let lanes = check_list(
            (n, 5),
            |b, x| {
                let marks: Vec<Bit> = x.iter().map(|x| x[0]).collect();
                let values: Vec<Vec<Bit>> = x.iter().map(|x| x[1..].to_vec()).collect();
                copy_last(b, &marks, &values)
            },
            |x| {
                let last = |len| x[..len].iter().rev().find(|x| *x & 1 == 1).map_or(0, |x| x >> 1);
                (1..=n).map(last).collect()
            },
        );
        assert_eq!(lanes.ands(), 4 * n as u64);
    }
}
