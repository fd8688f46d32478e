//! Quantised neural networks, against plain Rust.

use crate::common::{self, numbers, value};
use crate::structured::{run, structured};
use halfgate_circuit::Bits;
use halfgate_circuit::structured::clear;
use halfgate_programs::mlp;
use proptest::prelude::*;

fn bytes_of(values: &[i8]) -> Vec<u128> {
    values.iter().map(|&value| (value as u8).into()).collect()
}

/// A network, an image, and the class in plain Rust and from the circuit.
fn classes(
    layers: &[u32],
    shift: u32,
    weights: &[i8],
    biases: &[i32],
    image: &[u8],
    run: impl Fn(&str, &[Bits]) -> Vec<Bits>,
) -> (usize, u128) {
    let sizes: Vec<String> = layers.iter().map(u32::to_string).collect();
    let spec = match shift {
        mlp::SHIFT => format!("mlp:{}", sizes.join("-")),
        shift => format!("mlp:{}/{shift}", sizes.join("-")),
    };
    let biases_in_bits: Vec<u128> =
        biases.iter().map(|&bias| u128::from(bias as u32 & 0xff_ffff)).collect();
    let inputs =
        [numbers(&bytes_of(weights), 8), numbers(&biases_in_bits, 24), Bits::from_bytes(image)];
    let outputs = run(&spec, &inputs);
    (mlp::plain(layers, shift, weights, biases, image), value(&outputs[0]))
}

fn weights_of(layers: &[u32]) -> (usize, usize) {
    let weights = layers.windows(2).map(|pair| (pair[0] * pair[1]) as usize).sum();
    (weights, layers[1..].iter().sum::<u32>() as usize)
}

/// The largest sums of either sign do not overflow.
#[test]
fn extreme_networks() {
    for layers in [vec![70u32, 3, 2], vec![17, 2]] {
        let (weights, biases) = weights_of(&layers);
        for (weight, bias) in [(127i8, 0x7f_ffff), (-128, -0x80_0000)] {
            for image in [0, 255] {
                let image = vec![image; layers[0] as usize];
                // The two classes get different sums.
                let mut all = vec![weight; weights];
                all[weights - 1] = !weight;
                let (plain, class) = classes(&layers, 0, &all, &vec![bias; biases], &image, run);
                assert_eq!(class, plain as u128, "{layers:?} {weight}");
            }
        }
    }
    assert_eq!(mlp::sum_bits(784), 27);
}

/// A hidden neuron of each kind: class 1 wins if and only if its activation exceeds the bias of
/// class 0.
#[test]
fn activations_are_exact() {
    let inputs = 19;
    let image: Vec<u8> = (0..inputs).map(|i| (255 - 11 * i) as u8).collect();
    for (weight, shift) in [(127, 0), (127, 5), (127, 11), (127, 12), (1, 3), (-1, 0), (-128, 4)] {
        let weights: Vec<i8> = vec![weight; inputs as usize];
        let products: i64 = image.iter().map(|&x| i64::from(x) * i64::from(weight)).sum();
        // Sums at the limits of the activation, and the largest of either sign.
        let limit = 256i64 << shift;
        for sum in [-1, 0, 1, limit / 2, limit - 1, limit, 2 * limit, products, i64::MAX, i64::MIN]
        {
            let bias = sum.saturating_sub(products).clamp(-0x80_0000, 0x7f_ffff);
            let activation = ((products + bias).max(0) >> shift).min(255) as i32;
            let all = [&weights[..], &[0, 1]].concat();
            for (other, expected) in [(activation, 0), (activation - 1, 1)] {
                let biases = [bias as i32, other, 0];
                let layers = [inputs, 1, 2];
                let (plain, class) = classes(&layers, shift, &all, &biases, &image, run);
                assert_eq!((plain, class), (expected, expected as u128), "{weight} {shift} {sum}");
            }
        }
    }
}

/// A network as large as those for handwritten digits.
#[test]
fn a_network_for_digits() {
    let layers = [784, 32, 10];
    let (weights, biases) = weights_of(&layers);
    let random = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let weights: Vec<i8> = (0..weights).map(|i| random(i) as i8).collect();
    let biases: Vec<i32> = (0..biases).map(|i| random(7 * i + 1) as i32 % 100_000).collect();
    let evaluate = |spec: &str, inputs: &[Bits]| {
        clear::evaluate(&structured(spec), inputs, 1).expect("evaluated")
    };
    for seed in 0..3 {
        let image: Vec<u8> = (0..784).map(|i| random(31 * i + seed) as u8).collect();
        let (plain, class) = classes(&layers, 12, &weights, &biases, &image, evaluate);
        assert_eq!(class, plain as u128);
    }
}

fn network() -> impl Strategy<Value = (Vec<u32>, u32, Vec<i8>, Vec<i32>, Vec<u8>)> {
    let layers = (prop::collection::vec(1..20u32, 1..4), 2..6u32).prop_map(|(mut layers, last)| {
        layers.push(last);
        layers
    });
    layers.prop_flat_map(|layers| {
        let (weights, biases) = weights_of(&layers);
        let image = layers[0] as usize;
        let bias = prop_oneof![-3000..3000, -0x80_0000..0x80_0000];
        (
            Just(layers),
            0..14u32,
            prop::collection::vec(any::<i8>(), weights),
            prop::collection::vec(bias, biases),
            prop::collection::vec(any::<u8>(), image),
        )
    })
}

proptest! {
    #![proptest_config(common::cases(16))]

    #[test]
    fn class_of_an_image((layers, shift, weights, biases, image) in network()) {
        let (plain, class) = classes(&layers, shift, &weights, &biases, &image, run);
        prop_assert_eq!(class, plain as u128);
    }
}
