//! `halfgate simulate --labels`: garbles and evaluates as the model says, and compares every table
//! and every output label with the CPU engine's.
//!
//! Memory: two times the program's tables, and one entry for each input and output bit.

use crate::error::{Exit, Failure};
use crate::progress::Stage;
use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::Program;
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::haac::{self, HaacEngine};
use halfgate_engine::testing::{MemoryEvaluator, MemoryGarbler, expanded_labels};
use halfgate_engine::{Delta, Engine, EngineError, Label, Prepared, RunKey, Suite};
use halfgate_machines::haac::{Code, Machine};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Labels of nobody: what is compared is the same for any.
const SEED: [u8; 16] = *b"a seed of labels";
const DELTA: u128 = 0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1;
const CONSTANT: u128 = 0x1122_3344_5566_7788_99aa_bbcc_ddee_ff00;
const POINT: u128 = 0x1234_5678_9abc_def0;

/// What was compared.
pub(super) struct Compared {
    ands: u64,
    output_labels: u64,
    /// M gates a second of the model with labels: garbling and evaluating.
    rates: [f64; 2],
}

impl Compared {
    /// For people.
    pub fn text(&self) -> String {
        format!(
            "\nlabels       {} tables and {} output labels equal the CPU engine's; {:.2} M gates/s garbling, {:.2} evaluating",
            crate::print::grouped(self.ands),
            crate::print::grouped(self.output_labels),
            self.rates[0],
            self.rates[1]
        )
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({
            "tables_equal": self.ands,
            "output_labels_equal": self.output_labels,
            "garbling_mgates_s": self.rates[0],
            "evaluating_mgates_s": self.rates[1],
        })
    }
}

/// Runs `code` of `program` on `machine` with labels, and the program on the CPU.
///
/// # Errors
/// If an engine refuses the program, or anything differs.
pub(super) fn compare(
    program: &Program,
    code: Code,
    machine: &Machine,
    model: haac::Model,
) -> Result<Compared, Failure> {
    let stage = Stage::begin("garbling on the CPU");
    let mut cpu = OnCpu::new(program)?;
    stage.then("garbling with the model");
    let engine = HaacEngine::new(machine.clone()).with_model(model);
    let mut prepared = engine.prepare_code(program, code).map_err(failure)?;
    let garbling = cpu.garbling(&mut *prepared)?;
    stage.then("evaluating with the model");
    let evaluating = cpu.evaluating(&mut *prepared)?;
    let gates = (program.gates_per_cycle() * program.circuit.cycles) as f64;
    Ok(Compared {
        ands: cpu.ands(),
        output_labels: cpu.output_labels(),
        rates: [garbling, evaluating].map(|time| gates / time.as_secs_f64().max(1e-9) * 1e-6),
    })
}

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

    /// Tables.
    pub fn ands(&self) -> u64 {
        self.garbled.tables().len() as u64 / 32
    }

    /// Labels of outputs, over all cycles.
    pub fn output_labels(&self) -> u64 {
        self.garbled.outputs().len() as u64
    }

    /// Garbles with a machine, and says how long that took.
    ///
    /// # Errors
    /// If it fails, or tables or output labels are others.
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
            return differs(format!("the machine's table of AND {} is not the CPU's", byte / 32));
        }
        if found.outputs() != self.garbled.outputs() {
            return differs("the machine's false labels of outputs are not the CPU's".to_owned());
        }
        Ok(time)
    }

    /// Evaluates with a machine, and says how long that took.
    ///
    /// # Errors
    /// If it fails, or output labels are others.
    pub fn evaluating(&mut self, machine: &mut dyn Prepared) -> Result<Duration, Failure> {
        let tables = self.garbled.tables();
        let start = Instant::now();
        let found = evaluated(machine, self.key, self.circuit, self.cycles, tables)?;
        let time = start.elapsed();
        let wanted = evaluated(&mut *self.engine, self.key, self.circuit, self.cycles, tables)?;
        if found.outputs() != wanted.outputs() {
            let what = "the machine's active labels of outputs are not the CPU's";
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
fn evaluated<'a>(
    engine: &mut dyn Prepared,
    key: RunKey,
    circuit: &Circuit,
    cycles: u64,
    tables: &'a [u8],
) -> Result<MemoryEvaluator<'a>, Failure> {
    let labels = expanded_labels(circuit, &SEED);
    let active = move |cycle, wire: Wire| {
        labels(cycle, wire) ^ Label::from_u128(DELTA).masked(wire.index().is_multiple_of(3))
    };
    let mut io = MemoryEvaluator::new(active, Label::from_u128(CONSTANT), tables);
    engine.evaluate(key, cycles, &mut io).map_err(failure)?;
    Ok(io)
}

pub(super) fn failure(error: EngineError) -> Failure {
    Failure::new(Exit::Local, error)
}

/// The program that a file was compiled from, if it names it and it is still the same.
///
/// # Errors
/// If the circuit is not to be had, or is another by now.
pub(super) fn program_of(source: &str, order: &str, hash: &str) -> Result<Program, Failure> {
    let args = crate::args::CircuitArgs {
        privacy: None,
        shallow: false,
        match_paper: false,
        steps: None,
        circuit: source.to_owned(),
        parties: None,
        order: Some(order.to_owned()),
        as_given: false,
        outputs: None,
        verilog: crate::verilog_args::VerilogArgs::default(),
    };
    let program = crate::source::program(&args)?;
    if program.hash.to_string() == hash {
        return Ok(program);
    }
    let what = format!(
        "--labels: {source} in order {order} is program {}, and the file holds {hash}; simulate the circuit itself",
        program.hash
    );
    Err(Failure::new(Exit::Mismatch, what))
}
