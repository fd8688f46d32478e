//! The host's part of garbling on an overlay.

use super::error::RunError;
use super::tables::Tables;
use halfgate_circuit::{Bit, Circuit, Init, Wire};
use halfgate_compiler::{Order, Program};
use halfgate_engine::io::{Counters, GarblerIo, first_uses, needs_constant};
use halfgate_engine::{EngineError, RunKey, checked};
use halfgate_kernels::{Delta, Label, Suite};
use halfgate_overlay_model::model::{self, AndCells, Begin};
use halfgate_overlay_model::{Overlay, Plan, Policy};
use zeroize::Zeroizing;

/// Maximum number of netlist cycles of a run.
const MAX_CYCLES: u64 = 1 << 32;

/// Suites that an overlay's cells support.
pub fn suites(overlay: &Overlay) -> &'static [Suite] {
    match overlay.shape.and_cells {
        AndCells::Rows => &[Suite::Grr3Sha1],
        AndCells::HalfGates => &[Suite::HalfGates],
        AndCells::Both => &[Suite::HalfGates, Suite::Grr3Sha1],
    }
}

/// A program, planned for an overlay.
pub struct Planned<'p> {
    /// Commands for one netlist cycle.
    pub plan: Plan<'p>,
    /// Input bits in the order in which the host requests their labels, each with whether it is
    /// requested in every netlist cycle.
    uses: Vec<(Wire, bool)>,
}

impl<'p> Planned<'p> {
    /// Plans the commands for `program`.
    ///
    /// # Errors
    /// If this overlay cannot garble it.
    pub fn new(
        name: &str,
        program: &'p Program,
        overlay: &Overlay,
    ) -> Result<Planned<'p>, EngineError> {
        let circuit = &program.circuit;
        let plan = overlay.plan(circuit).map_err(|error| EngineError::program(name, error))?;
        if !overlay.form.numbers() && !plan.is_in_order() {
            let wanted = match overlay.policy {
                Policy::DirectlyUsed => Some(Order::HaacFull),
                _ => None,
            };
            return Err(EngineError::Order { engine: name.to_owned(), wanted });
        }
        let widths = circuit.inputs.iter();
        let each: Vec<bool> = widths
            .flat_map(|input| std::iter::repeat_n(input.per_cycle, input.width as usize))
            .collect();
        let uses = first_uses(circuit).into_iter().map(|wire| (wire, each[wire.index()])).collect();
        Ok(Planned { plan, uses })
    }
}

/// One netlist cycle on a machine.
pub struct Launch<'l> {
    /// Commands to send.
    pub plan: &'l Plan<'l>,
    /// Parameters of the run.
    pub begin: Begin,
    /// Labels in DDR; outputs are there after the launch.
    pub memory: &'l mut Zeroizing<Vec<Label>>,
    /// Buffer that puts the tables in the program's order.
    pub tables: &'l mut Tables,
    /// Receives the ordered tables.
    pub io: &'l mut dyn GarblerIo,
}

/// Counters and time of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Launched {
    /// Counters of the machine.
    pub counters: model::Counters,
    /// Time in nanoseconds.
    pub ns: f64,
}

/// Garbles the netlist cycles of a run in sequence.
pub struct Host<'a> {
    circuit: &'a Circuit,
    program: &'a Program,
    planned: &'a Planned<'a>,
    key: RunKey,
    delta: Label,
}

impl<'a> Host<'a> {
    /// Prepares a run of a program on `overlay`.
    ///
    /// # Errors
    /// If the overlay lacks the suite, or the program or its cycles exceed the machine's limits.
    pub fn new(
        name: &str,
        overlay: &Overlay,
        (program, planned): (&'a Program, &'a Planned<'a>),
        (key, delta): (RunKey, &Delta),
        cycles: u64,
    ) -> Result<Host<'a>, EngineError> {
        checked(name, suites(overlay), program, key, cycles, MAX_CYCLES)?;
        let (circuit, delta) = (&program.circuit, delta.label());
        Ok(Host { circuit, program, planned, key, delta })
    }

    /// Runs all netlist cycles of the run; `launch` runs one.
    ///
    /// # Errors
    /// If the caller or the machine fails.
    pub fn garble(
        &self,
        cycles: u64,
        io: &mut dyn GarblerIo,
        launch: &mut dyn FnMut(Launch<'_>) -> Result<Launched, EngineError>,
    ) -> Result<Counters, EngineError> {
        let (circuit, plan) = (self.circuit, &self.planned.plan);
        let labels = plan.in_ddr() as usize;
        let constant = match needs_constant(circuit) {
            true => io.constant().map_err(EngineError::Io)?,
            false => Label::ZERO,
        };
        let constant = Zeroizing::new(constant);
        let inputs = circuit.input_bits();
        let ands = self.program.ands_per_cycle();
        let mut wires = Zeroizing::new(vec![Label::ZERO; circuit.first_gate_wire()]);
        let mut state = Zeroizing::new(vec![Label::ZERO; circuit.flip_flops.len()]);
        let mut counters = Counters::default();
        for cycle in 0..cycles {
            self.inputs(cycle, &mut wires, io)?;
            for (at, flip_flop) in circuit.flip_flops.iter().enumerate() {
                wires[inputs + at] = match (cycle, flip_flop.init) {
                    (0, Init::Constant(value)) => *constant ^ self.delta.masked(value),
                    (0, Init::Input(wire)) => wires[wire.index()],
                    _ => state[at],
                };
            }
            let mut memory = Zeroizing::new(vec![Label::ZERO; labels]);
            memory[1] = self.delta;
            for (wire, label) in wires.iter().enumerate() {
                *self.at(&mut memory, wire)? = *label;
            }
            let mut tables = Tables::new(counters.ands, ands, self.key.suite.table_bytes());
            let begin = Begin {
                half_gates: self.key.suite == Suite::HalfGates,
                form: plan.form(),
                base: counters.ands,
            };
            launch(Launch { plan, begin, memory: &mut memory, tables: &mut tables, io })?;
            tables.hand_on(io, true)?;

            let of = |memory: &mut Vec<Label>, bit: Bit| {
                let label = match bit.wire() {
                    Some(wire) => *self.at(memory, wire.index())?,
                    None => *constant,
                };
                Ok::<Label, EngineError>(label ^ self.delta.masked(bit.is_inverted()))
            };
            self.outputs(cycle, cycle + 1 == cycles, io, |bit| of(&mut memory, bit))?;
            for (at, flip_flop) in circuit.flip_flops.iter().enumerate() {
                state[at] = of(&mut memory, flip_flop.next)?;
            }
            counters.cycles += 1;
            counters.ands += ands;
            counters.gates += self.program.gates_per_cycle();
            io.progress(counters.cycles, counters.ands).map_err(EngineError::Io)?;
        }
        Ok(counters)
    }

    /// The label of an input or output in DDR.
    fn at<'m>(&self, memory: &'m mut [Label], wire: usize) -> Result<&'m mut Label, EngineError> {
        let home = self.planned.plan.home(wire);
        let found = home.and_then(|at| memory.get_mut(at as usize));
        found.ok_or_else(|| EngineError::machine(RunError::NotInDdr { wire }))
    }

    fn inputs(
        &self,
        cycle: u64,
        wires: &mut [Label],
        io: &mut dyn GarblerIo,
    ) -> Result<(), EngineError> {
        let requested = self.planned.uses.iter().filter(|(_, each)| cycle == 0 || *each);
        let requested: Vec<Wire> = requested.map(|(wire, _)| *wire).collect();
        if requested.is_empty() {
            return Ok(());
        }
        let mut labels = Zeroizing::new(vec![Label::ZERO; requested.len()]);
        io.false_labels(cycle, &requested, &mut labels).map_err(EngineError::Io)?;
        for (wire, label) in requested.iter().zip(labels.iter()) {
            wires[wire.index()] = *label;
        }
        Ok(())
    }

    fn outputs(
        &self,
        cycle: u64,
        is_last: bool,
        io: &mut dyn GarblerIo,
        mut label: impl FnMut(Bit) -> Result<Label, EngineError>,
    ) -> Result<(), EngineError> {
        let (mut numbers, mut labels, mut number) = (Vec::new(), Zeroizing::new(Vec::new()), 0);
        for output in &self.circuit.outputs {
            for bit in &output.bits {
                if (output.per_cycle || is_last) && bit.as_constant().is_none() {
                    numbers.push(number);
                    labels.push(label(bit)?);
                }
                number += 1;
            }
        }
        match numbers.is_empty() {
            true => Ok(()),
            false => io.output(cycle, &numbers, &labels).map_err(EngineError::Io),
        }
    }
}
