use super::*;
use crate::builder::Builder;
use crate::circuit::Party;
use crate::gate::Gate;
use crate::int;
use crate::random::{self, Shape};
use proptest::prelude::*;

#[test]
fn every_gate_with_every_inversion() {
    for flags in 0..8u32 {
        let flag = |i: u32| flags >> i & 1 == 1;
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 2);
        let (p, q) = (x[0].invert_if(flag(0)), x[1].invert_if(flag(1)));
        b.output("y", &[Bit::FALSE]);
        let mut circuit = b.finish().unwrap();
        let gates = [Gate::and(p, q, flag(2)), Gate::xor(p, q, flag(2)), Gate::copy(p, flag(2))];
        circuit.gates = gates.into_iter().collect();
        circuit.outputs[0].bits = (2..5).map(|i| crate::Wire::new(i).bit()).collect();
        for value in 0..4 {
            let input = Bits::from_integer(value, 2);
            let (p, q) = (input.get(0) ^ flag(0), input.get(1) ^ flag(1));
            let expected = [(p && q) ^ flag(2), p ^ q ^ flag(2), p ^ flag(2)];
            let found = evaluate(&circuit, &[input], 1).unwrap();
            assert_eq!(found, [Bits::from_bools(&expected)], "flags {flags:03b}, {value:02b}");
        }
    }
}

/// A running sum that starts from an input, adds a new value in each cycle, and toggles a bit.
fn accumulator() -> Circuit {
    let mut b = Builder::new();
    let start = b.input("start", Party::Garbler, 8);
    let step = b.input_per_cycle("step", Party::Evaluator, 8);
    let sum: Vec<Bit> =
        start.iter().map(|bit| b.flip_flop(Init::Input(bit.wire().unwrap()))).collect();
    let odd = b.flip_flop(Init::Constant(true));
    let next = int::add(&mut b, &sum, &step);
    sum.iter().zip(&next).for_each(|(&q, &next)| b.set_next(q, next));
    b.set_next(odd, !odd);
    b.output("last", &next);
    b.output_per_cycle("so_far", &sum);
    b.output_per_cycle("odd", &[odd]);
    b.set_cycles(3);
    b.finish().unwrap()
}

#[test]
fn state_and_per_cycle_ports() {
    let inputs = [Bits::from_bytes(&[5]), Bits::from_bytes(&[10, 20, 230])];
    let outputs = evaluate(&accumulator(), &inputs, 3).unwrap();
    let expected =
        [Bits::from_bytes(&[9]), Bits::from_bytes(&[5, 15, 35]), Bits::from_integer(0b101, 3)];
    assert_eq!(outputs, expected);
}

#[test]
fn wrong_values_are_refused() {
    let circuit = accumulator();
    let start = Bits::with_len(8);
    let error = evaluate(&circuit, std::slice::from_ref(&start), 1).unwrap_err();
    assert_eq!(error, ClearError::Inputs { expected: 2, found: 1 });
    let error = evaluate(&circuit, &[start.clone(), Bits::with_len(8)], 2).unwrap_err();
    let expected = ClearError::Width { name: "step".into(), expected: 16, found: 8, cycles: 2 };
    assert_eq!(error, expected);
    let error = evaluate(&circuit, &[start.clone(), start.clone()], u64::MAX).unwrap_err();
    assert!(matches!(error, ClearError::Width { .. }));
    let error = evaluate(&circuit, &[start.clone(), start.clone()], 0).unwrap_err();
    assert_eq!(error, ClearError::NoCycles);
    let invalid = Circuit { cycles: 0, ..circuit };
    let error = evaluate(&invalid, &[start.clone(), start], 1).unwrap_err();
    assert_eq!(error, ClearError::Invalid(VerifyError::NoCycles));
}

proptest! {
    #[test]
    fn lanes_agree_with_single_runs(
        seed: u64,
        gates in 0u32..150,
        flip_flops in 0u32..4,
        lane in 0usize..128,
    ) {
        let circuit = random::circuit(seed, &Shape { gates, flip_flops, ..Shape::default() });
        let lanes: Vec<Vec<Bits>> =
            (0..128).map(|lane| random::inputs_for(&circuit, seed ^ lane, circuit.cycles)).collect();
        let packed: Vec<Vec<[u64; 2]>> = (0..circuit.inputs.len())
            .map(|port| (0..lanes[0][port].len()).map(|bit| pack(&lanes, port, bit)).collect())
            .collect();
        let together = evaluate_lanes(&circuit, &packed, circuit.cycles).unwrap();
        let alone = evaluate(&circuit, &lanes[lane], circuit.cycles).unwrap();
        for (together, alone) in together.iter().zip(&alone) {
            let of_lane: Bits =
                together.iter().map(|words| words[lane / 64] >> (lane % 64) & 1 == 1).collect();
            prop_assert_eq!(&of_lane, alone);
        }
    }
}

fn pack(lanes: &[Vec<Bits>], port: usize, bit: usize) -> [u64; 2] {
    let mut words = [0; 2];
    for (lane, values) in lanes.iter().enumerate() {
        words[lane / 64] |= u64::from(values[port].get(bit)) << (lane % 64);
    }
    words
}
