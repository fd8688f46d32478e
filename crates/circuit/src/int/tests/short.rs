//! Tests the forms with short paths, which a builder may prefer. They give the same values as the
//! small forms, and their depth is logarithmic.

use super::*;
use crate::lanes::{Lanes, random_sets};
use crate::stats::Stats;

/// All operations on one pair of numbers, with every form of carry and width.
fn all(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Vec<Bit>> {
    vec![
        add(b, x, y),
        add_carry(b, x, y),
        sub(b, x, y),
        neg(b, x),
        negate_if(b, y[0], x),
        increment_if(b, y[0], x),
        vec![lt_unsigned(b, x, y), le_unsigned(b, x, y), lt_signed(b, x, y)],
        mul(b, x, y),
        mul_full(b, x, y),
        mul_full_signed(b, x, y),
        add(b, x, &constant(x.len(), 0x5a5a_5a5a)),
        mul(b, x, &constant(x.len(), 69069)),
        abs_diff_unsigned(b, x, y),
    ]
}

#[test]
fn short_paths_change_no_value() {
    for width in [1, 2, 3, 7, 8, 16, 33, 53] {
        let widths = [width, width];
        let small = Lanes::new(&widths, |b, values| all(b, &values[0], &values[1]));
        let short = Lanes::new(&widths, |b, values| {
            b.prefer_short_paths();
            all(b, &values[0], &values[1])
        });
        let sets = random_sets(width as u64, &widths, 64);
        assert_eq!(short.run(&sets), small.run(&sets), "{width} bits");
    }
}

#[test]
fn short_paths_are_short() {
    for (width, at_most) in [(8usize, 13), (16, 17), (32, 21), (64, 25)] {
        let widths = [width, width];
        let short = Lanes::new(&widths, |b, values| {
            b.prefer_short_paths();
            let (x, y) = (&values[0], &values[1]);
            vec![mul_full(b, x, y), sub(b, x, y), vec![lt_unsigned(b, x, y)]]
        });
        let depth = Stats::of(&short.circuit).and_depth;
        assert!(depth <= at_most, "{width} bits: AND depth {depth}");
    }
}

/// Tests [`sum_fast`], which adds the bits of a column in the order of their arrival.
#[test]
fn sums_by_arrival() {
    for (count, width) in [(1, 5), (3, 8), (9, 12), (40, 20)] {
        let lanes = Lanes::new(&vec![width; count], |b, values| {
            let values: Vec<&[Bit]> = values.iter().map(Vec::as_slice).collect();
            vec![sum_fast(b, &values, width + 3), sum_fast(b, &values, width - 1)]
        });
        let sets = random_sets(7, &vec![width; count], 64);
        for (set, found) in sets.iter().zip(lanes.run(&sets)) {
            let sum: u128 = set.iter().sum();
            let low = |bits: usize| sum & (u128::MAX >> (128 - bits));
            assert_eq!(found, [low(width + 3), low(width - 1)]);
        }
    }
}
