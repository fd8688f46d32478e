//! Helpers for the tests of orders.

use halfgate_circuit::Circuit;
use halfgate_circuit::clear::evaluate_lanes;
use halfgate_circuit::random::{self, Shape};
use proptest::prelude::*;

/// Returns the outputs of `circuit` for 64 sets of random inputs. The inputs depend only on the
/// seed.
pub fn outputs(circuit: &Circuit, seed: u64) -> Vec<Vec<[u64; 1]>> {
    let inputs: Vec<Vec<[u64; 1]>> = circuit
        .inputs
        .iter()
        .zip(seed..)
        .map(|(port, seed)| {
            let times = if port.per_cycle { circuit.cycles as usize } else { 1 };
            let len = port.width as usize * times;
            let bits = random::bits(seed, 64 * len);
            let word = |i| (0..64).fold(0, |word, j| word << 1 | u64::from(bits.get(64 * i + j)));
            (0..len).map(|i| [word(i)]).collect()
        })
        .collect();
    evaluate_lanes(circuit, &inputs, circuit.cycles).unwrap()
}

pub fn shapes() -> impl Strategy<Value = Shape> {
    (1u32..40, prop_oneof![Just(0u32), 0u32..20], 0u32..500, 0u32..=100, 1u32..60).prop_map(
        |(input_bits, flip_flops, gates, and_percent, output_bits)| Shape {
            input_bits,
            flip_flops,
            gates,
            and_percent,
            output_bits,
        },
    )
}
