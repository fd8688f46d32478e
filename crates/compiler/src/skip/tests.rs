//! Tests that the remaining gates compute the same as the whole body, and that gates that can be
//! skipped are skipped.

use super::{Follow, Known, Signal, Skipper, State};
use crate::{Order, Program, Skips, compile};
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Bit, Bits, Builder, Circuit, Party, clear};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A value in place of each label that an engine would hold. Reading a wire without a value fails,
/// and so does dropping a label twice.
#[derive(Default)]
struct Values(HashMap<u32, bool>);

impl Values {
    fn of(&self, signal: Signal) -> bool {
        let Some(wire) = signal.wire() else { return signal.is_inverted() };
        let value = self.0.get(&wire);
        value.unwrap_or_else(|| panic!("w{wire} has no label")) ^ signal.is_inverted()
    }

    fn drop(&mut self, wire: u32) {
        assert!(self.0.remove(&wire).is_some(), "w{wire} is given up twice");
    }
}

/// Runs the remaining gates of `program` in the clear. Returns the outputs, and the number of ANDs
/// that ran.
fn run(program: &Program, inputs: &[Bits], cycles: u64) -> (Vec<Bits>, u64) {
    let circuit = &program.circuit;
    let requested = halfgate_circuit::first_uses(circuit);
    let mut skipper = Skipper::new(program);
    let mut values = Values::default();
    let mut outputs: Vec<Bits> = circuit.outputs.iter().map(|_| Bits::default()).collect();
    let mut left = 0;
    for cycle in 0..cycles {
        for ((first, input), bits) in circuit.inputs_with_wires().zip(inputs) {
            for at in 0..input.width {
                let wire = first.number() + at;
                if !requested.iter().any(|requested| requested.number() == wire) {
                    continue;
                }
                let at = at as usize;
                if input.per_cycle {
                    let value = bits.get(cycle as usize * input.width as usize + at);
                    values.0.insert(wire, value);
                } else if cycle == 0 {
                    values.0.insert(wire, bits.get(at));
                }
            }
        }
        let last = cycle + 1 == cycles;
        let decided = skipper.decide(last);
        left += decided.ands;
        let (ops, given) = (decided.ops.to_vec(), decided.given.to_vec());
        decided.unused.iter().for_each(|&wire| values.drop(wire));
        let mut before = 0;
        for op in &ops {
            assert!(op.wire > before, "gates keep their order");
            before = op.wire;
            let [a, b] = op.operands.map(|operand| values.of(operand));
            let value = if op.and.is_some() { a & b } else { a ^ b };
            for (operand, last) in op.operands.iter().zip(op.last) {
                last.then(|| values.drop(operand.wire().unwrap()));
            }
            values.0.insert(op.wire, value);
        }
        for (output, bits) in circuit.outputs.iter().zip(&mut outputs) {
            if output.per_cycle || last {
                output.bits.iter().for_each(|bit| bits.push(values.of(skipper.signal(bit))));
            }
        }
        given.iter().for_each(|&wire| values.drop(wire));
        let carried: Vec<(u32, bool)> = skipper
            .latch()
            .iter()
            .map(|&(from, to)| (to, values.0.remove(&from).expect("a label to carry")))
            .collect();
        values.0.extend(carried);
        let per_run = |wire: u32| (wire as usize) < circuit.input_bits();
        let held = values.0.keys().filter(|&&wire| !per_run(wire)).count();
        assert!(held <= circuit.flip_flops.len(), "labels that nobody gives up pile up");
    }
    (outputs, left)
}

fn skipping(circuit: Circuit) -> Program {
    compile(circuit, Order::Given).unwrap().skipping(Skips::default())
}

#[test]
fn remaining_gates_of_random_circuits_compute_the_same() {
    let mut skipped = 0;
    for seed in 0..300 {
        let shape = Shape {
            input_bits: 1 + seed as u32 % 9,
            flip_flops: seed as u32 % 23,
            gates: 1 + seed as u32 % 190,
            and_percent: 20 + seed as u32 % 60,
            output_bits: 1 + seed as u32 % 7,
        };
        let circuit = random::circuit(seed, &shape);
        let cycles = if circuit.is_sequential() { 1 + seed % 6 } else { 1 };
        let inputs = random::inputs_for(&circuit, seed, cycles);
        let wanted = clear::evaluate(&circuit, &inputs, cycles).unwrap();
        let all = circuit.gates.ands() * cycles;
        let (outputs, left) = run(&skipping(circuit), &inputs, cycles);
        assert_eq!(outputs, wanted, "seed {seed}");
        skipped += all - left;
    }
    assert!(skipped > 1000, "{skipped}");
}

/// A processor of two registers. A public counter selects the register to read, and the register to
/// which the sum is written.
fn tiny_processor() -> Circuit {
    let mut b = Builder::new();
    let input = b.input("x", Party::Garbler, 8);
    let other = b.input("y", Party::Evaluator, 8);
    let which = b.flip_flop(halfgate_circuit::Init::Constant(false));
    let registers: Vec<Vec<Bit>> = [input, other]
        .iter()
        .map(|start| {
            let start = start.iter().map(|bit| bit.wire().unwrap());
            start.map(|wire| b.flip_flop(halfgate_circuit::Init::Input(wire))).collect()
        })
        .collect();
    let mux = |b: &mut Builder, s: Bit, x: &[Bit], y: &[Bit]| -> Vec<Bit> {
        let choose = |(&x, &y): (&Bit, &Bit)| {
            let difference = b.xor(x, y);
            let chosen = b.and(s, difference);
            b.xor(chosen, y)
        };
        x.iter().zip(y).map(choose).collect()
    };
    let read = mux(&mut b, which, &registers[1], &registers[0]);
    let not_read = mux(&mut b, which, &registers[0], &registers[1]);
    let mut carry = Bit::FALSE;
    let mut sum = Vec::new();
    for (&x, &y) in read.iter().zip(&not_read) {
        let (p, q) = (b.xor(x, carry), b.xor(y, carry));
        let both = b.and(p, q);
        sum.push(b.xor(p, y));
        carry = b.xor(both, carry);
    }
    for (at, register) in registers.iter().enumerate() {
        let write = if at == 1 { which } else { !which };
        let next = mux(&mut b, write, &sum, register);
        register.iter().zip(next).for_each(|(&bit, next)| b.set_next(bit, next));
    }
    b.set_next(which, !which);
    b.output("sum", &sum);
    b.set_cycles(4);
    b.finish().unwrap()
}

#[test]
fn a_selection_by_a_public_counter_costs_nothing() {
    let circuit = tiny_processor();
    let all = circuit.gates.ands();
    assert_eq!(all, 4 * 8, "three multiplexers and an adder");
    let byte = |value: u128| Bits::from_integer(value, 8);
    let inputs = [byte(3), byte(5)];
    let wanted = clear::evaluate(&circuit, &inputs, 4).unwrap();
    let (outputs, left) = run(&skipping(circuit), &inputs, 4);
    assert_eq!(outputs, wanted);
    // 8, 13, 21, 34.
    assert_eq!(outputs[0], byte(34));
    // An adder of 8 bits remains in each cycle. It has 7 ANDs, because the last carry is not used.
    assert_eq!(left, 4 * 7);
}

/// Declares, after each cycle, these values of flip-flops as public.
#[derive(Debug)]
struct KnownBits(Vec<(usize, bool)>);

struct FollowedBits(Vec<(usize, bool)>, bool);

impl Known for KnownBits {
    fn follow(&self) -> Box<dyn Follow + Send> {
        Box::new(FollowedBits(self.0.clone(), false))
    }

    fn hash(&self) -> [u8; 32] {
        let bytes: Vec<u8> =
            self.0.iter().flat_map(|&(at, value)| [at as u8, u8::from(value)]).collect();
        *blake3::hash(&bytes).as_bytes()
    }
}

impl Follow for FollowedBits {
    fn step(&mut self, state: &mut State<'_>) -> Option<String> {
        self.1 = !self.1;
        assert_eq!(state.known(0), Some(self.1));
        self.0.iter().for_each(|&(at, value)| state.set(at, value));
        (!self.0.is_empty()).then(|| "told".to_owned())
    }
}

#[test]
fn additional_knowledge_is_public_from_then_on_and_part_of_the_hash() {
    let compiled = || compile(tiny_processor(), Order::Given).unwrap();
    // After the first cycle register 0 holds 8.
    let bits: Vec<(usize, bool)> = (0..8).map(|bit| (1 + bit, 8 >> bit & 1 == 1)).collect();
    let reported = |bits: &[(usize, bool)]| {
        compiled().skipping(Skips { known: Some(Arc::new(KnownBits(bits.to_vec()))) })
    };
    let program = reported(&bits);
    let mut skipper = Skipper::new(&program);
    assert_eq!(skipper.decide(false).note.as_deref(), Some("told"));
    skipper.latch();
    let decided = skipper.decide(true);
    // Adding 8 to a secret changes bits 3 to 7. The carry out of bit 3 and the carry out of bit 7
    // need no AND, so three ANDs remain.
    assert_eq!((decided.ands, decided.note), (3, None));

    let programs =
        [compiled(), compiled().skipping(Skips::default()), reported(&bits), reported(&bits[1..])];
    let hashes: HashSet<_> = programs.iter().map(|program| program.hash).collect();
    assert_eq!(hashes.len(), 4);
}
