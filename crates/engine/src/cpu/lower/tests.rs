//! Runs code on plain values, 64 at once, and compares with evaluation in the clear. Checks that
//! segments keep the kernels' rules and that inputs are requested in the prescribed order.

use super::*;
use crate::cpu::chunk::{Chunk, Gives, Loads};
use halfgate_circuit::clear::evaluate_lanes;
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Gates, Input, Output, Party};
use halfgate_compiler::{Order, compile};
use halfgate_kernels::ops::Segment;
use proptest::prelude::*;
use std::collections::HashSet;

/// Memory of the interpreter: `None` until an address is written.
type Memory = Vec<Option<u64>>;

fn read(memory: &Memory, address: u32) -> u64 {
    memory[address as usize].expect("an address is read after it is written")
}

/// The value of `wire` in `cycle`, as a caller's `io` would supply it.
fn input_value(circuit: &Circuit, inputs: &[Vec<[u64; 1]>], cycle: u64, wire: Wire) -> u64 {
    let ports = circuit.inputs_with_wires().zip(inputs);
    let ((first, port), value) = ports
        .filter(|((first, _), _)| *first <= wire)
        .filter(|((_, port), _)| port.width > 0)
        .last()
        .expect("an input bit");
    let bit = wire.index() - first.index();
    let skipped = if port.per_cycle { cycle as usize * port.width as usize } else { 0 };
    value[skipped + bit][0]
}

/// The order of inputs that `io.rs` prescribes, for the first cycle and for later ones.
fn input_order(circuit: &Circuit, cycle: u64) -> Vec<Wire> {
    let inits = circuit.flip_flops.iter().filter_map(|f| match f.init {
        Init::Input(wire) => Some(wire),
        Init::Constant(_) => None,
    });
    let gates = circuit.gates.iter().flat_map(|gate| gate.operands().collect::<Vec<_>>());
    let nexts = circuit.flip_flops.iter().filter_map(|f| f.next.wire());
    let outputs = circuit.outputs.iter().flat_map(|o| &o.bits).filter_map(|bit| bit.wire());
    let per_cycle: Vec<bool> =
        circuit.inputs.iter().flat_map(|port| vec![port.per_cycle; port.width as usize]).collect();
    let mut seen = HashSet::new();
    inits
        .chain(gates)
        .chain(nexts)
        .chain(outputs)
        .filter(|wire| wire.index() < circuit.input_bits() && seen.insert(*wire))
        .filter(|wire| cycle == 0 || per_cycle[wire.index()])
        .collect()
}

struct Run<'a> {
    circuit: &'a Circuit,
    inputs: &'a [Vec<[u64; 1]>],
    cycle: u64,
    memory: Memory,
    requested: Vec<Wire>,
    outputs: Vec<Vec<Option<u64>>>,
}

impl Run<'_> {
    fn load(&mut self, loads: &Loads) {
        assert_eq!(loads.wires.len(), loads.addresses.len());
        for (&wire, &address) in loads.wires.iter().zip(&loads.addresses) {
            let value = input_value(self.circuit, self.inputs, self.cycle, wire);
            self.memory[address as usize] = Some(value);
            self.requested.push(wire);
        }
    }

    fn moves(&mut self, moves: &[Move]) {
        for &Move { from, to, invert } in moves {
            let value = read(&self.memory, from) ^ u64::from(invert).wrapping_neg();
            self.memory[to as usize] = Some(value);
        }
    }

    fn give(&mut self, gives: &Gives) {
        for ((&bit, &address), &inverted) in
            gives.bits.iter().zip(&gives.addresses).zip(&gives.inverted)
        {
            let value = read(&self.memory, address) ^ u64::from(inverted).wrapping_neg();
            let cell = &mut self.outputs[bit as usize][self.cycle as usize];
            assert_eq!(cell.replace(value), None, "output bit {bit} is given out twice");
        }
    }

    fn operations(&mut self, chunk: &Chunk, window: usize) {
        let (mut moves, mut xors, mut ands) = (0, 0, 0);
        let in_window = |slot: u16| assert!(usize::from(slot) < window);
        for segment in &chunk.segments {
            assert_ne!(*segment, Segment::default());
            self.moves(&chunk.moves[moves..][..segment.moves as usize]);
            moves += segment.moves as usize;
            for xor in &chunk.xors[xors..][..segment.xors as usize] {
                [xor.a, xor.b, xor.c].into_iter().for_each(in_window);
                let value = read(&self.memory, xor.a.into()) ^ read(&self.memory, xor.b.into());
                self.memory[usize::from(xor.c)] = Some(value);
            }
            xors += segment.xors as usize;
            let group = &chunk.ands[ands..][..segment.ands as usize];
            ands += group.len();
            for (i, and) in group.iter().enumerate() {
                [and.a, and.b, and.c].into_iter().for_each(in_window);
                for other in group[..i].iter().chain(&group[i + 1..]) {
                    assert!(and.c != other.a && and.c != other.b && and.c != other.c);
                }
                let a = read(&self.memory, and.a.into());
                let b = read(&self.memory, and.b.into());
                let inverted = |flag| u64::from(and.flags & flag != 0).wrapping_neg();
                let value = (a ^ inverted(And::INVERT_A)) & (b ^ inverted(And::INVERT_B));
                self.memory[usize::from(and.c)] = Some(value);
            }
        }
        assert_eq!(
            (moves, xors, ands),
            (chunk.moves.len(), chunk.xors.len(), chunk.ands.len()),
            "the segments cover the lists"
        );
        assert_eq!(ands, chunk.positions.len());
    }
}

/// Lowers and runs `circuit` on random values, checks everything, and returns the code.
fn check(circuit: Circuit, order: Order, how: Lowering, seed: u64) -> Code {
    let program = compile(circuit, order).unwrap();
    let circuit = &program.circuit;
    let cycles = circuit.cycles;
    let inputs: Vec<Vec<[u64; 1]>> = circuit
        .inputs
        .iter()
        .zip(seed..)
        .map(|(port, seed)| {
            let len = port.width as usize * if port.per_cycle { cycles as usize } else { 1 };
            let bits = random::bits(seed, 64 * len);
            let word = |i| (0..64).fold(0, |word, j| word << 1 | u64::from(bits.get(64 * i + j)));
            (0..len).map(|i| [word(i)]).collect()
        })
        .collect();
    let expected = evaluate_lanes(circuit, &inputs, cycles).unwrap();

    let code = lower(&program, how).unwrap();
    let mut run = Run {
        circuit,
        inputs: &inputs,
        cycle: 0,
        memory: vec![None; code.memory],
        requested: Vec::new(),
        outputs: vec![vec![None; cycles as usize]; circuit.output_bits()],
    };
    if let Some(address) = code.start.constant {
        run.memory[address as usize] = Some(0);
    }
    run.load(&code.start.inputs);
    run.moves(&code.start.moves);
    let mut chunks = code.chunks();
    for cycle in 0..cycles {
        run.cycle = cycle;
        let mut positions = Vec::new();
        while let Some(chunk) = chunks.next().unwrap() {
            assert!(chunk.ands.len() <= how.chunk.max(1));
            run.load(chunk.inputs(cycle));
            run.operations(chunk, how.window);
            run.give(&chunk.outputs_each);
            if cycle == cycles - 1 {
                run.give(&chunk.outputs_last);
            }
            positions.extend_from_slice(&chunk.positions);
        }
        chunks.rewind();
        run.moves(&code.latch);
        assert_eq!(std::mem::take(&mut run.requested), input_order(circuit, cycle));
        let ands = (0u32..).zip(circuit.gates.iter()).filter(|(_, gate)| gate.is_and());
        assert!(ands.map(|(position, _)| position).eq(positions));
    }
    compare_outputs(circuit, &run.outputs, &expected);
    code
}

fn compare_outputs(circuit: &Circuit, found: &[Vec<Option<u64>>], expected: &[Vec<[u64; 1]>]) {
    let mut number = 0;
    for (port, expected) in circuit.outputs.iter().zip(expected) {
        for (i, bit) in port.bits.iter().enumerate() {
            let mut values = found[number].iter().flatten();
            let wanted = expected.iter().skip(i).step_by(port.bits.len());
            match bit.as_constant() {
                Some(_) => assert_eq!(values.next(), None, "constants are never given out"),
                None => assert!(values.eq(wanted.map(|[word]| word)), "output bit {number}"),
            }
            number += 1;
        }
    }
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Given), (1u32..200).prop_map(|window| Order::Grouped { window })]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn code_computes_what_the_circuit_does(
        seed: u64,
        (input_bits, flip_flops) in (1u32..40, prop_oneof![Just(0u32), 0u32..20]),
        (gates, and_percent) in (0u32..600, 0u32..=100),
        output_bits in 1u32..60,
        order in orders(),
        window in prop_oneof![8usize..24, Just(64), Just(WINDOW)],
        chunk in prop_oneof![1usize..40, Just(4096)],
    ) {
        let shape = Shape { input_bits, flip_flops, gates, and_percent, output_bits };
        check(random::circuit(seed, &shape), order, Lowering { window, chunk }, seed);
    }

    #[test]
    fn times_of_reads_change_nothing_if_all_labels_fit(
        seed: u64,
        (input_bits, flip_flops) in (1u32..30, 0u32..10),
        (gates, and_percent) in (0u32..400, 0u32..=100),
        output_bits in 1u32..40,
        order in orders(),
        window in 8usize..100,
        chunk in 1usize..8,
    ) {
        let shape = Shape { input_bits, flip_flops, gates, and_percent, output_bits };
        let program = compile(random::circuit(seed, &shape), order).unwrap();
        let how = Lowering { window, chunk };
        let codes = [how.most_alive(), 0].map(|most| lower_with(&program, how, most).unwrap());
        let [mut short, mut long] = codes.each_ref().map(Code::chunks);
        while let Some(chunk) = short.next().unwrap() {
            prop_assert_eq!(Some(chunk), long.next().unwrap());
        }
        prop_assert_eq!(long.next().unwrap(), None);
        prop_assert_eq!(&codes[0].latch, &codes[1].latch);
    }
}

/// A chain of gates: each reads the previous gate and an input.
fn chain(gates: u32) -> Circuit {
    let inputs = ["a", "b"].map(|name| Input {
        name: name.to_owned(),
        party: Party::Garbler,
        width: 1,
        per_cycle: false,
        elements: None,
        is_set: false,
    });
    let operand = |i: u32| Wire::new(i).bit();
    let gate = |i: u32| match i % 3 {
        0 => Gate::and(operand(i + 1), !operand(0), i.is_multiple_of(2)),
        _ => Gate::xor(operand(i + 1), operand(0), i.is_multiple_of(5)),
    };
    Circuit {
        inputs: inputs.into(),
        flip_flops: Vec::new(),
        gates: (0..gates).map(gate).collect::<Gates>(),
        outputs: vec![Output {
            name: "out".to_owned(),
            bits: vec![operand(gates + 1)].into(),
            per_cycle: false,
            elements: None,
        }],
        cycles: 1,
    }
}

#[test]
fn a_long_chain_lives_in_two_slots() {
    let code = check(chain(1_000_000), Order::Given, Lowering::default(), 1);
    assert_eq!(code.peak_live, 2);
    assert_eq!(code.memory, WINDOW);
    let mut chunks = code.chunks();
    while let Some(chunk) = chunks.next().unwrap() {
        assert!(chunk.moves.is_empty());
        assert!(chunk.xors.iter().all(|xor| xor.a < 3 && xor.b < 3 && xor.c < 3));
    }
}

#[test]
fn code_longer_than_memory_runs_from_its_file() {
    let code = check(chain(9_000_000), Order::Given, Lowering::default(), 2);
    assert!(code.chunks.in_file() > 0, "the test is longer than memory");
}

#[test]
fn a_shift_register_shifts() {
    // Flip-flop i takes the value of i - 1, inverted for odd i. The first takes a constant, the
    // last itself inverted.
    let count = 20u32;
    let wire = |i| Wire::new(1 + i);
    let next = |i| match i {
        0 => Bit::TRUE,
        _ if i == count - 1 => !wire(i).bit(),
        _ => Bit::new(wire(i - 1), i % 2 == 1),
    };
    let init = |i| match i % 3 {
        0 => Init::Input(Wire::new(0)),
        _ => Init::Constant(i % 3 == 1),
    };
    for window in [8, 128] {
        let circuit = Circuit {
            inputs: vec![Input {
                name: "seed".to_owned(),
                party: Party::Evaluator,
                width: 1,
                per_cycle: false,
                elements: None,
                is_set: false,
            }],
            flip_flops: (0..count)
                .map(|i| halfgate_circuit::FlipFlop { init: init(i), next: next(i) })
                .collect(),
            gates: Gates::new(),
            outputs: vec![Output {
                name: "state".to_owned(),
                bits: (0..count).map(|i| wire(i).bit()).collect(),
                per_cycle: true,
                elements: None,
            }],
            cycles: 30,
        };
        check(circuit, Order::default(), Lowering { window, chunk: 16 }, 3);
    }
}

/// A circuit with `count` inputs, all read once and then once more in the same order.
fn reread(count: u32) -> Circuit {
    let operand = |i: u32| Wire::new(i).bit();
    // Gate i drives wire count + i.
    let before = |i: u32| if i == 0 { operand(0) } else { operand(count + i - 1) };
    let gates = (0..count - 1).map(|i| Gate::xor(before(i), operand(i + 1), false));
    let sum = 2 * count - 2;
    let again = (0..count).map(|i| Gate::and(operand(sum + i), !operand(i), false));
    Circuit {
        inputs: vec![Input {
            name: "in".to_owned(),
            party: Party::Evaluator,
            width: count,
            per_cycle: false,
            elements: None,
            is_set: false,
        }],
        flip_flops: Vec::new(),
        gates: gates.chain(again).collect(),
        outputs: vec![Output {
            name: "out".to_owned(),
            bits: vec![operand(sum + count)].into(),
            per_cycle: false,
            elements: None,
        }],
        cycles: 1,
    }
}

#[test]
fn more_wires_than_the_window_holds_are_spilled() {
    for (count, window) in [(100, 16), (WINDOW as u32 + 20_000, WINDOW)] {
        let how = Lowering { window, chunk: 4096 };
        let code = check(reread(count), Order::Given, how, 4);
        let mut moves = 0;
        let mut chunks = code.chunks();
        while let Some(chunk) = chunks.next().unwrap() {
            moves += chunk.moves.len();
        }
        // An input is loaded for each of its two reads and spilled between them, at most.
        assert!((1..=3 * count as usize).contains(&moves), "{moves} moves");
        assert!(code.memory > WINDOW && code.memory <= WINDOW + count as usize);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Few gates and many flip-flops: most take the value of another, in rings and chains, inverted
    /// or not.
    #[test]
    fn flip_flops_that_take_from_each_other_all_change_at_once(
        seed: u64,
        (input_bits, flip_flops, gates) in (1u32..12, 1u32..50, 0u32..24),
        (and_percent, output_bits) in (0u32..=100, 1u32..16),
        order in orders(),
        window in prop_oneof![8usize..24, 64usize..240, Just(WINDOW)],
        chunk in prop_oneof![1usize..6, Just(4096)],
    ) {
        let shape = Shape { input_bits, flip_flops, gates, and_percent, output_bits };
        let mut circuit = random::circuit(seed, &shape);
        circuit.cycles = 9;
        check(circuit, order, Lowering { window, chunk }, seed);
    }
}
