//! Runs a program that skips: decides which gates of a cycle remain, then garbles or evaluates
//! them.
//!
//! Label memory has one label for each wire that has its own label and is still read. ANDs are
//! executed one by one, each under its own number: the remaining ANDs rarely follow each other
//! closely enough to fill a vector.

use super::piece::{Labels, Piece, first_ops};
use super::role::{Role, Run};
use crate::EngineError;
use crate::checked::counted;
use crate::io::{Counters, RunKey};
use halfgate_circuit::{Circuit, Wire, first_uses};
use halfgate_compiler::Program;
use halfgate_compiler::skip::Skipper;
use halfgate_kernels::{Delta, Kernel, Label, wipe};
use zeroize::Zeroizing;

/// A program that skips, ready to run.
pub(super) struct Skipping<'p> {
    pub program: &'p Program,
    pub kernel: &'static Kernel,
}

/// Most ANDs whose tables are made or used at once.
const AT_ONCE: usize = 1024;

/// Decided gates between progress reports: well under a millisecond.
const PROGRESS_INTERVAL_GATES: u64 = 1 << 16;

impl Run for Skipping<'_> {
    fn kernel(&self) -> &'static Kernel {
        self.kernel
    }

    fn run(
        &self,
        key: RunKey,
        cycles: u64,
        _: Option<&Delta>,
        mut role: impl Role,
    ) -> Result<Counters, EngineError> {
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
        let mut unreported = 0;
        // The label of output bits that are public.
        let constant = Zeroizing::new(role.constant()?);

        for cycle in 0..cycles {
            let last = cycle + 1 == cycles;
            let decided = skipper.decide(last);
            role.begin(cycle, decided.ands * state.suite().table_bytes() as u64)?;
            if let Some(note) = &decided.note {
                role.note(note)?;
            }
            load(&mut labels, &mut role, cycle, inputs.of_cycle(cycle), &mut buffer)?;
            decided.unused.iter().for_each(|&wire| labels.drop(wire));
            state.go_to_cycle(cycle);
            let mut rest = decided.ops;
            while !rest.is_empty() {
                let (now, ands) = first_ops(rest, AT_ONCE);
                let run = Piece { ops: &rest[..now], ands, numbers: cycle * an_and, first_gate };
                role.piece(&mut state, &mut labels, &run)?;
                rest = &rest[now..];
            }
            counters.ands += decided.ands;
            let given = decided.given.to_vec();
            give(&labels, &mut role, (cycle, last), (circuit, &skipper, *constant), &mut buffer)?;
            given.iter().for_each(|&wire| labels.drop(wire));
            labels.carry(skipper.latch());

            counters.cycles += 1;
            counters.gates = counters.gates.saturating_add(self.program.gates_per_cycle());
            unreported += self.program.gates_per_cycle();
            if unreported >= PROGRESS_INTERVAL_GATES {
                unreported = 0;
                role.progress(cycle + 1, (cycle + 1) * an_and)?;
            }
        }
        Ok(counters)
    }
}

/// The input bits to request: in the first cycle, and in each later one.
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

/// Fetches the labels of input bits.
fn load(
    labels: &mut Labels,
    role: &mut impl Role,
    cycle: u64,
    wires: &[Wire],
    buffer: &mut Vec<Label>,
) -> Result<(), EngineError> {
    if wires.is_empty() {
        return Ok(());
    }
    buffer.clear();
    wipe::reserve(buffer, wires.len());
    buffer.resize(wires.len(), Label::ZERO);
    role.inputs(cycle, wires, buffer)?;
    wires.iter().zip(buffer.iter()).for_each(|(wire, &label)| labels.put(wire.number(), label));
    Ok(())
}

/// Gives out the outputs of a cycle.
fn give(
    labels: &Labels,
    role: &mut impl Role,
    (cycle, last): (u64, bool),
    (circuit, skipper, constant): (&Circuit, &Skipper<'_>, Label),
    buffer: &mut Vec<Label>,
) -> Result<(), EngineError> {
    let mut bits = Vec::new();
    buffer.clear();
    wipe::reserve(buffer, circuit.output_bits());
    let offset = role.offset();
    let mut number = 0;
    for output in &circuit.outputs {
        for bit in &output.bits {
            let signal = skipper.signal(bit);
            if (output.per_cycle || last) && bit.wire().is_some() {
                let label = signal.wire().map_or(constant, |_| labels.of(signal));
                bits.push(number);
                buffer.push(label ^ offset.masked(signal.is_inverted()));
            }
            number += 1;
        }
    }
    if bits.is_empty() { Ok(()) } else { role.outputs(cycle, &bits, buffer) }
}
