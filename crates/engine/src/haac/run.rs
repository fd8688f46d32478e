//! A program on the machine: a launch for each cycle of the circuit, and what the host does between them.
//!
//! Before a launch the host fetches the labels of all input bits that the cycle reads and puts them into
//! the machine's memory, with those of the flip-flops; after it, it takes outputs and next labels from
//! there.

use super::engine::{HaacEngine, Model};
use super::follow::Follower;
use super::role::{Evaluator, Garbler, Role};
use super::store::Store;
use crate::io::{Counters, EvaluatorIo, GarblerIo, RunKey, first_uses};
use crate::{EngineError, Prepared};
use halfgate_circuit::{Init, Wire};
use halfgate_compiler::Program;
use halfgate_kernels::{Delta, Label, LabelMemory, Suite};
use halfgate_machines::haac::code::{Code, Source};
use halfgate_machines::haac::model::rows::Plain;
use halfgate_machines::haac::model::{Error, Options, exact, fast};
use zeroize::Zeroizing;

/// A program and its code.
pub(super) struct HaacProgram<'p> {
    engine: HaacEngine,
    program: &'p Program,
    code: Code,
    /// Input bits in the order of first use: of the first launch, and of every other.
    first: Vec<Wire>,
    again: Vec<Wire>,
    /// Numbers of the output bits that are given in each cycle, and in the last only; no constants.
    each: Vec<u32>,
    once: Vec<u32>,
}

impl Prepared for HaacProgram<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Garbler { delta, io })
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Evaluator { io, fetched: 0 })
    }
}

/// One more than the most ANDs of a run: each takes two numbers of 64 bits.
const MAX_ANDS: u64 = 1 << 63;

/// Input bits that are asked for at a time.
const ASKED: usize = 1 << 12;

impl<'p> HaacProgram<'p> {
    pub fn new(engine: HaacEngine, program: &'p Program, code: Code) -> HaacProgram<'p> {
        let circuit = &program.circuit;
        let mut per_cycle = Vec::with_capacity(circuit.input_bits());
        for input in &circuit.inputs {
            per_cycle.resize(per_cycle.len() + input.width as usize, input.per_cycle);
        }
        let first = first_uses(circuit);
        let again = first.iter().copied().filter(|wire| per_cycle[wire.index()]).collect();
        let (mut each, mut once) = (Vec::new(), Vec::new());
        let bits = circuit.outputs.iter().flat_map(|o| o.bits.iter().map(|b| (b, o.per_cycle)));
        for (number, (bit, per_cycle)) in (0..).zip(bits) {
            if bit.as_constant().is_none() {
                if per_cycle { each.push(number) } else { once.push(number) }
            }
        }
        HaacProgram { engine, program, code, first, again, each, once }
    }

    fn check(&self, key: RunKey, cycles: u64) -> Result<(), EngineError> {
        let unsupported = |what: String| Err(EngineError::Unsupported(what));
        if key.suite != Suite::HalfGates {
            return unsupported(format!(
                "engine {} runs the suite {} only, not {}: its units expand a key for each hash",
                self.engine.machine.name,
                Suite::HalfGates,
                key.suite
            ));
        }
        let circuit = &self.program.circuit;
        let combinational = !circuit.is_sequential()
            && circuit.inputs.iter().all(|input| !input.per_cycle)
            && circuit.outputs.iter().all(|output| !output.per_cycle);
        if cycles != 1 && combinational {
            return unsupported(format!(
                "a circuit without flip-flops and without per-cycle inputs or outputs runs for one \
                 cycle, not {cycles}"
            ));
        }
        let ands = self.program.ands_per_cycle();
        match ands.checked_mul(cycles) {
            Some(all) if all < MAX_ANDS => Ok(()),
            _ => unsupported(format!(
                "{cycles} cycles of {ands} ANDs are more than can be numbered: a run has fewer than \
                 2^63"
            )),
        }
    }

    fn run<R: Role>(&self, key: RunKey, cycles: u64, mut role: R) -> Result<Counters, EngineError> {
        self.check(key, cycles)?;
        let circuit = &self.program.circuit;
        let shape = self.code.shape;
        let constant = match self.needs_constant() {
            true => Some(role.constant()?),
            false => None,
        };
        let kernel = self.engine.kernel;
        let state = kernel.start(key.suite, key.point);
        let store = Store::new(shape, self.code.first_output);
        let ands = self.program.ands_per_cycle();
        let mut follower = Follower::new(role, (kernel, state), store, shape.window, ands);
        let mut host = Host {
            inputs: LabelMemory::new(circuit.input_bits()),
            flip_flops: LabelMemory::new(circuit.flip_flops.len()),
            nexts: Zeroizing::new(Vec::with_capacity(circuit.flip_flops.len())),
            buffer: Zeroizing::new(Vec::with_capacity(
                ASKED.max(self.each.len() + self.once.len()),
            )),
            constant: constant.unwrap_or(Label::ZERO),
        };
        let mut counters = Counters::default();
        for cycle in 0..cycles {
            let wires = if cycle == 0 { &self.first } else { &self.again };
            self.fetch(&mut host, &mut follower, cycle, wires)?;
            if cycle == 0 {
                self.initialise(&mut host, follower.role.offset());
            }
            self.load(&host, &mut follower.store);
            self.launch(&mut follower)?;
            follower.finish()?;
            self.give(&mut host, &mut follower, cycle, &self.each)?;
            if cycle + 1 == cycles {
                self.give(&mut host, &mut follower, cycle, &self.once)?;
            }
            self.latch(&mut host, &follower)?;
            counters.cycles += 1;
            counters.gates = counters.gates.saturating_add(self.program.gates_per_cycle());
            counters.ands += ands;
            follower.role.progress(cycle, counters.ands)?;
            follower.next_launch();
        }
        Ok(counters)
    }

    /// Whether a flip-flop starts with a constant or takes one.
    fn needs_constant(&self) -> bool {
        let constant = |init| matches!(init, Init::Constant(_));
        self.program
            .circuit
            .flip_flops
            .iter()
            .any(|flip_flop| constant(flip_flop.init) || flip_flop.next.as_constant().is_some())
    }

    /// The labels of input bits that a cycle reads.
    fn fetch<R: Role>(
        &self,
        host: &mut Host,
        follower: &mut Follower<R>,
        cycle: u64,
        wires: &[Wire],
    ) -> Result<(), EngineError> {
        for wires in wires.chunks(ASKED) {
            host.buffer.clear();
            host.buffer.resize(wires.len(), Label::ZERO);
            follower.role.inputs(cycle, wires, &mut host.buffer)?;
            for (wire, label) in wires.iter().zip(host.buffer.iter()) {
                host.inputs.set(wire.number(), *label);
            }
        }
        Ok(())
    }

    fn initialise(&self, host: &mut Host, offset: Label) {
        for (place, flip_flop) in (0..).zip(&self.program.circuit.flip_flops) {
            let label = match flip_flop.init {
                Init::Constant(value) => host.constant ^ offset.masked(value),
                Init::Input(wire) => host.inputs.get(wire.number()),
            };
            host.flip_flops.set(place, label);
        }
    }

    /// Puts the labels of the inputs where the code has them.
    fn load(&self, host: &Host, store: &mut Store) {
        let bits = self.program.circuit.input_bits() as u32;
        let mut address = 1;
        for wire in &self.code.inputs {
            let label = match wire.number().checked_sub(bits) {
                None => host.inputs.get(wire.number()),
                Some(flip_flop) => host.flip_flops.get(flip_flop),
            };
            store.set_input(address, label);
            address = self.code.shape.next_address(address);
        }
    }

    /// Runs the machine once.
    fn launch<R: Role>(&self, follower: &mut Follower<R>) -> Result<(), EngineError> {
        let machine = &self.engine.machine;
        let (options, mut sizes) = (Options::new(R::MACHINE), Plain::new(self.code.shape));
        let report = match self.engine.model {
            Model::Fast => fast::run(&self.code, machine, &options, &mut sizes, follower),
            Model::Exact => exact::run_with(
                &self.code,
                machine,
                &options,
                &mut sizes,
                follower,
                &mut exact::NoWatch,
                self.engine.extra,
            ),
        };
        let report = report.map_err(|error| match error {
            Error::Sink(error) => error,
            Error::Io(error) => EngineError::Spool(error),
            other => EngineError::Machine(other.to_string()),
        })?;
        self.engine.launched(report.cycles);
        Ok(())
    }

    /// The label that a source has when the launch is over.
    fn source<R: Role>(
        &self,
        host: &Host,
        follower: &Follower<R>,
        source: Source,
    ) -> Result<Label, EngineError> {
        let offset = follower.role.offset();
        match source {
            Source::Constant(value) => Ok(host.constant ^ offset.masked(value)),
            Source::Wire { address, invert } => match follower.store.output(address) {
                Some(label) => Ok(label ^ offset.masked(invert)),
                None => Err(EngineError::Machine(format!(
                    "wire {address} is an output, and is not in memory at the end"
                ))),
            },
        }
    }

    fn give<R: Role>(
        &self,
        host: &mut Host,
        follower: &mut Follower<R>,
        cycle: u64,
        bits: &[u32],
    ) -> Result<(), EngineError> {
        if bits.is_empty() {
            return Ok(());
        }
        let mut labels = std::mem::take(&mut host.buffer);
        labels.clear();
        for &bit in bits {
            labels.push(self.source(host, follower, self.code.outputs[bit as usize])?);
        }
        let given = follower.role.outputs(cycle, bits, &labels);
        host.buffer = labels;
        given
    }

    /// All flip-flops take their next labels at once.
    fn latch<R: Role>(&self, host: &mut Host, follower: &Follower<R>) -> Result<(), EngineError> {
        let mut nexts = std::mem::take(&mut host.nexts);
        nexts.clear();
        for &source in &self.code.nexts {
            nexts.push(self.source(host, follower, source)?);
        }
        for (place, label) in (0..).zip(nexts.iter()) {
            host.flip_flops.set(place, *label);
        }
        host.nexts = nexts;
        Ok(())
    }
}

/// Labels that the host holds between launches. All are wiped, after an error too.
struct Host {
    inputs: LabelMemory,
    flip_flops: LabelMemory,
    nexts: Zeroizing<Vec<Label>>,
    buffer: Zeroizing<Vec<Label>>,
    constant: Label,
}

impl Drop for Host {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.constant);
    }
}
