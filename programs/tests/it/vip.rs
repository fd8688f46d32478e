//! The benchmarks of the HAAC paper against plain Rust: many inputs at small sizes, one input at
//! the paper's sizes. AND counts, and a comparison with the paper's.

use crate::common::{self, build, number, numbers, run, value, values};
use crate::structured::{ands, structured, text};
use halfgate_circuit::structured::clear;
use halfgate_circuit::{Bits, Circuit, Stats, random};
use halfgate_programs::find;
use halfgate_programs::vip::gradient_descent::Order;
use halfgate_programs::vip::{
    SHRINKING_BUBBLE_SORT, SMALL, STRUCTURED, VIP, bubble_sort, dot_product, gradient_descent,
    matmult, mersenne, relu, triangle,
};
use proptest::prelude::*;

/// Random values for all inputs, and the same values as one list of numbers of `bits` bits.
fn random_inputs(circuit: &Circuit, bits: u32, seed: u64) -> (Vec<Bits>, Vec<u32>) {
    let inputs = random::inputs_for(circuit, seed, 1);
    let given = inputs.iter().flat_map(|input| words(input, bits)).collect();
    (inputs, given)
}

fn words(bits: &Bits, width: u32) -> Vec<u32> {
    values(bits, width as usize).into_iter().map(|x| x as u32).collect()
}

fn masked(numbers: Vec<u32>, bits: u32) -> Vec<u32> {
    numbers.into_iter().map(|x| x & (u32::MAX >> (32 - bits))).collect()
}

/// Numbers of `bits` bits, read as two's complement.
fn signed(numbers: &[u32], bits: u32) -> Vec<i32> {
    numbers.iter().map(|&x| (x << (32 - bits)).cast_signed() >> (32 - bits)).collect()
}

fn check_bubble_sort(name: &str, count: u32, bits: u32, seed: u64) {
    let circuit = build(&format!("{name}:{count}x{bits}"));
    let (inputs, given) = random_inputs(&circuit, bits, seed);
    let mut expected = given.clone();
    expected.sort_unstable();
    assert_eq!(bubble_sort::plain(given), expected);
    assert_eq!(words(&run(&circuit, &inputs)[0], bits), expected, "{name}");
}

fn check_dot_product(name: &str, length: u32, bits: u32, seed: u64) {
    let circuit = build(&format!("{name}:{length}x{bits}"));
    let (inputs, given) = random_inputs(&circuit, bits, seed);
    let (x, y) = given.split_at(length as usize);
    let expected = masked(vec![dot_product::plain(x, y)], bits);
    assert_eq!(words(&run(&circuit, &inputs)[0], bits), expected, "{name}");
}

fn check_matmult(name: &str, size: u32, bits: u32, seed: u64) {
    let circuit = build(&format!("{name}:{size}x{bits}"));
    let (inputs, given) = random_inputs(&circuit, bits, seed);
    let (x, y) = given.split_at((size * size) as usize);
    let expected = masked(matmult::plain(size as usize, x, y), bits);
    assert_eq!(words(&run(&circuit, &inputs)[0], bits), expected, "{name}");
}

fn check_triangle(name: &str, vertices: u32, bits: u32, seed: u64) {
    let circuit = build(&format!("{name}:{vertices}x{bits}"));
    let (inputs, given) = random_inputs(&circuit, bits, seed);
    let found = words(&run(&circuit, &inputs)[0], bits)[0];
    if bits == 32 {
        assert_eq!(found, triangle::plain(vertices as usize, &given));
    } else {
        // The circuit divides the trace modulo 2^bits.
        let n = vertices as usize;
        let squared = matmult::plain(n, &given, &given);
        let cubed = matmult::plain(n, &squared, &given);
        let trace = (0..n).fold(0u32, |sum, i| sum.wrapping_add(cubed[i * n + i]));
        assert_eq!(vec![found], masked(vec![masked(vec![trace], bits)[0] / 6], bits));
    }
}

fn check_relu(name: &str, count: u32, bits: u32, seed: u64) {
    let circuit = build(&format!("{name}:{count}x{bits}"));
    let (inputs, given) = random_inputs(&circuit, bits, seed);
    let found = words(&run(&circuit, &inputs)[0], bits);
    assert_eq!(signed(&found, bits), relu::plain(&signed(&given, bits)));
}

fn check_mersenne(name: &str, outputs: u32, seeds: [u32; 2]) {
    let circuit = build(&format!("{name}:{outputs}"));
    let inputs = seeds.map(|seed| number(seed.into(), 32));
    let expected = mersenne::plain(seeds[0] ^ seeds[1], outputs as usize);
    assert_eq!(words(&run(&circuit, &inputs)[0], 32), expected);
}

fn check_hamming(name: &str, bits: u32, seed: u64) {
    let circuit = build(&format!("{name}:{bits}"));
    let inputs = random::inputs_for(&circuit, seed, 1);
    let differ = inputs[0].iter().zip(inputs[1].iter()).filter(|(x, y)| x != y).count();
    assert_eq!(value(&run(&circuit, &inputs)[0]), differ as u128);
}

fn check_gradient_descent(points: &[(f32, f32)], rounds: u32) {
    let (x, y): (Vec<u128>, Vec<u128>) =
        points.iter().map(|(x, y)| (u128::from(x.to_bits()), u128::from(y.to_bits()))).unzip();
    for (name, order) in [
        ("gradient-descent", Order::OneByOne),
        ("gradient-descent-fast", Order::Pairs),
        ("gradient-descent-folded", Order::OneByOne),
    ] {
        let circuit = build(&format!("{name}:{}x{rounds}", points.len()));
        let found = run(&circuit, &[numbers(&x, 32), numbers(&y, 32)]);
        let found = [&found[0], &found[1]].map(|bits| f32::from_bits(value(bits) as u32));
        let (weight, bias) = gradient_descent::plain(points, rounds as usize, order);
        for (found, expected) in found.into_iter().zip([weight, bias]) {
            // Circuits have only one encoding of NaN.
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "{name}: {found} is not {expected}");
        }
    }
}

proptest! {
    #![proptest_config(common::cases(12))]

    #[test]
    fn small_sizes(n in 2..6u32, bits in 4..=32u32, seed: u64) {
        for name in ["bubble-sort", "sort", "bubble-sort-folded"] {
            check_bubble_sort(name, n, bits, seed);
        }
        for name in ["dot-product", "dot-product-fast", "dot-product-mapped"] {
            check_dot_product(name, n, bits, seed);
        }
        for name in ["matmult", "matmult-fast", "matmult-mapped"] {
            check_matmult(name, n, bits, seed);
        }
        for name in ["triangle", "triangle-mapped"] {
            check_triangle(name, n, bits, seed);
        }
        for name in ["relu", "relu-mapped"] {
            check_relu(name, n, bits, seed);
        }
    }

    #[test]
    fn any_seed(outputs in 1..700u32, a: u32, b: u32) {
        for name in ["mersenne", "mersenne-folded"] {
            check_mersenne(name, outputs, [a, b]);
        }
    }

    #[test]
    fn any_points(
        points in prop::collection::vec((-100f32..100.0, -100f32..100.0), 1..6),
        rounds in 1..4u32,
    ) {
        check_gradient_descent(&points, rounds);
    }

    #[test]
    fn differences(bits in prop_oneof![1..600u32, 4090..4100u32], seed: u64) {
        for name in ["hamming", "hamming-mapped"] {
            check_hamming(name, bits, seed);
        }
    }

    #[test]
    fn shortest_paths(bits in 1..=32u32, a: u32, b: u32) {
        let (a, b) = (u128::from(a) >> (32 - bits), u128::from(b) >> (32 - bits));
        let inputs = [number(a, bits), number(b, bits)];
        let result = |name: &str| value(&run(&build(&format!("{name}:{bits}")), &inputs)[0]);
        let mask = (1 << bits) - 1;
        prop_assert_eq!(result("adder-fast"), (a + b) & mask);
        prop_assert_eq!(result("multiplier-fast"), (a * b) & mask);
        prop_assert_eq!(result("millionaires-fast"), u128::from(a > b));
    }
}

#[test]
fn paper_sizes() {
    check_bubble_sort("bubble-sort", 256, 32, 1);
    check_bubble_sort("sort", 256, 32, 1);
    check_dot_product("dot-product", 128, 32, 2);
    check_mersenne("mersenne", 1000, [0, 42]);
    check_triangle("triangle", 13, 32, 3);
    check_hamming("hamming", 40960, 4);
    check_matmult("matmult", 8, 32, 5);
    check_relu("relu", 2048, 32, 6);
    let line: Vec<(f32, f32)> = (0u8..6).map(|i| (i.into(), (2 * i + 1).into())).collect();
    check_gradient_descent(&line, 20);
}

/// Structured forms, without flattening, against the flat ones.
#[test]
fn structured_paper_sizes() {
    for (row, spec) in VIP.iter().zip(STRUCTURED) {
        let flat = build(row.program);
        let inputs = random::inputs_for(&flat, 7, 1);
        let found = clear::evaluate(&structured(spec), &inputs, 1).expect("evaluated");
        assert_eq!(found, run(&flat, &inputs), "{spec}");
    }
    // Three full rounds of outputs, and a part of a fourth.
    check_mersenne("mersenne-folded", 1900, [3, 9]);
}

/// As many ANDs as the flat forms or fewer: at the paper's sizes, and at some others.
#[test]
fn structured_and_counts() {
    for (row, spec) in VIP.iter().zip(STRUCTURED) {
        let (flat, mapped) = (build(row.program).gates.ands(), ands(&structured(spec)));
        assert!(mapped <= flat, "{spec}: {mapped} ANDs, flat {flat}");
        match row.paper {
            "Triangle" => assert_eq!(mapped, 804_548),
            "GradDesc" => assert_eq!(mapped, 855_564),
            _ => assert_eq!(mapped, flat, "{spec}"),
        }
    }
    for (name, form, parameters) in [
        ("bubble-sort", "bubble-sort-folded", "7x5"),
        ("dot-product", "dot-product-mapped", "13x8"),
        ("matmult", "matmult-mapped", "5x8"),
        ("relu", "relu-mapped", "3x8"),
    ] {
        let flat = build(&format!("{name}:{parameters}")).gates.ands();
        assert_eq!(ands(&structured(&format!("{form}:{parameters}"))), flat, "{form}");
    }
    for bits in (1..300).chain([1000, 4095, 4096]) {
        let flat = build(&format!("hamming:{bits}")).gates.ands();
        assert_eq!(ands(&structured(&format!("hamming-mapped:{bits}"))), flat, "{bits}");
    }
}

/// The gates in the text do not grow with the numbers, or grow with the square of the vertices.
#[test]
fn structured_forms_have_short_texts() {
    let gates = |spec: &str| text(&structured(spec)).0;
    for (large, small) in [
        ("bubble-sort-folded:100x8", "bubble-sort-folded:10x8"),
        ("dot-product-mapped:1024x8", "dot-product-mapped:16x8"),
        ("mersenne-folded:3000", "mersenne-folded:1000"),
        ("matmult-mapped:32x8", "matmult-mapped:8x8"),
        ("relu-mapped:1000x8", "relu-mapped:10x8"),
        ("gradient-descent-folded:2x100", "gradient-descent-folded:2x10"),
    ] {
        assert_eq!(gates(large), gates(small), "{large}");
    }
    assert!(gates("triangle-mapped:24x8") <= 4 * gates("triangle-mapped:12x8"));
    assert!(gates("hamming-mapped:1000000") <= 3 * gates("hamming-mapped:1000"));
}

/// The result is near the points' line, but only roughly, because the rate is small.
#[test]
fn descent_finds_a_line() {
    let line: Vec<(f32, f32)> = (0u8..10).map(|i| (i.into(), (2 * i + 1).into())).collect();
    let (weight, bias) = gradient_descent::plain(&line, 2000, Order::OneByOne);
    assert!((weight - 2.0).abs() < 0.1 && (bias - 1.0).abs() < 0.5, "{weight} {bias}");
}

#[test]
fn twister_of_the_first_release() {
    // The reference implementation of 1998 with its default seed, as its authors list it.
    assert_eq!(mersenne::plain(4357, 3), [2_867_219_139, 1_585_203_162, 3_113_124_129]);
}

/// AND counts at the paper's sizes. Columns: benchmark, Table 2's gates in thousands and share of
/// ANDs in hundredths of a percent, our ANDs.
#[test]
fn and_counts() {
    let table = [
        ("BubbSt", 12_534, 33_33, 255 * 255 * 64),
        ("DotProd", 381, 34_39, 128 * 993 + 127 * 31),
        ("Merse", 1_444, 27_15, 1247 * 100),
        ("Triangle", 6_979, 34_02, 2_283_717),
        ("Hamm", 328, 25_00, 40_958),
        ("MatMult", 1_515, 34_48, 512 * 993 + 448 * 31),
        ("ReLU", 68, 96_97, 2048 * 31),
        ("GradDesc", 6_343, 42_91, 867_122),
    ];
    let mut ratio = 1.0;
    for (row, (paper, gates_k, percent, expected)) in VIP.iter().zip(table) {
        assert_eq!(row.paper, paper);
        let ands = build(row.program).gates.ands();
        assert_eq!(ands, expected, "{paper}");
        let published = gates_k * percent / 10;
        // The largest number of ANDs that rounds to the table's figures.
        let most = (10 * gates_k + 5) * (10 * percent + 5) / 1000;
        assert!(ands <= most, "{paper}: {ands} ANDs, published {published}");
        if ["Hamm", "Merse", "Triangle", "GradDesc"].contains(&paper) {
            ratio *= published as f64 / ands as f64;
        }
    }
    assert!(ratio.powf(0.25) >= 1.6, "geometric mean {}", ratio.powf(0.25));
}

#[test]
fn lists_name_programs() {
    for row in VIP.iter().chain(&SMALL).chain([&SHRINKING_BUBBLE_SORT]) {
        assert!(find(row.program).is_some(), "{}", row.program);
        if let Some(latency) = row.latency {
            let (circuit, fast) = (build(row.program), build(latency));
            assert_eq!(fast.inputs, circuit.inputs, "{latency}");
            assert!(Stats::of(&fast).and_depth <= Stats::of(&circuit).and_depth, "{latency}");
        }
        assert_eq!((row.plaintext)(), (row.plaintext)(), "{}", row.paper);
    }
}
