//! The engine: for each step of the model, a kernel computes the label.

use crate::role::Role;
use halfgate_circuit::{Bit, Circuit, Init, Wire};
use halfgate_compiler::Program;
use halfgate_engine::io::{first_uses, needs_constant};
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, Exceeded, GarblerIo, Label, Prepared,
    Resource, RunKey, Simulated, Suite, checked,
};
use halfgate_kernels::{Kernel, LabelMemory, State, ops};
use halfgate_machine::MAX_CYCLES;
use halfgate_toy_model::{Fault, MHZ, Operation, SLOTS, Step, Toy};
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

/// Suites that the toy runs.
pub const SUITES: [Suite; 1] = [Suite::HalfGates];

/// The toy as garbler or evaluator, which also counts the machine's clock cycles.
///
/// Clones share the count.
#[derive(Clone)]
pub struct ToyEngine {
    kernel: &'static Kernel,
    fault: Option<Fault>,
    simulated: Arc<Mutex<Simulated>>,
}

impl ToyEngine {
    /// The machine without a fault; `kernel` computes its labels.
    pub fn new(kernel: &'static Kernel) -> ToyEngine {
        ToyEngine { kernel, fault: None, simulated: Arc::default() }
    }

    /// The same machine with a fault in its model, for tests.
    pub fn with_fault(self, fault: Fault) -> ToyEngine {
        ToyEngine { fault: Some(fault), ..self }
    }

    fn run<'a>(
        &self,
        program: &'a Program,
        key: RunKey,
        cycles: u64,
        role: Role<'a>,
    ) -> Result<Counters, EngineError> {
        checked(&self.name(), &SUITES, program, key, cycles, MAX_CYCLES)?;
        let mut toy = Toy::new(self.fault);
        let state = self.kernel.start(key.suite, key.point);
        let run = Run::new(&program.circuit, self.kernel, state, role);
        let counters = run.all_cycles(&mut toy, cycles)?;
        let mut simulated = self.simulated.lock().unwrap_or_else(PoisonError::into_inner);
        simulated.clock_cycles += toy.clock_cycles();
        simulated.launches += cycles;
        simulated.mhz = MHZ;
        Ok(counters)
    }
}

impl Engine for ToyEngine {
    fn name(&self) -> String {
        "model:toy".to_owned()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let wires = program.circuit.wires() as u64;
        Exceeded::check(Resource::Wires, wires, SLOTS as u64)
            .map_err(|exceeded| EngineError::Limit { engine: self.name(), exceeded })?;
        Ok(Box::new(ToyProgram { engine: self.clone(), program }))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(*self.simulated.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A program that fits the machine.
struct ToyProgram<'p> {
    engine: ToyEngine,
    program: &'p Program,
}

impl Prepared for ToyProgram<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        self.engine.run(self.program, key, cycles, Role::Garbler(delta, io))
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.engine.run(self.program, key, cycles, Role::Evaluator(io))
    }
}

/// One run: label memory with a slot for each wire of the body, and the party's side.
///
/// Memory: 1 MiB of labels, wiped when dropped.
struct Run<'a> {
    circuit: &'a Circuit,
    kernel: &'static Kernel,
    state: State,
    memory: LabelMemory,
    role: Role<'a>,
}

impl<'a> Run<'a> {
    fn new(circuit: &'a Circuit, kernel: &'static Kernel, state: State, role: Role<'a>) -> Run<'a> {
        Run { circuit, kernel, state, memory: LabelMemory::new(SLOTS), role }
    }

    fn all_cycles(mut self, toy: &mut Toy, cycles: u64) -> Result<Counters, EngineError> {
        let circuit = self.circuit;
        // Only flip-flops need the constant's label: gates and outputs have constants folded away.
        let constant = match needs_constant(circuit) {
            true => Zeroizing::new(self.role.constant()?),
            false => Zeroizing::new(Label::ZERO),
        };
        let requested = first_uses(circuit);
        let per_cycle = per_cycle_bits(circuit);
        let requested_again: Vec<Wire> =
            requested.iter().copied().filter(|bit| per_cycle[bit.index()]).collect();
        let mut counters = Counters::default();
        for cycle in 0..cycles {
            self.load_inputs(cycle, if cycle == 0 { &requested } else { &requested_again })?;
            if cycle == 0 {
                self.load_flip_flops(|run, flip_flop| match flip_flop.init {
                    Init::Constant(value) => run.label(Bit::constant(value), *constant),
                    Init::Input(wire) => run.label(wire.bit(), *constant),
                });
            }
            for step in toy.body(circuit) {
                self.execute(step)?;
            }
            self.give_outputs(cycle, cycle + 1 == cycles)?;
            self.load_flip_flops(|run, flip_flop| run.label(flip_flop.next, *constant));
            self.state.next_cycle();
            counters.cycles += 1;
            counters.gates += circuit.gates.len() as u64;
            counters.ands += circuit.gates.ands();
            self.role.progress(counters.cycles, counters.ands)?;
        }
        Ok(counters)
    }

    /// The label of `bit`, inverted if `bit` is inverted.
    fn label(&self, bit: Bit, constant: Label) -> Label {
        let label = bit.wire().map_or(constant, |wire| self.memory.get(wire.number()));
        label ^ self.role.offset().masked(bit.is_inverted())
    }

    /// Requests the labels of the input `bits` and stores them in their slots.
    fn load_inputs(&mut self, cycle: u64, bits: &[Wire]) -> Result<(), EngineError> {
        if bits.is_empty() {
            return Ok(());
        }
        let mut labels = Zeroizing::new(vec![Label::ZERO; bits.len()]);
        self.role.inputs(cycle, bits, &mut labels)?;
        for (bit, label) in bits.iter().zip(labels.iter()) {
            self.memory.set(bit.number(), *label);
        }
        Ok(())
    }

    /// Loads all flip-flops at once, because the new value of one may be the old value of another.
    fn load_flip_flops(&mut self, label: impl Fn(&Run<'_>, &halfgate_circuit::FlipFlop) -> Label) {
        let flip_flops = &self.circuit.flip_flops;
        let labels: Vec<Label> = flip_flops.iter().map(|each| label(self, each)).collect();
        let labels = Zeroizing::new(labels);
        for (slot, label) in (self.circuit.first_flip_flop_wire() as u32..).zip(labels.iter()) {
            self.memory.set(slot, *label);
        }
    }

    /// Computes the label of one gate's output.
    fn execute(&mut self, step: Step) -> Result<(), EngineError> {
        let output = step.output.number();
        let offset = self.role.offset();
        let (label, invert) = match step.operation {
            Operation::Xor { a, b, invert } => {
                let b = b.map_or(Label::ZERO, |b| self.memory.get(b.number()));
                (self.memory.get(a.number()) ^ b, invert)
            }
            Operation::And { a, b, invert, number } => {
                let flag = |bit: Bit, flag: u16| if bit.is_inverted() { flag } else { 0 };
                let flags = flag(a, ops::And::INVERT_A) | flag(b, ops::And::INVERT_B);
                let and = ops::And { a: slot(a)?, b: slot(b)?, c: output as u16, flags };
                self.state.go_to(number);
                self.role.and(self.kernel, &mut self.state, &mut self.memory, and)?;
                (self.memory.get(output), invert)
            }
        };
        self.memory.set(output, label ^ offset.masked(invert));
        Ok(())
    }

    /// Passes on the labels of outputs: those per cycle, and in the last cycle all.
    fn give_outputs(&mut self, cycle: u64, is_last: bool) -> Result<(), EngineError> {
        let bits =
            self.circuit.outputs.iter().flat_map(|output| {
                output.bits.iter().map(|bit| (bit, output.per_cycle || is_last))
            });
        let given = (0..).zip(bits).filter(|(_, (bit, is_due))| *is_due && bit.wire().is_some());
        let (numbers, bits): (Vec<u32>, Vec<Bit>) =
            given.map(|(number, (bit, _))| (number, bit)).unzip();
        if numbers.is_empty() {
            return Ok(());
        }
        let labels: Vec<Label> = bits.iter().map(|bit| self.label(*bit, Label::ZERO)).collect();
        self.role.output(cycle, &numbers, &Zeroizing::new(labels))
    }
}

/// Whether each input bit has a new value in each cycle.
fn per_cycle_bits(circuit: &Circuit) -> Vec<bool> {
    let inputs = circuit.inputs.iter();
    inputs.flat_map(|input| vec![input.per_cycle; input.width as usize]).collect()
}

/// The error that an AND reads a bit without a slot. It is a type, because an engine's errors carry
/// no text.
#[derive(Debug, thiserror::Error)]
#[error("the AND reads {0:?}, which has no slot")]
struct NoSlot(Bit);

/// The slot of an AND's operand, which is never a constant.
fn slot(bit: Bit) -> Result<u16, EngineError> {
    let number = bit.wire().and_then(|wire| u16::try_from(wire.number()).ok());
    number.ok_or_else(|| EngineError::machine(NoSlot(bit)))
}
