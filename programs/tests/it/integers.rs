//! Programs on integers and sets, against plain Rust; AND counts.

use crate::common::{self, build, number, numbers, run, value, values};
use halfgate_circuit::Party;
use halfgate_values::{SetError, prepare_set};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Numbers of `width` bits, often with small differences.
fn integer(width: u32) -> impl Strategy<Value = u128> {
    let mask = u128::MAX >> (128 - width);
    prop_oneof![any::<u128>(), 0..4u128, (0..4u128).prop_map(|x| !x)].prop_map(move |x| x & mask)
}

#[test]
fn and_counts() {
    let counts = [
        ("millionaires:1", 1),
        ("millionaires:32", 32),
        ("adder:32", 31),
        ("multiplier:32", 975),
        ("hamming:1024", 1023),
        ("hamming:1000", 994),
        // 7 times compare, exchange and maximum, and 7 times 3 bits of index. Fewer ANDs remain,
        // because the first price and the indices are constants that fold.
        ("auction:8x32", 7 * (4 * 32 + 3)),
        ("sort:256x32", 256 * 255 / 2 * 64),
        // 385 comparisons in the merge, 127 of neighbours, and a count of 64 bits.
        ("psi:64x32", 385 * 64 + 127 * 31 + 63),
        ("chain:1000", 1000),
        ("xors:4096", 0),
    ];
    for (spec, at_most) in counts {
        let ands = build(spec).gates.ands();
        assert!(ands <= at_most, "{spec} has {ands} ANDs, above {at_most}");
    }
}

proptest! {
    #![proptest_config(common::cases(48))]

    #[test]
    fn millionaires(bits in 1..=64u32, a in integer(64), b in integer(64)) {
        let (a, b) = (a >> (64 - bits), b >> (64 - bits));
        let outputs = run(&build(&format!("millionaires:{bits}")), &[number(a, bits), number(b, bits)]);
        prop_assert_eq!(outputs[0].get(0), a > b);
    }

    #[test]
    fn adder_and_multiplier(a in integer(32), b in integer(32)) {
        let inputs = [number(a, 32), number(b, 32)];
        prop_assert_eq!(value(&run(&build("adder:32"), &inputs)[0]), (a + b) & 0xffff_ffff);
        prop_assert_eq!(value(&run(&build("multiplier:32"), &inputs)[0]), (a * b) & 0xffff_ffff);
        prop_assert_eq!(value(&run(&build("multiplier-full:32"), &inputs)[0]), a * b);
    }

    #[test]
    fn hamming(bits in 1..=128u32, a: u128, b: u128) {
        let (a, b) = (a >> (128 - bits), b >> (128 - bits));
        let outputs = run(&build(&format!("hamming:{bits}")), &[number(a, bits), number(b, bits)]);
        prop_assert_eq!(value(&outputs[0]), u128::from((a ^ b).count_ones()));
        prop_assert_eq!(outputs[0].len() as u32, bits.ilog2() + 1);
    }

    #[test]
    fn auction(bits in 1..=16u32, bids in prop::collection::vec(0..=u16::MAX, 2..12)) {
        let bids: Vec<u128> = bids.iter().map(|&bid| u128::from(bid >> (16 - bits))).collect();
        let circuit = build(&format!("auction:{}x{bits}", bids.len()));
        let inputs: Vec<_> = bids.iter().map(|&bid| number(bid, bits)).collect();
        let outputs = run(&circuit, &inputs);

        let mut order: Vec<usize> = (0..bids.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(bids[i]), i));
        prop_assert_eq!(value(&outputs[0]), order[0] as u128);
        prop_assert_eq!(value(&outputs[1]), bids[order[1]]);
        let garblers = circuit.inputs.iter().filter(|i| i.party == Party::Garbler).count();
        prop_assert_eq!(garblers, bids.len().div_ceil(2));
    }

    #[test]
    fn sort(bits in 1..=16u32, list in prop::collection::vec(0..=u16::MAX, 2..14)) {
        let mut list: Vec<u128> = list.iter().map(|&x| u128::from(x >> (16 - bits))).collect();
        let (a, b) = list.split_at(list.len().div_ceil(2));
        let inputs = [numbers(a, bits), numbers(b, bits)];
        let spec = format!("{}x{bits}", list.len());
        list.sort_unstable();
        for name in ["sort", "sort-network"] {
            let outputs = run(&build(&format!("{name}:{spec}")), &inputs);
            prop_assert_eq!(values(&outputs[0], bits as usize), list.clone());
        }
    }

    #[test]
    fn page_rank(nodes in 2..=6u32, iterations in 1..=4u32, a: u64, b: u64, sparse: u64) {
        let cells = nodes * nodes;
        let mask = (1u64 << cells) - 1;
        let (a, b) = (a & sparse & mask, b & sparse & mask);
        let circuit = build(&format!("pagerank:{nodes}x{iterations}"));
        let outputs = run(&circuit, &[number(a.into(), cells), number(b.into(), cells)]);
        let links: Vec<bool> = (0..cells).map(|i| (a | b) >> i & 1 == 1).collect();
        let ranks = halfgate_programs::pagerank::plain(nodes as usize, iterations, &links);
        prop_assert!(ranks.iter().sum::<u32>() <= 1 << 16);
        let ranks: Vec<u128> = ranks.into_iter().map(u128::from).collect();
        prop_assert_eq!(values(&outputs[0], 17), ranks);
    }

    /// Random sets through `prepare_set`, with random counts; most counts are no power of two.
    #[test]
    fn intersection(
        count in 1..24u32,
        seed in prop::collection::vec((0..40u128, 0..40u128), 0..24),
    ) {
        let take = |elements: Vec<u128>| -> BTreeSet<u128> {
            elements.into_iter().collect::<BTreeSet<_>>().into_iter().take(count as usize).collect()
        };
        let (a, b): (Vec<u128>, Vec<u128>) = seed.into_iter().unzip();
        let (a, b) = (take(a), take(b));
        let prepare = |party, set: &BTreeSet<u128>| {
            let any_order: Vec<u128> = set.iter().rev().copied().collect();
            prepare_set(party, &any_order, count, 8).unwrap()
        };
        let inputs = [prepare(Party::Garbler, &a), prepare(Party::Evaluator, &b)];
        let outputs = run(&build(&format!("psi:{count}x8")), &inputs);
        prop_assert_eq!(value(&outputs[0]), a.intersection(&b).count() as u128);
        prop_assert_eq!(outputs[0].len() as u32, count.ilog2() + 1);
    }
}

#[test]
fn intersection_of_full_sets() {
    let circuit = build("psi:16x4");
    let all: Vec<u128> = (0..16).collect();
    assert_eq!(value(&run(&circuit, &[numbers(&all, 4), numbers(&all, 4)])[0]), 16);

    let circuit = build("psi:64x32");
    let a: Vec<u128> = (0..64).map(|i| i * 0x03ff_ffff).collect();
    let b: Vec<u128> = (0..64).map(|i| i * 0x03ff_ffff + u128::from(i % 3 == 0)).collect();
    assert_eq!(value(&run(&circuit, &[numbers(&a, 32), numbers(&b, 32)])[0]), 42);
}

#[test]
fn sets_that_cannot_be_given() {
    let prepare = |elements: &[u128], bits| prepare_set(Party::Garbler, elements, 4, bits).err();
    assert_eq!(prepare(&[1, 2, 3, 4, 5], 8), Some(SetError::TooMany { given: 5, count: 4 }));
    assert_eq!(prepare(&[7, 2, 7], 8), Some(SetError::Repeated));
    assert_eq!(prepare(&[247], 8), None);
    assert_eq!(prepare(&[248], 8), Some(SetError::OutOfRange { bits: 8, reserved: 8 }));
    assert_eq!(prepare(&[], 2), Some(SetError::NoSpace { bits: 2, count: 4, reserved: 8 }));
    assert_eq!(prepare(&[], 3), None);
    assert_eq!(prepare(&[u128::MAX - 8], 128), None);
    assert_eq!(prepare(&[1], 0), Some(SetError::Width { bits: 0 }));
    assert_eq!(prepare(&[1], 129), Some(SetError::Width { bits: 129 }));
}

#[test]
fn padding_never_matches() {
    let inputs =
        [Party::Garbler, Party::Evaluator].map(|party| prepare_set(party, &[3], 7, 5).unwrap());
    assert_eq!(value(&run(&build("psi:7x5"), &inputs)[0]), 1);
    let padding: BTreeSet<u128> = inputs.iter().flat_map(|bits| values(bits, 5)).collect();
    assert_eq!(padding.len(), 13);
}

/// Both benchmarks over several cycles, against the recurrence in plain Rust.
#[test]
fn chains() {
    let key = 0x0123_4567_89ab_cdef_u64;
    for (spec, ands) in [("chain:7", 7), ("chain:3000", 3000)] {
        let circuit = build(spec);
        assert_eq!(circuit.gates.len() as u64, circuit.gates.ands());
        assert_eq!(circuit.gates.ands() * circuit.cycles, ands);
        for x in [0, 1] {
            let outputs = run(&circuit, &[number(key.into(), 64), number(x, 1)]);
            // Each body of 1,000 ANDs starts again at the key's first bit.
            let expected = (0..ands).fold(x as u64, |x, i| 1 ^ (x & key >> (i % 1000 % 64) & 1));
            assert_eq!(value(&outputs[0]), u128::from(expected), "{spec}");
        }
    }
    for (spec, xors) in [("xors:100", 100), ("xors:12288", 12288)] {
        let circuit = build(spec);
        assert_eq!(circuit.gates.ands(), 0);
        assert_eq!(circuit.gates.len() as u64 * circuit.cycles, xors);
        let outputs = run(&circuit, &[number(key.into(), 64), number(5, 63)]);
        let seed = u128::from(key) | 5 << 64;
        let mut s: Vec<u128> = (0..127).map(|i| seed >> i & 1).collect();
        for n in 127..127 + xors as usize {
            s.push(s[n - 127] ^ s[n - 64]);
        }
        let last = s[xors as usize..].iter().rev().fold(0, |state, bit| state << 1 | bit);
        assert_eq!(value(&outputs[0]), last, "{spec}");
    }
}

/// The circuit of the memory benchmark: the body does not grow with the number of cycles.
#[test]
fn long_chains_are_short_bodies() {
    for (spec, cycles) in [
        ("chain:100000000", 100_000),
        ("xors:409600000", 100_000),
        ("aes128-chained:100000", 100_000),
        ("aes128-ecb:100000", 100_000),
    ] {
        let circuit = build(spec);
        assert_eq!(circuit.cycles, cycles, "{spec}");
        assert!(circuit.gates.len() < 32_000, "{spec}");
    }
}
