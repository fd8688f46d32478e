//! Compares a machine with the CPU engine: both garble and evaluate a program, and every table and
//! every output label must agree.
//!
//! Memory: twice the program's tables, and one entry for each input and output bit.

use halfgate_circuit::{Circuit, Party, Wire};
use halfgate_compiler::Program;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::testing::{MemoryEvaluator, MemoryGarbler, Outputs, expanded_labels};
use halfgate_engine::{Delta, Engine, EngineError, Label, Prepared, RunKey, Suite};
use std::time::{Duration, Instant};

/// A fixed seed: the comparison does not depend on the labels.
const SEED: [u8; 16] = *b"a seed of labels";
const DELTA: u128 = 0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1;
const CONSTANT: u128 = 0x1122_3344_5566_7788_99aa_bbcc_ddee_ff00;
const POINT: u128 = 0x1234_5678_9abc_def0;

/// A program, garbled by the CPU engine.
pub struct OnCpu<'p> {
    circuit: &'p Circuit,
    engine: Box<dyn Prepared + 'p>,
    garbled: MemoryGarbler<'static>,
    cycles: u64,
    key: RunKey,
}

impl<'p> OnCpu<'p> {
    /// Garbles `program` under `half-gates`.
    ///
    /// # Errors
    /// If the engine refuses it.
    pub fn new(program: &'p Program) -> Result<OnCpu<'p>, Failure> {
        OnCpu::under(Suite::HalfGates, program)
    }

    /// Garbles `program`.
    ///
    /// # Errors
    /// If the engine refuses it.
    pub fn under(suite: Suite, program: &'p Program) -> Result<OnCpu<'p>, Failure> {
        let key = RunKey { suite, point: POINT };
        let cycles = program.circuit.cycles;
        let cpu = CpuEngine::new(None).map_err(Failure::with(Exit::Local))?;
        let mut engine = cpu.prepare(program).map_err(failure)?;
        let garbled = garbled(&mut *engine, key, &program.circuit, cycles)?;
        Ok(OnCpu { circuit: &program.circuit, engine, garbled, cycles, key })
    }

    /// Number of tables.
    pub fn ands(&self) -> u64 {
        self.garbled.tables().len() as u64 / 32
    }

    /// Number of output labels, over all cycles.
    pub fn output_labels(&self) -> u64 {
        self.garbled.outputs().len() as u64
    }

    /// The start point.
    pub fn point(&self) -> u128 {
        self.key.point
    }

    /// The garbler's delta. It is the same in every comparison, and no secret.
    pub fn delta(&self) -> Label {
        Label::from_u128(DELTA)
    }

    /// All tables, in program order.
    pub fn tables(&self) -> &[u8] {
        self.garbled.tables()
    }

    /// The label of an input bit in the first cycle: the false one for the garbler, the active one
    /// for the evaluator.
    pub fn inputs(&self, role: Party) -> impl Fn(Wire) -> Label {
        let labels = expanded_labels(self.circuit, &SEED);
        move |wire| match role {
            Party::Garbler => labels(0, wire),
            Party::Evaluator => labels(0, wire) ^ Label::from_u128(DELTA).masked(is_true(wire)),
        }
    }

    /// The labels of the output bits: the false ones for the garbler, the active ones for the
    /// evaluator.
    ///
    /// # Errors
    /// If evaluation fails.
    pub fn outputs(&mut self, role: Party) -> Result<Outputs, Failure> {
        if role == Party::Garbler {
            return Ok(self.garbled.outputs().clone());
        }
        let tables = self.garbled.tables();
        let found = evaluated(&mut *self.engine, self.key, self.circuit, self.cycles, tables)?;
        Ok(found.outputs().clone())
    }

    /// Garbles with a machine, compares, and returns the time that garbling took.
    ///
    /// # Errors
    /// If garbling fails, or tables or output labels differ.
    pub fn garbling(&self, machine: &mut dyn Prepared) -> Result<Duration, Failure> {
        let start = Instant::now();
        let found = garbled(machine, self.key, self.circuit, self.cycles)?;
        let time = start.elapsed();
        let differs = |what: String| Err(Failure::new(Exit::Mismatch, what));
        if found.tables().len() != self.garbled.tables().len() {
            let made = found.tables().len() / 32;
            return differs(format!("the machine makes {made} tables, the CPU {}", self.ands()));
        }
        let mut pairs = found.tables().iter().zip(self.garbled.tables());
        if let Some(byte) = pairs.position(|(a, b)| a != b) {
            return differs(format!(
                "the machine's table of AND {} differs from the CPU's",
                byte / 32
            ));
        }
        if found.outputs() != self.garbled.outputs() {
            return differs(
                "the machine's false labels of outputs differ from the CPU's".to_owned(),
            );
        }
        Ok(time)
    }

    /// Evaluates with a machine, compares, and returns the time that evaluation took.
    ///
    /// # Errors
    /// If evaluation fails, or output labels differ.
    pub fn evaluating(&mut self, machine: &mut dyn Prepared) -> Result<Duration, Failure> {
        let tables = self.garbled.tables();
        let start = Instant::now();
        let found = evaluated(machine, self.key, self.circuit, self.cycles, tables)?;
        let time = start.elapsed();
        let wanted = evaluated(&mut *self.engine, self.key, self.circuit, self.cycles, tables)?;
        if found.outputs() != wanted.outputs() {
            let what = "the machine's active labels of outputs differ from the CPU's";
            return Err(Failure::new(Exit::Mismatch, what));
        }
        Ok(time)
    }
}

fn garbled(
    engine: &mut dyn Prepared,
    key: RunKey,
    circuit: &Circuit,
    cycles: u64,
) -> Result<MemoryGarbler<'static>, Failure> {
    let labels = expanded_labels(circuit, &SEED);
    let mut io = MemoryGarbler::new(labels, Label::from_u128(CONSTANT)).with_seed(SEED);
    let delta = Delta::new(Label::from_u128(DELTA));
    engine.garble(key, &delta, cycles, &mut io).map_err(failure)?;
    Ok(io)
}

/// Every third input bit is 1.
fn is_true(wire: Wire) -> bool {
    wire.index().is_multiple_of(3)
}

fn evaluated<'a>(
    engine: &mut dyn Prepared,
    key: RunKey,
    circuit: &Circuit,
    cycles: u64,
    tables: &'a [u8],
) -> Result<MemoryEvaluator<'a>, Failure> {
    let labels = expanded_labels(circuit, &SEED);
    let active = move |cycle, wire: Wire| {
        labels(cycle, wire) ^ Label::from_u128(DELTA).masked(is_true(wire))
    };
    let mut io = MemoryEvaluator::new(active, Label::from_u128(CONSTANT), tables);
    engine.evaluate(key, cycles, &mut io).map_err(failure)?;
    Ok(io)
}

fn failure(error: EngineError) -> Failure {
    Failure::new(Exit::Local, error)
}
