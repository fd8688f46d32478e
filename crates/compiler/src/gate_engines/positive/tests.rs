//! These tests count XORs and remembered wires. The tests in `tests/it` check that a circuit's
//! function stays the same.

use super::*;
use crate::dead::{Copies, drop_dead};
use crate::gate_engines::inverted_inputs;
use halfgate_circuit::clear::evaluate_lanes;
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Bit, Builder, Gate, GateKind, Input, Output, Party, int};
use proptest::prelude::*;

const ALL: [Inversions; 3] = [Inversions::Rewritten, Inversions::AtInputs, Inversions::InCopies];

proptest! {
    #[test]
    fn the_function_stays_and_inversions_are_where_they_may_be(
        seed: u64,
        gates in 0u32..600,
        flip_flops in 0u32..9,
    ) {
        let shape = Shape { gates, flip_flops, ..Shape::default() };
        for inversions in ALL {
            let (circuit, uses) = drop_dead(random::circuit(seed, &shape), Copies::Drop).unwrap();
            let expected = outputs(&circuit, seed);
            let ands = circuit.gates.ands();
            let circuit = run(&circuit, uses, inversions).unwrap().into_circuit(circuit);
            prop_assert_eq!(outputs(&circuit, seed), expected);
            prop_assert_eq!(circuit.gates.ands(), ands);
            for gate in circuit.gates.iter() {
                let [at_inputs, elsewhere, copy] = match gate.kind() {
                    GateKind::And { a, b, invert } => {
                        [a.is_inverted() || b.is_inverted(), invert, false]
                    }
                    GateKind::Xor { invert, .. } => [false, invert, false],
                    GateKind::Copy { invert, .. } => [false, !invert, true],
                };
                prop_assert!(!elsewhere, "{:?}", gate);
                prop_assert!(!at_inputs || inversions != Inversions::Rewritten, "{:?}", gate);
                prop_assert!(!copy || inversions == Inversions::InCopies, "{:?}", gate);
            }
        }
    }
}

/// Returns the outputs of `circuit` for random inputs.
fn outputs(circuit: &Circuit, seed: u64) -> Vec<Vec<[u64; 1]>> {
    let value = |port: &Input| {
        let times = if port.per_cycle { circuit.cycles as usize } else { 1 };
        let bits = random::bits(seed ^ u64::from(port.width), 64 * times * port.width as usize);
        bits.words().iter().map(|&word| [word]).collect()
    };
    let inputs: Vec<Vec<[u64; 1]>> = circuit.inputs.iter().map(value).collect();
    evaluate_lanes(circuit, &inputs, circuit.cycles).unwrap()
}

/// An S-box has 32 ANDs, which read sums of its inputs. If inputs are inverted, the sums are
/// inverted too. Inverting at the ANDs would take an instruction for nearly every AND of the 200
/// S-boxes; inverting where the sums begin takes at most three per S-box.
#[test]
fn inversions_are_moved_to_where_sums_begin() {
    let circuit = halfgate_programs::build("aes128").unwrap();
    let (circuit, uses) = drop_dead(circuit, Copies::Drop).unwrap();
    let given = circuit.gates.len();
    let after = with_copies(circuit, uses).unwrap();
    assert!(after.gates.iter().any(|gate| matches!(gate.kind(), GateKind::Copy { .. })));
    let more = after.gates.len() + inverted_inputs(&after).unwrap().wires as usize - given;
    assert!(more <= 3 * 200, "{more} instructions more");
}

fn rewritten(circuit: Circuit) -> Circuit {
    let uses = Uses::of(&circuit).unwrap();
    positive(circuit, uses).unwrap()
}

/// Number of additional XORs if `f`, a function of two 32-bit numbers, is computed without
/// inversions.
fn additional_xors(f: impl FnOnce(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>) -> i64 {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 32);
    let y = b.input("y", Party::Evaluator, 32);
    let z = f(&mut b, &x, &y);
    b.output("z", &z);
    let circuit = b.finish().unwrap();
    let before = (circuit.gates.len() as i64, circuit.gates.ands());
    let after = rewritten(circuit);
    assert_eq!(after.gates.ands(), before.1);
    after.gates.len() as i64 - before.0
}

#[test]
fn differences_and_comparisons_take_no_xor_more_for_each_bit() {
    assert_eq!(additional_xors(int::add), 0);
    assert_eq!(additional_xors(int::sub), 0);
    assert_eq!(additional_xors(|b, x, y| vec![int::lt_unsigned(b, x, y)]), 0);
}

#[test]
fn sums_that_others_read_are_made_once() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 8);
    let and = b.and(!x[0], x[1]);
    let sums: Vec<_> = x[2..].iter().map(|&bit| b.xor(and, bit)).collect();
    b.output("z", &sums);
    assert_eq!(rewritten(b.finish().unwrap()).gates.len(), 1 + 1 + 6);
}

/// A bit that many ANDs read inverted gets an inverting instruction. The carries of a difference do
/// not.
#[test]
fn inversions_stay_where_they_serve_many() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 32);
    let y = b.input("y", Party::Evaluator, 32);
    let difference = int::sub(&mut b, &x, &y);
    let sign = difference[31];
    let kept: Vec<_> = x.iter().map(|&bit| b.and(bit, !sign)).collect();
    b.output("z", &kept);
    let circuit = b.finish().unwrap();
    let (gates, ands) = (circuit.gates.len(), circuit.gates.ands());
    let uses = Uses::of(&circuit).unwrap();
    let after = run(&circuit, uses, Inversions::AtInputs).unwrap().into_circuit(circuit);
    assert_eq!((after.gates.len(), after.gates.ands()), (gates, ands));
    let inverted = inverted_inputs(&after).unwrap();
    assert_eq!((inverted.inputs, inverted.wires), (32, 1));
}

/// Waiting sums and names of wires are removed when the wires are no longer read.
#[test]
fn memory_does_not_grow_with_the_gates() {
    let gates = 200_000;
    let wire = |i: u32| Wire::new(i).bit();
    let gate = |i: u32| match i % 3 {
        0 => Gate::and(!wire(i), wire(i + 1), false),
        1 => Gate::xor(wire(i), wire(i + 1), true),
        _ => Gate::and(!wire(i), !wire(i + 1), true),
    };
    let mut b = Builder::new();
    b.input("x", Party::Garbler, 2);
    let circuit = Circuit { gates: (0..gates).map(gate).collect(), ..b.finish().unwrap() };
    let output = Output {
        name: "y".to_owned(),
        bits: vec![wire(gates), wire(gates + 1)].into(),
        per_cycle: false,
        elements: None,
    };
    let circuit = Circuit { outputs: vec![output], ..circuit };
    for inversions in ALL {
        let uses = Uses::of(&circuit).unwrap();
        let rewriter = run(&circuit, uses, inversions).unwrap();
        assert!(rewriter.gates.len() >= gates as usize);
        assert!(rewriter.names.peak() <= 4, "{} remembered", rewriter.names.peak());
        assert!(rewriter.waiting.iter().all(Option::is_none));
    }
}
