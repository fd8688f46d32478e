//! Runs a program that skips: decides what is left of a cycle, then garbles or evaluates that.
//!
//! Labels lie where there is room, one for each wire that has one of its own and is still read. ANDs run one by one
//! under their own numbers: what is left has no runs that a vector could take.

use super::run::{Evaluator, Garbler, Role};
use crate::checked::counted;
use crate::io::{Counters, EvaluatorIo, GarblerIo, RunKey};
use crate::{EngineError, Prepared};
use halfgate_circuit::{Circuit, Wire, first_uses};
use halfgate_compiler::Program;
use halfgate_compiler::skip::{Op, Signal, Skipper};
use halfgate_kernels::ops::{And, Ops, Segment};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State};
use zeroize::Zeroizing;

/// A program that skips, ready to run.
pub(super) struct Skipping<'p> {
    pub program: &'p Program,
    pub kernel: &'static Kernel,
}

/// ANDs whose tables are made or used at once.
const AT_ONCE: usize = 1024;

/// Gates decided on after which progress is told: well under a millisecond.
const TELL: u64 = 1 << 16;

impl Prepared for Skipping<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Garbler { kernel: self.kernel, delta, io })
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Evaluator { kernel: self.kernel, io })
    }
}

impl Skipping<'_> {
    fn run(&self, key: RunKey, cycles: u64, mut role: impl Role) -> Result<Counters, EngineError> {
        counted("cpu", self.program, cycles, u64::MAX)?;
        let circuit = &self.program.circuit;
        let inputs = Inputs::of(circuit);
        let mut skipper = Skipper::new(self.program);
        let mut labels = Labels::new(circuit.wires());
        let mut state = self.kernel.start(key.suite, key.point);
        let an_and = self.program.ands_per_cycle();
        let first_gate = circuit.first_gate_wire() as u32;
        let mut buffer = Zeroizing::new(Vec::new());
        let mut counters = Counters::default();
        let mut untold = 0;
        // What is public has this label, if somebody is to have one of it.
        let constant = role.constant()?;

        for cycle in 0..cycles {
            let last = cycle + 1 == cycles;
            let decided = skipper.decide(last);
            role.begin(cycle, decided.ands * state.suite().table_bytes() as u64)?;
            if let Some(note) = &decided.note {
                role.note(note)?;
            }
            labels.load(&mut role, cycle, inputs.of_cycle(cycle), &mut buffer)?;
            decided.unused.iter().for_each(|&wire| labels.drop(wire));
            state.go_to_cycle(cycle);
            let mut rest = decided.ops;
            while !rest.is_empty() {
                let (now, ands) = split(rest);
                let run = Piece { ops: &rest[..now], ands, numbers: cycle * an_and, first_gate };
                role.piece(&mut state, &mut labels, &run)?;
                rest = &rest[now..];
            }
            counters.ands += decided.ands;
            let given = decided.given.to_vec();
            labels.give(&mut role, (cycle, last), (circuit, &skipper, constant), &mut buffer)?;
            given.iter().for_each(|&wire| labels.drop(wire));
            labels.carry(skipper.latch());

            counters.cycles += 1;
            counters.gates = counters.gates.saturating_add(self.program.gates_per_cycle());
            untold += self.program.gates_per_cycle();
            if untold >= TELL {
                untold = 0;
                role.progress(cycle + 1, (cycle + 1) * an_and)?;
            }
        }
        Ok(counters)
    }
}

/// So many of `ops` as have tables for one request, and how many ANDs they are.
fn split(ops: &[Op]) -> (usize, usize) {
    let mut ands = 0;
    for (at, op) in ops.iter().enumerate() {
        if op.and.is_some() {
            if ands == AT_ONCE {
                return (at, ands);
            }
            ands += 1;
        }
    }
    (ops.len(), ands)
}

/// The input bits that are asked for.
struct Inputs {
    all: Vec<Wire>,
    each: Vec<Wire>,
}

impl Inputs {
    fn of(circuit: &Circuit) -> Inputs {
        let all = first_uses(circuit);
        let per_cycle = circuit.inputs.iter();
        let per_cycle: Vec<bool> = per_cycle
            .flat_map(|input| std::iter::repeat_n(input.per_cycle, input.width as usize))
            .collect();
        let each = all.iter().copied().filter(|wire| per_cycle[wire.index()]).collect();
        Inputs { all, each }
    }

    fn of_cycle(&self, cycle: u64) -> &[Wire] {
        if cycle == 0 { &self.all } else { &self.each }
    }
}

/// Some of a cycle's gates.
pub(super) struct Piece<'a> {
    ops: &'a [Op],
    /// ANDs among them.
    pub ands: usize,
    /// The number of the cycle's first AND.
    numbers: u64,
    first_gate: u32,
}

impl Piece<'_> {
    /// Runs the gates; `and` is called for each AND with the place of its table, and garbles or evaluates what it is given.
    pub fn run(
        &self,
        state: &mut State,
        labels: &mut Labels,
        mut and: impl FnMut(&mut State, &mut LabelMemory, &Ops, usize),
    ) {
        let mut done = 0;
        for op in self.ops {
            let [a, b] = op.operands.map(|operand| labels.of(operand));
            for (operand, last) in op.operands.iter().zip(op.last) {
                if let (Some(wire), true) = (operand.wire(), last) {
                    labels.drop(wire);
                }
            }
            let Some(index) = op.and else {
                labels.put(op.wire, a ^ b);
                continue;
            };
            state.go_to(self.numbers + u64::from(index));
            let [first, second] = op.operands.map(|operand| u16::from(operand.is_inverted()));
            let flags = (first * And::INVERT_A) | (second * And::INVERT_B);
            let ops = Ops {
                segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
                moves: &[],
                xors: &[],
                ands: &[And { a: 0, b: 1, c: 2, flags }],
                positions: &[op.wire - self.first_gate],
            };
            labels.memory.set(0, a);
            labels.memory.set(1, b);
            and(state, &mut labels.memory, &ops, done);
            let result = labels.memory.get(2);
            labels.put(op.wire, result);
            done += 1;
        }
    }
}

/// The labels that there are, by wire.
///
/// Memory: 16 bytes for each of the most labels alive at once, 4 for each wire of the body.
pub(super) struct Labels {
    /// Three for the kernel, then those of wires.
    memory: LabelMemory,
    /// Where a wire's label is; 0 if it has none.
    places: Vec<u32>,
    free: Vec<u32>,
    /// Places in use and free.
    used: u32,
    moving: Vec<u32>,
}

impl Labels {
    fn new(wires: usize) -> Labels {
        Labels {
            memory: LabelMemory::new(0),
            places: vec![0; wires],
            free: Vec::new(),
            used: 3,
            moving: Vec::new(),
        }
    }

    /// The label behind a signal, whose inversion is the caller's affair.
    fn of(&self, signal: Signal) -> Label {
        let wire = signal.wire().expect("what is public has no label");
        self.memory.get(self.place(wire))
    }

    fn place(&self, wire: u32) -> u32 {
        let place = self.places[wire as usize];
        assert_ne!(place, 0, "wire {wire} has no label");
        place
    }

    fn put(&mut self, wire: u32, label: Label) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        if place as usize >= self.memory.len() {
            self.grow();
        }
        self.memory.set(place, label);
        self.places[wire as usize] = place;
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = LabelMemory::new(2 * self.memory.len());
        (0..self.memory.len() as u32).for_each(|at| larger.set(at, self.memory.get(at)));
        self.memory = larger;
    }

    fn drop(&mut self, wire: u32) {
        self.free.push(self.place(wire));
        self.places[wire as usize] = 0;
    }

    fn carry(&mut self, carried: &[(u32, u32)]) {
        self.moving.clear();
        for &(from, _) in carried {
            self.moving.push(self.place(from));
            self.places[from as usize] = 0;
        }
        for (&(_, to), &place) in carried.iter().zip(&self.moving) {
            self.places[to as usize] = place;
        }
    }

    fn load(
        &mut self,
        role: &mut impl Role,
        cycle: u64,
        wires: &[Wire],
        buffer: &mut Vec<Label>,
    ) -> Result<(), EngineError> {
        if wires.is_empty() {
            return Ok(());
        }
        buffer.clear();
        buffer.resize(wires.len(), Label::ZERO);
        role.inputs(cycle, wires, buffer)?;
        wires.iter().zip(buffer.iter()).for_each(|(wire, &label)| self.put(wire.number(), label));
        Ok(())
    }

    /// Gives out the outputs of a cycle.
    fn give(
        &self,
        role: &mut impl Role,
        (cycle, last): (u64, bool),
        (circuit, skipper, constant): (&Circuit, &Skipper<'_>, Label),
        buffer: &mut Vec<Label>,
    ) -> Result<(), EngineError> {
        let mut bits = Vec::new();
        buffer.clear();
        let offset = role.offset();
        let mut number = 0;
        for output in &circuit.outputs {
            for &bit in &output.bits {
                let signal = skipper.signal(bit);
                if (output.per_cycle || last) && bit.wire().is_some() {
                    let label = signal.wire().map_or(constant, |_| self.of(signal));
                    bits.push(number);
                    buffer.push(label ^ offset.masked(signal.is_inverted()));
                }
                number += 1;
            }
        }
        if bits.is_empty() { Ok(()) } else { role.outputs(cycle, &bits, buffer) }
    }
}
