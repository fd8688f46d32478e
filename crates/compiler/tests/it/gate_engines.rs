//! Tests that the orders for gate engines do not change the function. Orders that only reorder are
//! compared with the baseline gate by gate.

use crate::common::{outputs, shapes};
use halfgate_circuit::verify::verify;
use halfgate_circuit::{Bit, Builder, Circuit, Gate, GateKind, Gates, Output, Party, Wire, random};
use halfgate_compiler::{Order, Program, compile};
use proptest::prelude::*;
use std::collections::HashMap;

/// Assigns numbers to wires. Two wires, also of different circuits with the same ports, have the
/// same number only if the same gates compute both.
#[derive(Default)]
struct Structures(HashMap<Structure, usize>);

/// How a wire is computed: an input, a flip-flop, or a gate on numbered operands.
#[derive(PartialEq, Eq, Hash)]
enum Structure {
    Given(usize),
    Gate(Gate),
}

impl Structures {
    fn number(&mut self, structure: Structure) -> usize {
        let next = self.0.len();
        *self.0.entry(structure).or_insert(next)
    }

    /// Returns the numbers of a circuit's gates in order, and those of its outputs and next states.
    fn of(&mut self, circuit: &Circuit) -> (Vec<usize>, Vec<Bit>) {
        let first = circuit.first_gate_wire();
        let mut wires: Vec<usize> = (0..first).map(|i| self.number(Structure::Given(i))).collect();
        for gate in circuit.gates.iter() {
            let number = |wire: Wire| Wire::new(wires[wire.index()] as u32).bit();
            wires.push(self.number(Structure::Gate(gate.map_operands(number))));
        }
        let outputs = circuit.outputs.iter().flat_map(|o| &o.bits);
        let nexts = circuit.flip_flops.iter().map(|f| f.next);
        let number = |bit: Bit| match bit.wire() {
            Some(wire) => Bit::new(Wire::new(wires[wire.index()] as u32), bit.is_inverted()),
            None => bit,
        };
        let taken = outputs.chain(nexts).map(number).collect();
        (wires.split_off(first), taken)
    }
}

/// Sorts the gates of each piece of `gates` gates by level, with the simplest algorithm. Returns
/// the gates' places.
fn sorted_by_level(circuit: &Circuit, gates: usize) -> Vec<usize> {
    let list: Vec<Gate> = circuit.gates.iter().collect();
    let mut order = Vec::new();
    for start in (0..list.len()).step_by(gates) {
        let first = circuit.first_gate_wire() + start;
        let mut levels: Vec<usize> = Vec::new();
        let piece = &list[start..list.len().min(start + gates)];
        for gate in piece {
            let levels_read = gate
                .operands()
                .filter_map(|wire| wire.index().checked_sub(first).map(|operand| levels[operand]));
            let level = 1 + levels_read.max().unwrap_or(0);
            levels.push(level);
        }
        let mut piece: Vec<usize> = (0..piece.len()).collect();
        piece.sort_by_key(|&gate| levels[gate]);
        order.extend(piece.iter().map(|gate| start + gate));
    }
    order
}

/// Checks that `order` is the baseline sorted by level in pieces.
fn is_baseline_by_levels(circuit: impl Fn() -> Circuit, order: Order, gates: usize) {
    let baseline = compile(circuit(), Order::HaacBaseline).unwrap().circuit;
    let sorted = compile(circuit(), order).unwrap().circuit;
    verify(&sorted).unwrap();
    let mut structures = Structures::default();
    let (before, taken_before) = structures.of(&baseline);
    let (after, taken_after) = structures.of(&sorted);
    let expected: Vec<usize> =
        sorted_by_level(&baseline, gates).into_iter().map(|gate| before[gate]).collect();
    assert_eq!(after, expected);
    assert_eq!(taken_after, taken_before);
    assert_eq!(sorted.inputs, baseline.inputs);
    assert_eq!(sorted.cycles, baseline.cycles);
    for (a, b) in sorted.outputs.iter().zip(&baseline.outputs) {
        assert_eq!((&a.name, a.per_cycle), (&b.name, b.per_cycle));
    }
    for (a, b) in sorted.flip_flops.iter().zip(&baseline.flip_flops) {
        assert_eq!(a.init, b.init);
    }
}

fn paper_orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::HaacBaseline),
        Just(Order::HaacFull),
        (1u32..300).prop_map(|gates| Order::HaacSegment { gates }),
    ]
}

fn orders() -> impl Strategy<Value = Order> {
    let best = (1u32..20, 4u32..9).prop_map(|(engines, bits)| {
        format!("haac:best:engines={engines},window={}", 1 << bits).parse().unwrap()
    });
    prop_oneof![3 => paper_orders(), 1 => best]
}

proptest! {
    #[test]
    fn the_function_stays(seed: u64, shape in shapes(), order in orders()) {
        let circuit = random::circuit(seed, &shape);
        let expected = outputs(&circuit, seed);
        let ands = circuit.gates.ands();
        let program = compile(circuit, order).unwrap();
        verify(&program.circuit).unwrap();
        prop_assert_eq!(outputs(&program.circuit, seed), expected);
        prop_assert!(program.ands_per_cycle() <= ands);
    }

    #[test]
    fn no_gate_inverts(seed: u64, shape in shapes(), order in paper_orders()) {
        let Program { circuit, .. } = compile(random::circuit(seed, &shape), order).unwrap();
        for gate in circuit.gates.iter() {
            let inverts = match gate.kind() {
                GateKind::Xor { invert, .. } | GateKind::Copy { invert, .. } => invert,
                GateKind::And { a, b, invert } => a.is_inverted() || b.is_inverted() || invert,
            };
            prop_assert!(!inverts, "{:?}", gate);
        }
    }

    #[test]
    fn no_gate_is_dead_or_a_copy(seed: u64, shape in shapes(), order in orders()) {
        let Program { circuit, .. } = compile(random::circuit(seed, &shape), order).unwrap();
        let mut read = vec![false; circuit.wires()];
        let outputs = circuit.outputs.iter().flat_map(|o| &o.bits);
        let nexts = circuit.flip_flops.iter().map(|f| f.next);
        for wire in outputs.chain(nexts).filter_map(|bit| bit.wire()) {
            read[wire.index()] = true;
        }
        for gate in circuit.gates.iter() {
            let copy = matches!(gate.kind(), GateKind::Copy { .. });
            // In the order `haac:best`, copies are the COPY and INV instructions. Other orders have
            // no copies.
            prop_assert!(!copy || matches!(order, Order::HaacBest(_)), "{:?}", gate);
            gate.operands().for_each(|wire| read[wire.index()] = true);
        }
        prop_assert!(read[circuit.first_gate_wire()..].iter().all(|&read| read));
    }

    #[test]
    fn full_is_the_baseline_by_levels(seed: u64, shape in shapes()) {
        let circuit = || random::circuit(seed, &shape);
        is_baseline_by_levels(circuit, Order::HaacFull, usize::MAX >> 1);
    }

    #[test]
    fn segments_are_pieces_by_levels(seed: u64, shape in shapes(), gates in 1u32..300) {
        let circuit = || random::circuit(seed, &shape);
        is_baseline_by_levels(circuit, Order::HaacSegment { gates }, gates as usize);
    }

    #[test]
    fn both_parties_derive_the_same_program(seed: u64, shape in shapes(), order in orders()) {
        let hash = |order: &str| {
            compile(random::circuit(seed, &shape), order.parse().unwrap()).unwrap().hash
        };
        let named = order.to_string();
        prop_assert_eq!(hash(&named), compile(random::circuit(seed, &shape), order).unwrap().hash);
    }
}

/// Circuits that consist only of flip-flops, per-cycle ports, constants and inversions.
#[test]
fn small_machines_keep_their_function() {
    for (name, _) in random::machines() {
        let circuit = || {
            let mut machines = random::machines().into_iter();
            let (_, machine) = machines.find(|(other, _)| *other == name).unwrap();
            Circuit { cycles: 5, ..machine }
        };
        let expected = outputs(&circuit(), 1);
        for order in ["haac:baseline", "haac:full", "haac:segment:2", "haac:best"] {
            let program = compile(circuit(), order.parse().unwrap()).unwrap();
            verify(&program.circuit).unwrap();
            assert_eq!(outputs(&program.circuit, 1), expected, "{name} in {order}");
        }
    }
}

#[test]
fn programs_keep_their_function() {
    let specs = [
        "aes128",
        "aes128-rounds:2",
        "decision-tree:4x4",
        "divide:16",
        "edit-distance:8x8",
        "hamming:1000",
        "knn:8x2x1",
        "logistic:4",
        "psi:8x8",
        "sha256-block",
        "sort:10x8",
    ];
    for spec in specs {
        let circuit = || halfgate_programs::build(spec).unwrap();
        let expected = outputs(&circuit(), 1);
        for order in ["haac:baseline", "haac:full", "haac:segment:300", "haac:best:window=256"] {
            let program = compile(circuit(), order.parse().unwrap()).unwrap();
            verify(&program.circuit).unwrap();
            assert_eq!(outputs(&program.circuit, 1), expected, "{spec} in {order}");
            assert!(program.ands_per_cycle() <= circuit().gates.ands(), "{spec} in {order}");
        }
    }
}

/// Tests a list of gates that continues in a file, and a number of gates that is not a multiple of
/// the piece.
#[test]
fn bodies_longer_than_a_list_in_memory_are_ordered() {
    let gates = Gates::IN_MEMORY as u32 + 100_000;
    let wire = |i: u32| Wire::new(i).bit();
    let circuit = || {
        // Two interleaved chains whose gates invert their operands.
        let gate = |i: u32| match i % 4 {
            0 | 1 => Gate::and(!wire(i), wire(i / 2), true),
            _ => Gate::xor(wire(i), wire(i / 3), true),
        };
        let output = |bits: Vec<Bit>| Output {
            name: "y".to_owned(),
            bits: bits.into(),
            per_cycle: false,
            elements: None,
        };
        let mut b = Builder::new();
        b.input("x", Party::Garbler, 2);
        Circuit {
            gates: (0..gates).map(gate).collect(),
            outputs: vec![output(vec![wire(gates), wire(gates + 1)])],
            ..b.finish().unwrap()
        }
    };
    let program = compile(circuit(), Order::HaacSegment { gates: 70_001 }).unwrap();
    assert!(program.circuit.gates.len() > Gates::IN_MEMORY);
    assert_eq!(outputs(&program.circuit, 1), outputs(&circuit(), 1));
}
