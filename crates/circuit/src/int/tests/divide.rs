//! Compares division with Rust's, exhaustively for small widths.

use super::*;

/// All pairs of values of two widths.
fn all_pairs(wide: usize, narrow: usize) -> Vec<[u128; 2]> {
    (0..1 << wide).flat_map(|x| (0..1 << narrow).map(move |y| [x, y])).collect()
}

#[test]
fn every_small_quotient() {
    for (n, m) in (1..=6).flat_map(|n| (1..=6).map(move |m| (n, m))) {
        let divider = circuit([n, m], |b, [x, y]| {
            let (quotient, rest) = div_rem_unsigned(b, x, y);
            assert_eq!((quotient.len(), rest.len()), (n, m));
            [quotient, rest, div_unsigned(b, x, y)].concat()
        });
        for pairs in all_pairs(n, m).chunks(64) {
            for (&[x, y], found) in pairs.iter().zip(outputs(&divider, pairs)) {
                let quotient = x.checked_div(y).unwrap_or(mask(n));
                let rest = x.checked_rem(y).unwrap_or(x & mask(m));
                let expected = quotient | rest << n | quotient << (n + m);
                assert_eq!(found, expected, "{x} of {n} bits by {y} of {m}");
            }
        }
    }
}

/// A divisor with constant zeros on top gives the same result as one without.
#[test]
fn every_small_divisor_with_constant_zeros() {
    for (n, m, zeros) in
        (1..=5).flat_map(|n| (1..=3).flat_map(move |m| (1..=3).map(move |zeros| (n, m, zeros))))
    {
        let width = m + zeros;
        let divider = circuit([n, m], |b, [x, y]| {
            let (quotient, rest) = div_rem_unsigned(b, x, &zero_extend(y, width));
            [quotient, rest].concat()
        });
        for pairs in all_pairs(n, m).chunks(64) {
            for (&[x, y], found) in pairs.iter().zip(outputs(&divider, pairs)) {
                let quotient = x.checked_div(y).unwrap_or(mask(n));
                let rest = x.checked_rem(y).unwrap_or(x & mask(width));
                assert_eq!(
                    found,
                    quotient | rest << n,
                    "{x} of {n} bits by {y} of {m} and {zeros}"
                );
            }
        }
    }
}

#[test]
fn every_small_signed_quotient() {
    for (n, m) in (1..=6).map(|n| (n, n)).chain([(1, 4), (6, 1), (6, 3), (3, 6)]) {
        let width = n.max(m);
        let divider = circuit([n, m], |b, [x, y]| {
            let (quotient, rest) = div_rem_signed(b, x, y);
            [quotient, rest, div_signed(b, x, y)].concat()
        });
        for pairs in all_pairs(n, m).chunks(64) {
            for (&[x, y], found) in pairs.iter().zip(outputs(&divider, pairs)) {
                let (sx, sy) = (signed(x, n), signed(y, m));
                let by_zero = if sx < 0 { 1 } else { -1 };
                let quotient = sx.checked_div(sy).unwrap_or(by_zero) as u128 & mask(width);
                let rest = sx.checked_rem(sy).unwrap_or(sx) as u128 & mask(width);
                let expected = quotient | rest << width | quotient << (2 * width);
                assert_eq!(found, expected, "{sx} of {n} bits by {sy} of {m}");
            }
        }
    }
}

#[test]
fn every_small_constant_divisor() {
    for (n, divisor) in (1..=7).flat_map(|n| (1..=70).map(move |divisor| (n, divisor))) {
        let width = 128 - u128::leading_zeros(divisor) as usize;
        let divider = circuit([n], |b, [x]| {
            let (quotient, rest) = div_rem_constant(b, x, divisor);
            assert_eq!((quotient.len(), rest.len()), (n, width));
            [quotient, rest].concat()
        });
        let all: Vec<[u128; 1]> = (0..1 << n).map(|x| [x]).collect();
        for values in all.chunks(64) {
            for (&[x], found) in values.iter().zip(outputs(&divider, values)) {
                assert_eq!(
                    found,
                    (x / divisor) | ((x % divisor) << n),
                    "{x} of {n} bits by {divisor}"
                );
            }
        }
        if divisor.is_power_of_two() {
            assert_eq!(divider.gates.len(), 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn signed_quotients((width, values) in pairs(1..=64)) {
        check(width, &values, |b, x, y| {
            let (quotient, rest) = div_rem_signed(b, x, y);
            [quotient, rest].concat()
        }, |x, y| {
            let (sx, sy) = (signed(x, width), signed(y, width));
            let quotient = sx.checked_div(sy).unwrap_or(if sx < 0 { 1 } else { -1 }) as u128;
            let rest = sx.checked_rem(sy).unwrap_or(sx) as u128;
            quotient & mask(width) | (rest & mask(width)) << width
        });
    }

    /// Quotients of every size: dividends and divisors of every number of bits.
    #[test]
    fn quotients_of_every_size(
        width in 1..=64usize,
        values in prop::collection::vec((any::<[u64; 2]>(), 0..64u32, 0..64u32), 64),
    ) {
        let short = |value: u64, by: u32| u128::from(value >> by) & mask(width);
        let values: Vec<[u128; 2]> =
            values.iter().map(|&([x, y], p, q)| [short(x, p), short(y, q)]).collect();
        check(width, &values, |b, x, y| {
            let (quotient, rest) = div_rem_unsigned(b, x, y);
            [quotient, rest].concat()
        }, |x, y| match x.checked_div(y) {
            Some(quotient) => quotient | (x % y) << width,
            None => mask(width) | x << width,
        });
    }
}
