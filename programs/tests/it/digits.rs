//! The network for handwritten digits in `examples/digits`: the circuit against plain Rust on all
//! held-out images, and how many it classifies correctly.

use crate::common::{self, build};
use crate::structured;
use halfgate_circuit::{Bits, clear};
use halfgate_programs::mlp;
use std::path::Path;

const LAYERS: [u32; 3] = [64, 32, 10];
const SHIFT: u32 = 5;
const SPEC: &str = "mlp:64-32-10/5";
/// Words of lanes: enough for an evaluation of all images at once.
const WORDS: usize = 6;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/digits").join(name);
    std::fs::read_to_string(path).expect("a file of the example")
}

/// The numbers of a line or a list.
fn numbers(text: &str) -> Vec<i32> {
    text.split(',').map(|number| number.parse().expect("a number")).collect()
}

fn weights_and_biases() -> (Vec<i8>, Vec<i32>) {
    let text = file("network.json");
    let list = |name: &str| {
        let (_, list) = text.split_once(&format!("\"{name}\":[")).expect("a list");
        numbers(list.split(']').next().expect("its end"))
    };
    let weight = |weight: i32| i8::try_from(weight).expect("8 bits");
    (list("weights").into_iter().map(weight).collect(), list("biases"))
}

/// The held-out images, which are the columns of a table.
fn images() -> Vec<Vec<u8>> {
    let text = file("images.csv");
    let columns = text.lines().next().expect("a line of names").split(',').count();
    let rows: Vec<Vec<i32>> = text.lines().skip(1).map(numbers).collect();
    let pixel = |row: &Vec<i32>, image: usize| u8::try_from(row[image]).expect("8 bits");
    (0..columns).map(|image| rows.iter().map(|row| pixel(row, image)).collect()).collect()
}

#[test]
fn held_out_images() {
    let ((weights, biases), images) = (weights_and_biases(), images());
    let labels: Vec<usize> =
        file("labels.csv").lines().skip(1).map(|label| label.parse().expect("a digit")).collect();
    assert_eq!(labels.len(), images.len());
    assert!(images.len() <= 64 * WORDS, "{} images", images.len());

    let bits_of = |bytes: Vec<u8>| Bits::from_bytes(&bytes);
    let weights_in_bits = bits_of(weights.iter().map(|&weight| weight as u8).collect());
    let biases_in_bits = biases.iter().flat_map(|bias| bias.to_le_bytes()[..3].to_vec());
    let network = [weights_in_bits, bits_of(biases_in_bits.collect())];
    let in_all_lanes = |bits: &Bits| -> Vec<[u64; WORDS]> {
        bits.iter().map(|bit| [if bit { !0 } else { 0 }; WORDS]).collect()
    };
    let mut inputs: Vec<_> = network.iter().map(in_all_lanes).collect();
    let mut pixels = vec![[0; WORDS]; 8 * 64];
    for (lane, image) in images.iter().enumerate() {
        for (wire, bit) in pixels.iter_mut().zip(Bits::from_bytes(image).iter()) {
            wire[lane / 64] |= u64::from(bit) << (lane % 64);
        }
    }
    inputs.push(pixels);
    let outputs = clear::evaluate_lanes(&build(SPEC), &inputs, 1).expect("evaluated");

    let mut correct = 0;
    for (lane, (image, &label)) in images.iter().zip(&labels).enumerate() {
        let class: usize =
            (0..4).map(|j| ((outputs[0][j][lane / 64] >> (lane % 64) & 1) as usize) << j).sum();
        let expected = mlp::plain(&LAYERS, SHIFT, &weights, &biases, image);
        assert_eq!(class, expected, "image {}", lane + 1);
        correct += usize::from(class == label);
    }
    // 97.8 %, as the example's page says.
    assert_eq!((correct, images.len()), (352, 360));

    // Functions, maps and folds, without flattening.
    let [weights, biases] = network;
    let outputs = structured::run(SPEC, &[weights, biases, Bits::from_bytes(&images[0])]);
    assert_eq!(common::value(&outputs[0]), labels[0] as u128);
}
