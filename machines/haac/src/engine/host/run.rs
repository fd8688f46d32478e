//! Runs the launches of a program in order, and does the host's work between them.

use super::super::error::RunError;
use super::{Launcher, Side};
use halfgate_circuit::{Init, Wire};
use halfgate_compiler::Program;
use halfgate_engine::io::{Counters, RunKey, first_uses, needs_constant};
use halfgate_engine::{EngineError, checked};
use halfgate_haac_model::code::{Code, Source};
use halfgate_kernels::{Label, LabelMemory, Suite};
use zeroize::Zeroizing;

/// A program, its code, and the bits that enter and leave in each launch.
///
/// Memory: the program's inputs and outputs; during a run, their labels and those of the
/// flip-flops.
pub struct Host<'p> {
    machine: String,
    program: &'p Program,
    code: Code,
    /// Input bits in the order of first use: those that the first launch needs, and those that each
    /// later one needs.
    first: Vec<Wire>,
    again: Vec<Wire>,
    /// Numbers of the output bits that every cycle returns, and of those that only the last one
    /// returns. Constants are not among them.
    each: Vec<u32>,
    once: Vec<u32>,
}

/// Input bits per request.
const REQUESTED: usize = 1 << 12;

impl<'p> Host<'p> {
    /// A host for launches of `code` on the machine named `machine`. `code` must compute `program`.
    pub fn new(machine: &str, program: &'p Program, code: Code) -> Host<'p> {
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
        Host { machine: machine.to_owned(), program, code, first, again, each, once }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The program's code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Checks that a machine can run `cycles` cycles with `key`.
    ///
    /// # Errors
    /// As [`checked`].
    pub fn check(&self, key: RunKey, cycles: u64) -> Result<(), EngineError> {
        checked(&self.machine, &[Suite::HalfGates], self.program, key, cycles, u64::MAX)
    }

    /// Launches the program once for each of `cycles` cycles of the circuit.
    ///
    /// # Errors
    /// As [`check`](Host::check); errors of the launcher or the caller; an output that is not in
    /// memory after a launch.
    pub fn run<L: Launcher>(
        &self,
        key: RunKey,
        cycles: u64,
        launcher: &mut L,
    ) -> Result<Counters, EngineError> {
        self.check(key, cycles)?;
        let circuit = &self.program.circuit;
        let constant = match needs_constant(&self.program.circuit) {
            true => Some(launcher.side().constant()?),
            false => None,
        };
        let mut held = Held {
            inputs: LabelMemory::new(circuit.input_bits()),
            flip_flops: LabelMemory::new(circuit.flip_flops.len()),
            nexts: Zeroizing::new(Vec::with_capacity(circuit.flip_flops.len())),
            buffer: Zeroizing::new(Vec::with_capacity(
                REQUESTED.max(self.each.len() + self.once.len()),
            )),
            constant: constant.unwrap_or(Label::ZERO),
        };
        let mut counters = Counters::default();
        for cycle in 0..cycles {
            let wires = if cycle == 0 { &self.first } else { &self.again };
            fetch(&mut held, launcher, cycle, wires)?;
            if cycle == 0 {
                self.initialise(&mut held, launcher.side().offset());
            }
            self.load(&held, launcher);
            launcher.launch(cycle)?;
            self.give(&mut held, launcher, cycle, &self.each)?;
            if cycle + 1 == cycles {
                self.give(&mut held, launcher, cycle, &self.once)?;
            }
            self.latch(&mut held, launcher)?;
            counters.cycles += 1;
            counters.gates = counters.gates.saturating_add(self.program.gates_per_cycle());
            counters.ands += self.program.ands_per_cycle();
            launcher.side().progress(cycle, counters.ands)?;
            launcher.clear();
        }
        Ok(counters)
    }

    fn initialise(&self, held: &mut Held, offset: Label) {
        for (place, flip_flop) in (0..).zip(&self.program.circuit.flip_flops) {
            let label = match flip_flop.init {
                Init::Constant(value) => held.constant ^ offset.masked(value),
                Init::Input(wire) => held.inputs.get(wire.number()),
            };
            held.flip_flops.set(place, label);
        }
    }

    /// Writes the labels of the inputs to their addresses.
    fn load<L: Launcher>(&self, held: &Held, launcher: &mut L) {
        let bits = self.program.circuit.input_bits() as u32;
        let mut address = 1;
        for wire in &self.code.inputs {
            let label = match wire.number().checked_sub(bits) {
                None => held.inputs.get(wire.number()),
                Some(flip_flop) => held.flip_flops.get(flip_flop),
            };
            launcher.set_input(address, label);
            address = self.code.shape.next_address(address);
        }
    }

    /// The label of a source after the launch.
    fn source<L: Launcher>(
        &self,
        held: &Held,
        launcher: &mut L,
        source: Source,
    ) -> Result<Label, EngineError> {
        let offset = launcher.side().offset();
        match source {
            Source::Constant(value) => Ok(held.constant ^ offset.masked(value)),
            Source::Wire { address, invert } => match launcher.label(address) {
                Some(label) => Ok(label ^ offset.masked(invert)),
                None => Err(EngineError::machine(RunError::Output { address })),
            },
        }
    }

    fn give<L: Launcher>(
        &self,
        held: &mut Held,
        launcher: &mut L,
        cycle: u64,
        bits: &[u32],
    ) -> Result<(), EngineError> {
        if bits.is_empty() {
            return Ok(());
        }
        let mut labels = std::mem::take(&mut held.buffer);
        labels.clear();
        for &bit in bits {
            labels.push(self.source(held, launcher, self.code.outputs[bit as usize])?);
        }
        let given = launcher.side().outputs(cycle, bits, &labels);
        held.buffer = labels;
        given
    }

    /// Sets all flip-flops to their next labels at once.
    fn latch<L: Launcher>(&self, held: &mut Held, launcher: &mut L) -> Result<(), EngineError> {
        let mut nexts = std::mem::take(&mut held.nexts);
        nexts.clear();
        for &source in &self.code.nexts {
            nexts.push(self.source(held, launcher, source)?);
        }
        for (place, label) in (0..).zip(nexts.iter()) {
            held.flip_flops.set(place, *label);
        }
        held.nexts = nexts;
        Ok(())
    }
}

/// Fetches the labels of the input bits that a cycle reads.
fn fetch<L: Launcher>(
    held: &mut Held,
    launcher: &mut L,
    cycle: u64,
    wires: &[Wire],
) -> Result<(), EngineError> {
    for wires in wires.chunks(REQUESTED) {
        held.buffer.clear();
        held.buffer.resize(wires.len(), Label::ZERO);
        launcher.side().inputs(cycle, wires, &mut held.buffer)?;
        for (wire, label) in wires.iter().zip(held.buffer.iter()) {
            held.inputs.set(wire.number(), *label);
        }
    }
    Ok(())
}

/// Labels that the host holds between launches. All are wiped when dropped, also after an error.
struct Held {
    inputs: LabelMemory,
    flip_flops: LabelMemory,
    nexts: Zeroizing<Vec<Label>>,
    buffer: Zeroizing<Vec<Label>>,
    constant: Label,
}

impl Drop for Held {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.constant);
    }
}
