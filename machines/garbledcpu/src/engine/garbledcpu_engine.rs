//! The model as an engine.

use super::error::SupplyError;
use super::supply::Supply;
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Engine, EngineError, EvaluatesOnly, EvaluatorIo, Prepared, RunKey, Simulated, Suite,
    checked,
};
use halfgate_garbledcpu_model::Machine;
use halfgate_garbledcpu_model::encode::{Size, fits};
use halfgate_kernels::ops::{self, Ops, Segment};
use halfgate_kernels::{Kernel, KernelError, Label, LabelMemory, State, choose};
use halfgate_machine::{MAX_CYCLES, Wiped};
use halfgate_scheduled::assumed_cycles;
use halfgate_scheduled_model::Code;
use halfgate_scheduled_model::model::{And, Fault, Labels, Machine as Clocks, Made};
use std::sync::{Arc, Mutex, PoisonError};

/// The clock frequency of the published machine in MHz (section 5.4). We assume it for our machine
/// too, which was never placed.
pub const MHZ: u32 = 100;

/// The suites of the machines: the default, then that of the published machine.
pub const SUITES: [Suite; 2] = [Suite::HalfGates, Suite::HalfGatesFixedKey];

/// Evaluates as GarbledCPU's machine does, and counts its clock cycles.
///
/// Clones share the totals that [`simulated`](Engine::simulated) returns.
#[derive(Clone, Debug)]
pub struct GarbledCpuEngine {
    machine: Machine,
    kernel: &'static Kernel,
    simulated: Arc<Mutex<Simulated>>,
}

impl GarbledCpuEngine {
    /// Makes the engine of this machine, with the best kernel for this processor.
    pub fn new(machine: Machine) -> GarbledCpuEngine {
        GarbledCpuEngine { machine, kernel: choose::best(), simulated: Arc::default() }
    }

    /// Returns the same engine with labels computed by the kernel called `name`.
    ///
    /// # Errors
    /// If there is no such kernel, or the processor cannot run it.
    pub fn with_kernel(self, name: &str) -> Result<GarbledCpuEngine, KernelError> {
        Ok(GarbledCpuEngine { kernel: choose::by_name(name)?, ..self })
    }
}

impl Engine for GarbledCpuEngine {
    fn name(&self) -> String {
        format!("model:{}", self.machine.name())
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let lowered = Lowered::new(self.name(), program, self.machine, Size::MOST)?;
        let (engine, mut lowered) = (self.clone(), lowered);
        Ok(Box::new(EvaluatesOnly::new(self.name(), move |key, cycles, io| {
            engine.evaluate((program, &mut lowered), key, cycles, io)
        })))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(*self.simulated.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A program's code for a machine.
pub struct Lowered {
    /// The code.
    pub code: Code,
    machine: Machine,
    /// The engine's name without options.
    engine: String,
    overlaps: bool,
}

impl Lowered {
    /// Makes the code for the [assumed](assumed_cycles) number of netlist cycles.
    ///
    /// # Errors
    /// [`EngineError::Limit`] of the engine called `engine`, if the program exceeds a capacity.
    pub fn new(
        engine: String,
        program: &Program,
        machine: Machine,
        size: Size,
    ) -> Result<Lowered, EngineError> {
        let cycles = assumed_cycles(&program.circuit);
        let code = Lowered::code(&engine, program, machine, cycles, size)?;
        Ok(Lowered { code, machine, engine, overlaps: cycles > 1 })
    }

    /// Replaces the code if it suits a different number of netlist cycles: code for several netlist
    /// cycles overlaps them, code for one does not.
    ///
    /// # Errors
    /// As [`Lowered::new`].
    pub fn fit(&mut self, program: &Program, cycles: u64, size: Size) -> Result<(), EngineError> {
        if (cycles > 1) != self.overlaps {
            self.code = Lowered::code(&self.engine, program, self.machine, cycles, size)?;
            self.overlaps = cycles > 1;
        }
        Ok(())
    }

    fn code(
        engine: &str,
        program: &Program,
        machine: Machine,
        cycles: u64,
        size: Size,
    ) -> Result<Code, EngineError> {
        let limit = |exceeded| EngineError::Limit { engine: engine.to_owned(), exceeded };
        let code = machine.code(&program.circuit, cycles).map_err(limit)?;
        fits(&code, size).map_err(limit)?;
        Ok(code)
    }
}

impl GarbledCpuEngine {
    fn evaluate(
        &self,
        (program, lowered): (&Program, &mut Lowered),
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        checked(&self.name(), &SUITES, program, key, cycles, MAX_CYCLES)?;
        lowered.fit(program, cycles, Size::MOST)?;
        let code = &lowered.code;
        let supply = Supply::begin(program, code, cycles, io)?;
        let mut evaluating = Evaluating {
            kernel: self.kernel,
            state: self.kernel.start(key.suite, key.point),
            memory: LabelMemory::new(3),
            supply,
            failed: None,
        };
        let mut clocks = Clocks::new(code, cycles);
        while clocks.clock(&mut evaluating).map_err(EngineError::machine)? {
            if let Some(error) = evaluating.failed.take() {
                return Err(error);
            }
        }
        let mut all = self.simulated.lock().unwrap_or_else(PoisonError::into_inner);
        all.clock_cycles += clocks.report().clocks;
        all.launches += 1;
        all.mhz = f64::from(MHZ);
        drop(all);
        evaluating.supply.finish()
    }
}

/// Computes labels for the model by a kernel. For an evaluator, inversions change no label.
struct Evaluating<'a> {
    kernel: &'static Kernel,
    state: State,
    memory: LabelMemory,
    supply: Supply<'a>,
    /// The first error on the host's side.
    failed: Option<EngineError>,
}

impl Evaluating<'_> {
    /// Unwraps a label or table from the host, and records an error if it is missing. The model
    /// never stalls for the host. It need not, because the schedule makes outputs before it
    /// requests data that the host receives only after them.
    fn had<T>(&mut self, what: &'static str, found: Result<Option<T>, EngineError>) -> Option<T> {
        let missing = || EngineError::machine(SupplyError::BeforeOutputs { what });
        let (value, error) = match found {
            Ok(Some(value)) => (Some(value), None),
            Ok(None) => (None, Some(missing())),
            Err(error) => (None, Some(error)),
        };
        self.failed = self.failed.take().or(error);
        value
    }
}

impl Labels for Evaluating<'_> {
    type Label = Wiped;

    fn input(&mut self, sequence: u64) -> Wiped {
        let found = self.supply.input(sequence);
        Wiped(self.had("an input label", found).unwrap_or(Label::ZERO))
    }

    fn constant(&mut self) -> Wiped {
        Wiped(self.supply.constant())
    }

    fn free(&mut self, a: Wiped, b: Option<Wiped>, _: bool) -> Wiped {
        Wiped(a.0 ^ b.map_or(Label::ZERO, |b| b.0))
    }

    fn and(&mut self, inputs: [Wiped; 2], _: [bool; 3], and: And) -> Wiped {
        let found = self.supply.table(and.number);
        let Some(table) = self.had("a table", found) else { return Wiped(Label::ZERO) };
        for (slot, label) in (0..).zip(&inputs) {
            self.memory.set(slot, label.0);
        }
        let ops = Ops {
            segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
            moves: &[],
            xors: &[],
            ands: &[ops::And { a: 0, b: 1, c: 2, flags: 0 }],
            positions: &[and.position],
        };
        self.state.go_to(and.number);
        self.state.go_to_cycle(and.cycle);
        self.kernel.evaluate(&mut self.state, &mut self.memory, &ops, &table);
        Wiped(self.memory.get(2))
    }

    fn made(&mut self, Made { cycle, keep, .. }: Made, label: &Wiped) -> Result<(), Fault> {
        if let Some(tag) = keep {
            let taken = self.supply.label(tag, cycle, label.0);
            self.failed = self.failed.take().or(taken.err());
        }
        Ok(())
    }
}
