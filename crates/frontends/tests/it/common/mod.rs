//! Test helpers: evaluation of a circuit on 64 vectors at once, random circuits, and reading and
//! writing in memory.
#![allow(dead_code)]

pub mod netlist;

use halfgate_circuit::clear;
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::verify::verify;
use halfgate_circuit::{Bit, Circuit, Input, Output, Party};
use halfgate_frontends::bristol::{self, Options, ReadError};
use std::path::PathBuf;

/// Evaluates a circuit in 64 lanes. Inputs and outputs are lists of the bits of all ports.
pub fn evaluate(circuit: &Circuit, inputs: &[u64]) -> Vec<u64> {
    let mut words = inputs.iter().copied();
    let ports: Vec<Vec<u64>> = circuit
        .inputs
        .iter()
        .map(|input| words.by_ref().take(input.width as usize).collect())
        .collect();
    evaluate_ports(circuit, &ports, 1)
}

/// Evaluates a circuit for several cycles. Inputs and outputs are ordered by port, then by cycle.
pub fn evaluate_ports(circuit: &Circuit, ports: &[Vec<u64>], cycles: u64) -> Vec<u64> {
    let ports: Vec<Vec<[u64; 1]>> =
        ports.iter().map(|words| words.iter().map(|&word| [word]).collect()).collect();
    let outputs =
        clear::evaluate_lanes(circuit, &ports, cycles).expect("the inputs fit the circuit");
    outputs.into_iter().flatten().flatten().collect()
}

/// Converts `values` (one per lane) to `width` words, bit 0 first.
pub fn spread(values: &[u128], width: usize) -> Vec<u64> {
    (0..width)
        .map(|i| values.iter().rev().fold(0, |word, value| word << 1 | (value >> i & 1) as u64))
        .collect()
}

/// The inverse of [`spread`] for one lane.
pub fn gather(words: &[u64], lane: usize) -> u128 {
    words.iter().rev().fold(0, |value, word| value << 1 | u128::from(word >> lane & 1))
}

/// A generator of pseudorandom numbers (xorshift64*), which gives the same numbers in every run.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit
    }
}

/// Reads a circuit, and verifies it if reading succeeds.
pub fn read_bytes(text: &[u8]) -> Result<Circuit, ReadError> {
    let circuit = bristol::read(text, "test.txt", &Options::default())?;
    verify(&circuit).expect("the reader gives valid circuits");
    Ok(circuit)
}

pub fn read_str(text: &str) -> Result<Circuit, ReadError> {
    read_bytes(text.as_bytes())
}

pub fn fashion(circuit: &Circuit) -> Vec<u8> {
    let mut text = Vec::new();
    bristol::write_fashion(circuit, &mut text).expect("the circuit can be written as Fashion");
    text
}

pub fn old(circuit: &Circuit) -> Vec<u8> {
    let mut text = Vec::new();
    bristol::write_old(circuit, &mut text).expect("the circuit can be written as old");
    text
}

/// Asserts that two circuits compute the same on 64 vectors: all zeros, all ones, and random ones.
pub fn assert_same_function(a: &Circuit, b: &Circuit, rng: &mut Rng) {
    assert_eq!(a.input_bits(), b.input_bits());
    let inputs: Vec<u64> = (0..a.input_bits()).map(|_| rng.next() << 2 | 0b10).collect();
    assert_eq!(evaluate(a, &inputs), evaluate(b, &inputs));
}

/// A random circuit with the given inputs, and one to three outputs.
pub fn random_circuit(rng: &mut Rng, inputs: &[(Party, u32)], gates: usize) -> Circuit {
    let shape = Shape {
        input_bits: inputs.iter().map(|(_, width)| width).sum(),
        flip_flops: 0,
        gates: gates as u32,
        and_percent: 50,
        output_bits: 1 + rng.below(20) as u32,
    };
    let mut circuit = random::circuit(rng.next(), &shape);
    let input = |(i, &(party, width))| Input {
        name: format!("in{i}"),
        party,
        width,
        per_cycle: false,
        elements: None,
        is_set: false,
    };
    circuit.inputs = inputs.iter().enumerate().map(input).collect();
    let mut bits: Vec<Bit> =
        circuit.outputs.drain(..).flat_map(|output| output.bits.to_vec()).collect();
    // Random outputs are often inverted gates, but rarely constants.
    bits.insert(rng.below(bits.len() + 1), Bit::constant(rng.below(2) == 0));
    let width = bits.len().div_ceil(1 + rng.below(3));
    circuit.outputs = (0..)
        .zip(bits.chunks(width))
        .map(|(i, bits): (u32, _)| Output {
            name: format!("out{i}"),
            bits: bits.to_vec().into(),
            per_cycle: false,
            elements: None,
        })
        .collect();
    verify(&circuit).expect("a random circuit is valid");
    circuit
}

/// Returns the path of a sample outside the repository, in a folder beside it, if the sample
/// exists.
pub fn sample(path: &str) -> Option<PathBuf> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/circuits").join(path);
    if !path.exists() {
        println!("not run: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// Returns the path of a sample in this crate.
pub fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name)
}
