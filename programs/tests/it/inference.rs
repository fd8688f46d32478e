//! Decision tree, logistic regression and nearest neighbours, against the same functions in plain
//! Rust; and tests of these plain functions.

use crate::common::{self, build, number, numbers, run, value};
use halfgate_circuit::Bits;
use halfgate_programs::{decision_tree, knn, logistic};
use proptest::prelude::*;

/// `values` as elements of `width` bits, in two's complement.
fn signed(values: impl IntoIterator<Item = i64>, width: u32) -> Bits {
    let mask = u128::MAX >> (128 - width);
    let values: Vec<u128> = values.into_iter().map(|x| x as u128 & mask).collect();
    numbers(&values, width)
}

fn bytes(values: &[u8]) -> Bits {
    Bits::from_bytes(values)
}

fn tree_class(feature: &[u8], threshold: &[i32], leaf: &[u8], x: &[i32]) -> u8 {
    let circuit = build(&format!("decision-tree:{}x{}", leaf.len().ilog2(), x.len()));
    let thresholds = signed(threshold.iter().map(|&t| t.into()), 32);
    let case = signed(x.iter().map(|&x| x.into()), 32);
    value(&run(&circuit, &[bytes(feature), thresholds, bytes(leaf), case])[0]) as u8
}

/// Probability and class that the circuit computes for a model and features.
fn logistic_result(weights: &[i16], bias: i16, x: &[i16]) -> (u16, bool) {
    let circuit = build(&format!("logistic:{}", x.len()));
    let list = |list: &[i16]| signed(list.iter().map(|&x| x.into()), 16);
    let outputs = run(&circuit, &[list(weights), signed([bias.into()], 16), list(x)]);
    (value(&outputs[0]) as u16, outputs[1].get(0))
}

proptest! {
    #![proptest_config(common::cases(32))]

    #[test]
    fn trees(
        depth in 1..=5u32,
        // Few values, so that some equal a threshold; some feature numbers are out of range.
        feature in prop::collection::vec(0..12u8, 31),
        threshold in prop::collection::vec(prop_oneof![-3..3i32, any::<i32>()], 31),
        leaf: [u8; 32],
        x in prop::collection::vec(prop_oneof![-3..3i32, any::<i32>()], 1..12),
    ) {
        let (nodes, leaves) = ((1 << depth) - 1, 1 << depth);
        let (feature, threshold) = (&feature[..nodes], &threshold[..nodes]);
        let expected = decision_tree::plain(feature, threshold, &leaf[..leaves], &x);
        prop_assert_eq!(tree_class(feature, threshold, &leaf[..leaves], &x), expected);
    }

    #[test]
    fn logistic_regression(
        model in prop::collection::vec((any::<i16>(), any::<i16>()), 1..8),
        scale in 0..12u32,
        bias: i16,
    ) {
        // Small numbers too, so that the sum is not always in the constant part.
        let (weights, x): (Vec<i16>, Vec<i16>) =
            model.iter().map(|&(weight, x)| (weight >> scale, x >> (scale / 2))).unzip();
        let bias = bias >> (scale / 2);
        let plain = logistic::plain(&weights, bias, &x);
        prop_assert_eq!(logistic_result(&weights, bias, &x), plain);

        let products = weights.iter().zip(&x).map(|(&w, &x)| f64::from(w) * f64::from(x));
        let sum = f64::from(bias) / 4096.0 + products.sum::<f64>() / 2f64.powi(24);
        let error = f64::from(plain.0) / 65536.0 - 1.0 / (1.0 + (-sum).exp());
        prop_assert!(error.abs() < 1.0 / 1024.0, "{} off at {}", error, sum);
        prop_assert_eq!(plain.1, sum >= 0.0);
    }

    #[test]
    fn nearest_neighbours(
        dimensions in 1..5usize,
        k in 1..7usize,
        labelled in prop::collection::vec((any::<[u8; 4]>(), 0..4u8), 7..20),
        query: [u8; 4],
        close: bool,
    ) {
        // Small numbers make many distances equal.
        let mask = if close { 3 } else { 255 };
        let part = |point: &[u8]| -> Vec<u8> { point[..dimensions].iter().map(|c| c & mask).collect() };
        let points: Vec<Vec<u8>> = labelled.iter().map(|(point, _)| part(point)).collect();
        let labels: Vec<u8> = labelled.iter().map(|&(_, label)| label).collect();
        let circuit = build(&format!("knn:{}x{dimensions}x{k}", points.len()));
        let inputs = [bytes(&points.concat()), bytes(&labels), bytes(&part(&query))];
        let expected = knn::plain(&points, &labels, &part(&query), k);
        prop_assert_eq!(value(&run(&circuit, &inputs)[0]), u128::from(expected));
    }
}

/// All steps of 2^-12 from -9 to 9, in plain Rust, which tests above compare with the circuit.
#[test]
fn the_sigmoid_is_as_near_as_documented() {
    let mut worst = 0f64;
    for bias in -36_864..36_864i32 {
        // A bias cannot exceed 8, so a feature of 1.0 adds the other half of the sum.
        let (half, rest) = (bias / 2, bias - bias / 2);
        let (found, _) = logistic::plain(&[half as i16], rest as i16, &[4096]);
        let exact = 1.0 / (1.0 + (-f64::from(bias) / 4096.0).exp());
        worst = worst.max((f64::from(found) / 65536.0 - exact).abs());
    }
    assert!(worst < 1.0 / 1024.0 && worst > 1.0 / 2048.0, "{worst}");
}

#[test]
fn the_largest_model_does_not_overflow() {
    for x in [i16::MIN, i16::MAX] {
        let (weights, x) = ([i16::MIN; 128], [x; 128]);
        let plain = logistic::plain(&weights, i16::MIN, &x);
        assert_eq!(logistic_result(&weights, i16::MIN, &x), plain);
    }
}

#[test]
fn ties_go_to_the_first() {
    // All points are at distance 1, so the first three count. Each of their labels occurs once.
    let points: Vec<Vec<u8>> = [4, 6, 4, 6].iter().map(|&c| vec![c]).collect();
    assert_eq!(knn::plain(&points, &[7, 8, 9, 9], &[5], 3), 7);
    assert_eq!(knn::plain(&points, &[7, 8, 8, 9], &[5], 3), 8);
    assert_eq!(knn::plain(&points, &[7, 8, 8, 7], &[5], 4), 7);
    let circuit = build("knn:4x1x3");
    let inputs = [bytes(&points.concat()), bytes(&[7, 8, 9, 9]), number(5, 8)];
    assert_eq!(value(&run(&circuit, &inputs)[0]), 7);
}

/// A tree with one decision: cases at most the threshold go to the left leaf.
#[test]
fn equal_goes_left() {
    for (x, class) in [(-6, 1), (-5, 1), (-4, 2)] {
        assert_eq!(tree_class(&[1], &[-5], &[1, 2], &[9, x]), class);
        assert_eq!(decision_tree::plain(&[1], &[-5], &[1, 2], &[9, x]), class);
    }
}
