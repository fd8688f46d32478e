//! `halfgate simulate --labels`: garbles and evaluates on the model, and compares every table and
//! every output label with those of the CPU engine.

use crate::engine::{HaacEngine, Model};
use halfgate_compiler::Program;
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Stage;
use halfgate_console::verilog_args::VerilogArgs;
use halfgate_console::{print, source};
use halfgate_haac_model::{Code, Machine};
use halfgate_machine::labels::OnCpu;
use serde_json::{Value, json};

/// Results of the comparison.
pub(super) struct Compared {
    ands: u64,
    output_labels: u64,
    /// M gates/s of the model with labels: when garbling, and when evaluating.
    rates: [f64; 2],
}

impl Compared {
    /// The results as text.
    pub fn text(&self) -> String {
        format!(
            "\nlabels       {} tables and {} output labels equal the CPU engine's; {:.2} M gates/s garbling, {:.2} evaluating",
            print::grouped(self.ands),
            print::grouped(self.output_labels),
            self.rates[0],
            self.rates[1]
        )
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        json!({
            "tables_equal": self.ands,
            "output_labels_equal": self.output_labels,
            "garbling_mgates_s": self.rates[0],
            "evaluating_mgates_s": self.rates[1],
        })
    }
}

/// Runs `code` of `program` on `machine` with labels, and `program` on the CPU.
///
/// # Errors
/// If an engine refuses the program, or any table or output label differs.
pub(super) fn compare(
    program: &Program,
    code: Code,
    machine: &Machine,
    model: Model,
) -> Result<Compared, Failure> {
    let stage = Stage::begin("garbling on the CPU");
    let mut cpu = OnCpu::new(program)?;
    stage.then("garbling with the model");
    let engine = HaacEngine::new(machine.clone()).with_model(model);
    let mut prepared = engine.prepare_code(program, code).map_err(Failure::with(Exit::Local))?;
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

/// The program that a file was compiled from. It is built from the circuit that the file names.
///
/// # Errors
/// If the circuit is not available, or has changed.
pub(super) fn program_of(source: &str, order: &str, hash: &str) -> Result<Program, Failure> {
    let args = CircuitArgs {
        privacy: None,
        shallow: false,
        match_paper: None,
        steps: None,
        circuit: source.to_owned(),
        parties: None,
        order: Some(order.to_owned()),
        as_given: false,
        outputs: None,
        verilog: VerilogArgs::default(),
    };
    let program = source::program(&args)?;
    if program.hash.to_string() == hash {
        return Ok(program);
    }
    let what = format!(
        "--labels: {source} in order {order} is program {}, and the file holds {hash}; simulate the circuit itself",
        program.hash
    );
    Err(Failure::new(Exit::Mismatch, what))
}
