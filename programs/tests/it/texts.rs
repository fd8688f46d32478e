//! Edit distance, the large auction, division and square root, against the same functions in plain
//! Rust; and these plain functions against known values.

use crate::common::{self, build, number, numbers, run, value};
use crate::structured;
use halfgate_circuit::{Bits, clear};
use halfgate_programs::{division, edit_distance, square_root, vickrey};
use proptest::prelude::*;

fn codes(text: &str) -> Vec<u32> {
    text.bytes().map(u32::from).collect()
}

/// The distance that the circuit for texts of up to `length` characters computes.
fn distance(a: &[u32], b: &[u32], length: usize, bits: u32) -> usize {
    let padded = |text: &[u32]| -> Bits {
        let zeros = std::iter::repeat_n(0, length - text.len());
        let all: Vec<u128> = text.iter().map(|&c| c.into()).chain(zeros).collect();
        numbers(&all, bits)
    };
    let circuit = build(&format!("edit-distance:{length}x{bits}"));
    let inputs = [padded(a), padded(b)];
    let output = &run(&circuit, &inputs)[0];
    assert_eq!(output.len() as u32, length.ilog2() + 1);
    let rows = structured::run(&format!("edit-distance-rows:{length}x{bits}"), &inputs);
    assert_eq!(&rows[0], output, "{a:?} {b:?}");
    value(output) as usize
}

#[test]
fn distances_that_are_known() {
    for (a, b, expected) in [
        ("", "", 0),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
        ("sunday", "saturday", 3),
        ("intention", "execution", 5),
        ("abc", "bc", 1),
        ("ab", "ba", 2),
        ("aaaaaaaaaaaa", "bbbbbbbbbbbb", 12),
    ] {
        let (from, to) = (codes(a), codes(b));
        assert_eq!(edit_distance::plain(&from, &to), expected, "{a} {b}");
        for length in [a.len().max(b.len()).max(1), 13] {
            assert_eq!(distance(&from, &to, length, 8), expected, "{a} {b} of {length}");
            assert_eq!(distance(&to, &from, length, 8), expected, "{b} {a} of {length}");
        }
    }
    assert_eq!(edit_distance::plain(&[1, 2, 0, 0], &[1, 0]), 1);
}

/// All pairs of texts of up to four characters, from an alphabet of two.
#[test]
fn every_pair_of_short_texts() {
    let texts: Vec<Vec<u32>> = (0..=4)
        .flat_map(|length| {
            (0..1u32 << length).map(move |n| (0..length).map(|i| 1 + (n >> i & 1)).collect())
        })
        .collect();
    let circuit = build("edit-distance:4x2");
    let pad = |text: &[u32]| {
        numbers(&(0..4).map(|i| text.get(i).copied().unwrap_or(0).into()).collect::<Vec<_>>(), 2)
    };
    for a in &texts {
        for b in &texts {
            let found = value(&run(&circuit, &[pad(a), pad(b)])[0]);
            assert_eq!(found, edit_distance::plain(a, b) as u128, "{a:?} {b:?}");
        }
    }
}

proptest! {
    #![proptest_config(common::cases(32))]

    #[test]
    fn random_texts(
        (a, b) in prop_oneof![Just(1..3u32), Just(1..16u32)].prop_flat_map(|characters| {
            let text = || prop::collection::vec(characters.clone(), 0..20);
            (text(), text())
        }),
        spare in 0..4usize,
    ) {
        let length = (a.len().max(b.len()) + spare).max(1);
        prop_assert_eq!(distance(&a, &b, length, 4), edit_distance::plain(&a, &b));
    }

    #[test]
    fn vickrey_auctions(bits in 1..=16u32, bids in prop::collection::vec(any::<(u16, u16)>(), 2..40)) {
        let (a, b): (Vec<u128>, Vec<u128>) = bids
            .iter()
            .map(|&(a, b)| (u128::from(a >> (16 - bits)), u128::from(b >> (16 - bits))))
            .unzip();
        let circuit = build(&format!("vickrey:{}x{bits}", bids.len()));
        let outputs = run(&circuit, &[numbers(&a, bits), numbers(&b, bits)]);
        let bids: Vec<u128> = a.iter().zip(&b).map(|(a, b)| a ^ b).collect();
        let (winner, price) = vickrey::plain(&bids);
        prop_assert_eq!((value(&outputs[0]), value(&outputs[1])), (winner as u128, price));
        prop_assert_eq!(outputs[0].len() as u32, (bids.len() as u32 - 1).ilog2() + 1);
    }

    #[test]
    fn divisions(bits in prop_oneof![1..10u32, Just(64)], a: u64, b: u64, small in 0..64u32) {
        let (a, b) = (u128::from(a >> (64 - bits)), u128::from(b >> (64 - bits)) >> small);
        let outputs = run(&build(&format!("divide:{bits}")), &[number(a, bits), number(b, bits)]);
        prop_assert_eq!((value(&outputs[0]), value(&outputs[1])), division::plain(a, b, bits));
    }
}

/// Special values, numbers near them and random bits, each in a lane of one evaluation.
#[test]
fn square_roots() {
    let mut special: Vec<u64> =
        [0.0, 1.0, 2.0, 4.0, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN]
            .iter()
            .flat_map(|x: &f64| [x.to_bits(), (-x).to_bits(), x.to_bits() + 1])
            .collect();
    special.extend([1, 3, 0x000f_ffff_ffff_ffff]);
    let mut state = 1u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let numbers: Vec<u64> =
        (0..256).map(|i| special.get(i).copied().unwrap_or_else(&mut random)).collect();
    let masks: Vec<u64> = (0..256).map(|_| random()).collect();
    let shares: Vec<u64> = numbers.iter().zip(&masks).map(|(x, mask)| x ^ mask).collect();

    let transposed = |values: &[u64]| -> Vec<[u64; 4]> {
        let word = |bit: usize, w: usize| {
            (0..64).map(|lane| (values[64 * w + lane] >> bit & 1) << lane).sum()
        };
        (0..64).map(|bit| std::array::from_fn(|w| word(bit, w))).collect()
    };
    let circuit = build("sqrt64");
    let inputs = [transposed(&shares), transposed(&masks)];
    let roots = &clear::evaluate_lanes::<4>(&circuit, &inputs, 1).unwrap()[0];
    for (lane, (share, mask)) in shares.iter().zip(&masks).enumerate() {
        let root =
            (0..64).map(|bit| (roots[bit][lane / 64] >> (lane % 64) & 1) << bit).sum::<u64>();
        assert_eq!(root, square_root::plain(*share, *mask), "{:e}", f64::from_bits(share ^ mask));
    }
}

#[test]
fn plain_auction_and_division() {
    assert_eq!(vickrey::plain(&[3, 9, 9, 4]), (1, 9));
    assert_eq!(vickrey::plain(&[3, 0]), (0, 0));
    assert_eq!(division::plain(17, 5, 8), (3, 2));
    assert_eq!(division::plain(17, 0, 8), (255, 17));
}

/// Bids that either server knows: the other server's share is 0.
#[test]
fn bids_that_one_server_knows() {
    let circuit = build("vickrey:5x8");
    let (a, b) = ([200, 0, 7, 0, 1], [0, 201, 0, 199, 0]);
    let outputs = run(&circuit, &[numbers(&a, 8), numbers(&b, 8)]);
    assert_eq!((value(&outputs[0]), value(&outputs[1])), (1, 200));
}
