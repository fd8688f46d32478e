//! Tests that orders change the gates but not the function, and that the hash follows its
//! specification.

use crate::common::{outputs, shapes};
use halfgate_circuit::random;
use halfgate_circuit::verify::verify;
use halfgate_circuit::{
    Bit, Circuit, FlipFlop, Gate, GateKind, Gates, Init, Input, Output, Party, Wire,
};
use halfgate_compiler::{Order, Program, compile};
use proptest::prelude::*;

proptest! {
    #[test]
    fn grouping_keeps_the_function(seed: u64, shape in shapes(), window in 1u32..300) {
        let circuit = random::circuit(seed, &shape);
        let expected = outputs(&circuit, seed);
        let ands = circuit.gates.ands();
        let program = compile(circuit, Order::Grouped { window }).unwrap();
        verify(&program.circuit).unwrap();
        prop_assert_eq!(outputs(&program.circuit, seed), expected);
        prop_assert!(program.ands_per_cycle() <= ands);
    }

    #[test]
    fn grouping_leaves_no_dead_gate_and_no_copy(seed: u64, shape in shapes(), window in 1u32..300) {
        let circuit = random::circuit(seed, &shape);
        let Program { circuit, .. } = compile(circuit, Order::Grouped { window }).unwrap();
        let mut read = vec![false; circuit.wires()];
        let outputs = circuit.outputs.iter().flat_map(|o| &o.bits);
        let nexts = circuit.flip_flops.iter().map(|f| f.next);
        for wire in outputs.chain(nexts).filter_map(|bit| bit.wire()) {
            read[wire.index()] = true;
        }
        for gate in circuit.gates.iter() {
            let copy = matches!(gate.kind(), GateKind::Copy { .. });
            prop_assert!(!copy, "{:?}", gate);
            gate.operands().for_each(|wire| read[wire.index()] = true);
        }
        prop_assert!(read[circuit.first_gate_wire()..].iter().all(|&read| read));
    }

    #[test]
    fn the_given_order_keeps_every_gate(seed: u64, shape in shapes()) {
        let gates: Vec<Gate> = random::circuit(seed, &shape).gates.iter().collect();
        let program = compile(random::circuit(seed, &shape), Order::Given).unwrap();
        prop_assert!(program.circuit.gates.iter().eq(gates));
    }

    #[test]
    fn both_parties_derive_the_same_program(seed: u64, shape in shapes(), window in 1u32..300) {
        let order = Order::Grouped { window };
        let hash = || compile(random::circuit(seed, &shape), order).unwrap().hash;
        prop_assert_eq!(hash(), hash());
    }
}

fn port(name: &str, party: Party, width: u32, per_cycle: bool) -> Input {
    Input { name: name.to_owned(), party, width, per_cycle, elements: None, is_set: false }
}

fn wire(number: u32) -> Bit {
    Wire::new(number).bit()
}

/// Builds `lanes` chains of `length` ANDs, one chain after the other.
fn chains(lanes: u32, length: u32) -> Circuit {
    let gate = |i: u32| {
        let (lane, step) = (i / length, i % length);
        let before = if step == 0 { lane } else { lanes + i };
        Gate::and(wire(before), wire(lanes), false)
    };
    let last = |lane| wire(lanes + (lane + 1) * length);
    Circuit {
        inputs: vec![port("in", Party::Garbler, lanes + 1, false)],
        flip_flops: Vec::new(),
        gates: (0..lanes * length).map(gate).collect(),
        outputs: vec![Output {
            name: "out".to_owned(),
            bits: (0..lanes).map(last).collect(),
            per_cycle: false,
            elements: None,
        }],
        cycles: 1,
    }
}

#[test]
fn independent_ands_stand_together() {
    let (lanes, length) = (16, 10);
    let program = compile(chains(lanes, length), Order::Grouped { window: 160 }).unwrap();
    let first = program.circuit.first_gate_wire();
    for (i, gate) in program.circuit.gates.iter().enumerate() {
        // The `lanes` ANDs of equal depth read only wires from before the first of these ANDs.
        let depth_starts = first + i / lanes as usize * lanes as usize;
        assert!(gate.operands().all(|operand| operand.index() < depth_starts), "gate {i}");
    }
}

#[test]
fn a_body_longer_than_a_list_in_memory_is_compiled() {
    let length = Gates::IN_MEMORY as u32 + 100_000;
    let program = compile(chains(1, length), Order::default()).unwrap();
    assert_eq!(program.ands_per_cycle(), u64::from(length));
    // Only one order of a chain is possible.
    let given = compile(chains(1, length), Order::Given).unwrap();
    assert_eq!(program.hash, given.hash);
}

/// A circuit with all features: two inputs, a flip-flop, an AND, an XOR, a copy.
fn small() -> Circuit {
    let gates = [
        Gate::and(!wire(0), wire(2), true),
        Gate::xor(wire(3), wire(1), true),
        Gate::copy(wire(4), true),
    ];
    Circuit {
        inputs: vec![port("a", Party::Garbler, 1, false), port("b", Party::Evaluator, 1, true)],
        flip_flops: vec![FlipFlop { init: Init::Input(Wire::new(0)), next: !wire(4) }],
        gates: gates.into_iter().collect(),
        outputs: vec![Output {
            name: "c".to_owned(),
            bits: vec![wire(5), Bit::TRUE].into(),
            per_cycle: true,
            elements: None,
        }],
        cycles: 3,
    }
}

fn hash(circuit: Circuit) -> [u8; 32] {
    compile(circuit, Order::Given).unwrap().hash.0
}

#[test]
fn the_hash_is_that_of_the_specified_bytes() {
    let mut bytes = b"halfgate program 1\n".to_vec();
    bytes.extend([2, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0, 0, 1, 0, 0, 0]); // the garbler's, per run, one bit
    bytes.extend([1, 1, 1, 0, 0, 0]); // the evaluator's, per cycle, one bit
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0, 0, 0, 0, 9, 0, 0, 0]); // starts with wire 0, next is not wire 4
    bytes.extend([3, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0b011, 0, 0, 0, 2 << 2 | 0b01, 0, 0, 0]); // not (not wire 0 and wire 2)
    bytes.extend([3 << 2, 0, 0, 0, 1 << 2 | 0b01, 0, 0, 0]); // not (wire 3 xor wire 1)
    bytes.extend([4 << 2 | 0b10, 0, 0, 0, 0b01, 0, 0, 0]); // not wire 4
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([1, 2, 0, 0, 0, 0, 0, 0, 0]); // per cycle, two bits
    bytes.extend([10, 0, 0, 0, 255, 255, 255, 255]); // wire 5, and the constant 1
    assert_eq!(hash(small()), *blake3::hash(&bytes).as_bytes());
}

#[test]
fn names_and_cycles_are_not_hashed_and_all_else_is() {
    type Change = (bool, fn(&mut Circuit));
    let changes: [Change; 10] = [
        (false, |c| c.inputs[0].name.push('x')),
        (false, |c| c.outputs[0].name.push('x')),
        (false, |c| c.cycles = 7),
        (true, |c| c.inputs[1].party = Party::Garbler),
        (true, |c| c.inputs[1].per_cycle = false),
        (true, |c| c.flip_flops[0].init = Init::Constant(false)),
        (true, |c| c.flip_flops[0].next = wire(4)),
        (true, |c| c.gates.push(Gate::copy(wire(5), false)).unwrap()),
        (true, |c| {
            let first = c.outputs[0].bits.get(0).unwrap();
            c.outputs[0].bits = vec![first, Bit::FALSE].into();
        }),
        (true, |c| c.outputs[0].per_cycle = false),
    ];
    for (number, (hashed, change)) in changes.into_iter().enumerate() {
        let mut changed = small();
        change(&mut changed);
        assert_eq!(hash(changed) != hash(small()), hashed, "change {number}");
    }
}
