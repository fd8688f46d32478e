//! Test helper: circuits of lists of values, evaluated on 64 sets of values at a time.

use crate::builder::Builder;
use crate::circuit::{Circuit, Party};
use crate::clear::evaluate_lanes;
use crate::id::Bit;
use crate::verify::verify;

/// The circuit of a function, with the widths of its input values.
pub(crate) struct Lanes {
    pub(crate) circuit: Circuit,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

impl Lanes {
    /// Builds the circuit of `f`, which maps values of the given widths to a list of values. Widths
    /// may be 0.
    pub(crate) fn new(
        widths: &[usize],
        f: impl FnOnce(&mut Builder, &[Vec<Bit>]) -> Vec<Vec<Bit>>,
    ) -> Lanes {
        let mut b = Builder::new();
        let port = b.input("x", Party::Garbler, widths.iter().sum::<usize>().max(1) as u32);
        let mut rest = &port[..];
        let inputs: Vec<Vec<Bit>> =
            widths.iter().map(|&width| rest.split_off(..width).unwrap().to_vec()).collect();
        let outputs = f(&mut b, &inputs);
        // One more bit, because a port cannot be empty.
        b.output("y", &[outputs.concat(), vec![Bit::FALSE]].concat());
        let circuit = b.finish().unwrap();
        verify(&circuit).unwrap();
        let outputs = outputs.iter().map(Vec::len).collect();
        Lanes { circuit, inputs: widths.to_vec(), outputs }
    }

    /// Returns the function's values for each set of values.
    pub(crate) fn run(&self, sets: &[Vec<u128>]) -> Vec<Vec<u128>> {
        sets.chunks(64).flat_map(|sets| self.run_64(sets)).collect()
    }

    fn run_64(&self, sets: &[Vec<u128>]) -> Vec<Vec<u128>> {
        let mut port: Vec<[u64; 1]> = Vec::new();
        for (i, &width) in self.inputs.iter().enumerate() {
            for bit in 0..width {
                let lane = |(lane, set): (usize, &Vec<u128>)| ((set[i] >> bit & 1) as u64) << lane;
                port.push([sets.iter().enumerate().map(lane).sum()]);
            }
        }
        port.resize(self.circuit.inputs[0].width as usize, [0]);
        let output = evaluate_lanes(&self.circuit, &[port], 1).unwrap().remove(0);
        let values = |lane: usize| {
            let mut bits = output.iter().map(|word| u128::from(word[0] >> lane & 1));
            let mut value = |&width: &usize| (0..width).map(|i| bits.next().unwrap() << i).sum();
            self.outputs.iter().map(&mut value).collect()
        };
        (0..sets.len()).map(values).collect()
    }

    /// ANDs of the circuit.
    pub(crate) fn ands(&self) -> u64 {
        self.circuit.gates.ands()
    }
}

/// Compares a function of `n` elements of `width` bits with `expected` on random lists, and returns
/// its circuit.
#[track_caller]
pub(crate) fn check_list(
    (n, width): (usize, usize),
    build: impl FnOnce(&mut Builder, &[Vec<Bit>]) -> Vec<Vec<Bit>>,
    expected: impl Fn(&[u128]) -> Vec<u128>,
) -> Lanes {
    let widths = vec![width; n];
    let lanes = Lanes::new(&widths, build);
    let sets = random_sets(n as u64, &widths, 64);
    for (set, found) in sets.iter().zip(lanes.run(&sets)) {
        assert_eq!(found, expected(set), "{n} elements: {set:?}");
    }
    lanes
}

/// Returns `count` sets of random values of the given widths, the same each time.
pub(crate) fn random_sets(seed: u64, widths: &[usize], count: usize) -> Vec<Vec<u128>> {
    let all = crate::random::bits(seed, count * widths.iter().sum::<usize>());
    let mut bits = (0..all.len()).map(|i| u128::from(all.get(i)));
    let mut value = |&width: &usize| (0..width).map(|i| bits.next().unwrap() << i).sum();
    (0..count).map(|_| widths.iter().map(&mut value).collect()).collect()
}
