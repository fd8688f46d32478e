//! What the tests share: evaluation of a combinational circuit on 64 vectors at once, a
//! generator of numbers, and reading from strings.
#![allow(dead_code)]

use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Gates, Input, Output, Party, Wire};
use halfgate_frontends::bristol::{self, Options, ReadError};
use std::path::PathBuf;

/// The outputs, all bits in a row, for the inputs, all bits in a row; lane by lane.
///
/// Written here and not taken from the circuit crate, so that the two check each other.
pub fn evaluate(circuit: &Circuit, inputs: &[u64]) -> Vec<u64> {
    assert_eq!(inputs.len(), circuit.input_bits());
    let mut wires = inputs.to_vec();
    let bit = |wires: &[u64], bit: Bit| {
        let inverted = if bit.is_inverted() { !0 } else { 0 };
        bit.wire().map_or(0, |wire| wires[wire.index()]) ^ inverted
    };
    for gate in circuit.gates.iter() {
        let (value, invert) = match gate.kind() {
            GateKind::Xor { a, b, invert } => (wires[a.index()] ^ wires[b.index()], invert),
            GateKind::And { a, b, invert } => (bit(&wires, a) & bit(&wires, b), invert),
            GateKind::Copy { a, invert } => (wires[a.index()], invert),
        };
        wires.push(if invert { !value } else { value });
    }
    circuit.outputs.iter().flat_map(|out| &out.bits).map(|&b| bit(&wires, b)).collect()
}

/// `values` (one a lane) as `width` words, bit 0 first.
pub fn spread(values: &[u128], width: usize) -> Vec<u64> {
    (0..width)
        .map(|i| values.iter().rev().fold(0, |word, value| word << 1 | (value >> i & 1) as u64))
        .collect()
}

/// The inverse of [`spread`] for one lane.
pub fn gather(words: &[u64], lane: usize) -> u128 {
    words.iter().rev().fold(0, |value, word| value << 1 | u128::from(word >> lane & 1))
}

/// xorshift64*: the same numbers on every run.
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

pub fn read_str(text: &str) -> Result<Circuit, ReadError> {
    bristol::read(text.as_bytes(), "test.txt", &Options::default())
}

pub fn read_bytes(text: &[u8]) -> Result<Circuit, ReadError> {
    bristol::read(text, "test.txt", &Options::default())
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

/// Whether two circuits compute the same on 64 random vectors (and the corners of all zeros
/// and all ones).
pub fn assert_same_function(a: &Circuit, b: &Circuit, rng: &mut Rng) {
    assert_eq!(a.input_bits(), b.input_bits());
    let inputs: Vec<u64> = (0..a.input_bits()).map(|_| rng.next() << 2 | 0b10).collect();
    assert_eq!(evaluate(a, &inputs), evaluate(b, &inputs));
}

/// Every gate reads lower wires, every output bit is there, and gates never read constants.
pub fn assert_well_formed(circuit: &Circuit) {
    let first = circuit.first_gate_wire();
    for (i, gate) in circuit.gates.iter().enumerate() {
        assert!(gate.operands().all(|wire| wire.index() < first + i), "gate {i}: {gate:?}");
    }
    let bits = circuit.outputs.iter().flat_map(|output| &output.bits);
    assert!(bits.filter_map(|bit| bit.wire()).all(|wire| wire.index() < circuit.wires()));
}

/// A circuit with every kind of gate, and outputs that are gates, inputs, constants, inverted
/// and repeated.
pub fn random_circuit(rng: &mut Rng, inputs: &[(Party, u32)], gates: usize) -> Circuit {
    let inputs: Vec<Input> = inputs
        .iter()
        .enumerate()
        .map(|(i, &(party, width))| Input {
            name: format!("in{i}"),
            party,
            width,
            per_cycle: false,
        })
        .collect();
    let first = inputs.iter().map(|input| input.width as usize).sum::<usize>();
    assert!(first > 0);
    let bit = |rng: &mut Rng, wires: usize| {
        // Mostly near wires, so that depth grows; sometimes any.
        let back = if rng.below(4) == 0 { wires } else { wires.min(12) };
        Bit::new(Wire::new((wires - 1 - rng.below(back)) as u32), rng.below(2) == 0)
    };
    let gates: Gates = (0..gates)
        .map(|i| {
            let (a, b) = (bit(rng, first + i), bit(rng, first + i));
            let invert = rng.below(4) == 0;
            match rng.below(8) {
                0 => Gate::copy(a, invert),
                1..4 => Gate::xor(a, b, invert),
                _ => Gate::and(a, b, invert),
            }
        })
        .collect();
    let wires = first + gates.len();
    let outputs = (0..1 + rng.below(3))
        .map(|i| {
            let bits = (0..1 + rng.below(9))
                .map(|_| match rng.below(8) {
                    0 => Bit::constant(rng.below(2) == 0),
                    1 => Bit::new(Wire::new(rng.below(first) as u32), rng.below(2) == 0),
                    _ => bit(rng, wires),
                })
                .collect();
            Output { name: format!("out{i}"), bits, per_cycle: false }
        })
        .collect();
    Circuit { inputs, flip_flops: Vec::new(), gates, outputs, cycles: 1 }
}

/// A file of the samples beside the repository, if they are there.
pub fn sample(path: &str) -> Option<PathBuf> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/circuits").join(path);
    if !path.exists() {
        println!("not run: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// A file of this crate's own samples.
pub fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name)
}
