//! Helpers for the tests of all programs.
#![allow(dead_code)]

use halfgate_circuit::{Bits, Circuit, clear, verify};
use proptest::test_runner::Config;

/// A configuration with this number of random cases. A failure prints its input and writes no file.
pub fn cases(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// Builds `spec` and checks that the circuit is valid.
pub fn build(spec: &str) -> Circuit {
    let circuit = halfgate_programs::build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    verify::verify(&circuit).unwrap_or_else(|error| panic!("{spec}: {error}"));
    circuit
}

/// The outputs of `circuit`, run for its own number of cycles.
pub fn run(circuit: &Circuit, inputs: &[Bits]) -> Vec<Bits> {
    clear::evaluate(circuit, inputs, circuit.cycles).unwrap()
}

/// `value` in `width` bits.
pub fn number(value: u128, width: u32) -> Bits {
    Bits::from_integer(value, width as usize)
}

/// `values` in sequence, `width` bits each.
pub fn numbers(values: &[u128], width: u32) -> Bits {
    let mut bits = Bits::new();
    values.iter().for_each(|&value| bits.append(&number(value, width)));
    bits
}

/// The integer in `bits`, which has at most 128 bits.
pub fn value(bits: &Bits) -> u128 {
    bits.to_integer().unwrap()
}

/// The integers of `width` bits in `bits`.
pub fn values(bits: &Bits, width: usize) -> Vec<u128> {
    (0..bits.len()).step_by(width).map(|start| value(&bits.slice(start, width))).collect()
}
