//! `halfgate simulate --machine fase-…`: a circuit on the models of the FASE machines.

use super::fase_labels;
use crate::error::{Exit, Failure};
use crate::fase_engine::Machine;
use crate::machine_args::{Model, Objective, Roles, SimulateArgs};
use crate::progress::Stage;
use crate::{inputs, print, source};
use halfgate_circuit::Circuit;
use halfgate_compiler::{Program, compile};
use halfgate_machines::fase::{Code, Netlist, model, paper};
use serde_json::{Value, json};
use std::fmt::Write;

/// Simulates what `args` name on the machine that they name.
///
/// # Errors
/// If there is no such machine, an option is not for it, or the circuit cannot be had.
pub fn simulate(args: &SimulateArgs) -> Result<(), Failure> {
    let name = &args.machine.machine;
    let machine = Machine::named(name)?;
    check(args, Roles::Evaluator, "FASE is a garbler, and has one model and its RTL")?;
    let lowering = &args.lowering;
    let stage = Stage::begin("reading the circuit");
    let mut circuit = source::circuit(&lowering.circuit)?;
    circuit.cycles = inputs::cycles(lowering.cycles, None, &circuit)?;
    check_size(&circuit)?;
    let order = source::order(&lowering.circuit)?;
    let program = compile(circuit, order).map_err(Failure::with(Exit::Local))?;
    let netlist = Netlist::of(&program.circuit);
    stage.then(&format!("scheduling {} gates", print::grouped(netlist.gates.len() as u64)));
    let (mut found, report) = Found::of(name, machine, &netlist, &program)?;
    drop(stage);
    let compared = if args.model == Model::Rtl {
        Some(fase_labels::rtl(args, &program, machine, &report)?)
    } else if args.labels {
        Some(fase_labels::model(&program, machine)?)
    } else {
        None
    };
    if let Some(compared) = compared {
        found.facts.extend(compared.facts);
        found.text.push_str(&compared.text);
    }
    print::line(&if args.json { found.json().to_string() } else { found.text() })
}

/// The models go through every gate of every netlist cycle, which is quick enough to wait for up to here.
const GATE_CYCLES: u64 = 10_000_000_000;

pub(super) fn check_size(circuit: &Circuit) -> Result<(), Failure> {
    let (gates, cycles) = (circuit.gates.len().max(1) as u64, circuit.cycles);
    match gates.checked_mul(cycles) {
        Some(..=GATE_CYCLES) => Ok(()),
        _ => {
            let what = format!(
                "--cycles {cycles}: the models go through every netlist cycle, and {gates} gates can be done {} times \
                 before it takes hours; each netlist cycle takes as long as the others",
                GATE_CYCLES / gates
            );
            Err(Failure::new(Exit::Usage, what))
        }
    }
}

/// Refuses options that only HAAC has, as `why` says, and the role that the machine has not.
pub(super) fn check(args: &SimulateArgs, not: Roles, why: &str) -> Result<(), Failure> {
    let (machine, lowering) = (&args.machine, &args.lowering);
    let role = if not == Roles::Evaluator { "--role evaluator" } else { "--role garbler" };
    let options = [
        ("--engines", machine.engines.is_some()),
        ("--window", machine.window.is_some()),
        ("--memory", machine.memory.is_some()),
        ("--wire-bytes", machine.wire_bytes.is_some()),
        ("--encoding", lowering.encoding.is_some()),
        ("--paper", lowering.paper),
        ("--no-copies", lowering.no_copies),
        ("--objective", lowering.objective == Objective::Latency),
        (role, args.role == not),
        ("--model exact", args.model == Model::Exact),
        ("--preloaded", args.preloaded),
    ];
    if args.trace.is_some() && args.model != Model::Rtl {
        return Err(Failure::new(Exit::Usage, "--trace has waveforms: of --model rtl"));
    }
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::new(Exit::Usage, format!("{option} is for HAAC: {why}"))),
    }
}

/// What the model of a machine counted.
pub(super) enum Report {
    Paper(paper::Report),
    Scheduled(model::Report),
}

/// What a simulation found.
pub(super) struct Found {
    facts: Vec<(&'static str, Value)>,
    text: String,
}

impl Found {
    fn of(
        name: &str,
        machine: Machine,
        netlist: &Netlist,
        program: &Program,
    ) -> Result<(Found, Report), Failure> {
        let mut found = Found::begin(name, netlist, program);
        let report = match machine {
            Machine::Paper(pipelines) => Report::Paper(found.published(program, pipelines)?),
            Machine::Scheduled(shape) => {
                let code = Code::of(&program.circuit, shape, program.circuit.cycles);
                let code = code.map_err(Failure::with(Exit::Circuit))?;
                Report::Scheduled(found.scheduled(&code, program.circuit.cycles)?)
            }
        };
        Ok((found, report))
    }

    /// What there is to say of any machine.
    pub(super) fn begin(name: &str, netlist: &Netlist, program: &Program) -> Found {
        let cycles = program.circuit.cycles;
        let gates = netlist.gates.len() as u64;
        Found {
            facts: vec![
                ("machine", json!(name)),
                ("hash", json!(program.hash.to_string())),
                ("gates", json!(gates)),
                ("and_gates", json!(netlist.ands())),
                ("netlist_cycles", json!(cycles)),
            ],
            text: format!(
                "gates        {} ({} AND), {} netlist {}\n",
                print::grouped(gates),
                print::grouped(netlist.ands() as u64),
                print::grouped(cycles),
                if cycles == 1 { "cycle" } else { "cycles" }
            ),
        }
    }

    fn published(&mut self, program: &Program, pipelines: usize) -> Result<paper::Report, Failure> {
        let cycles = program.circuit.cycles;
        let code = paper::Code::of(&program.circuit, pipelines);
        let report = paper::run(&code, cycles).map_err(Failure::with(Exit::Local))?;
        let percent = |clocks: u64| clocks as f64 / report.clocks as f64 * 100.0;
        self.clocks(report.clocks, code.body.netlist.gates.len() as u64 * cycles);
        self.facts.extend([
            ("slots", json!(report.slots)),
            ("port_stalls", json!(report.port_stalls)),
            ("dependency_stalls", json!(report.dependency_stalls)),
            ("input_labels", json!(report.input_labels)),
        ]);
        let _ = write!(
            self.text,
            "waits        {:.1} % of all clocks for a port, {:.1} % for labels",
            percent(report.port_stalls),
            percent(report.dependency_stalls)
        );
        Ok(report)
    }

    /// Runs the model of a scheduled machine.
    pub(super) fn scheduled(&mut self, code: &Code, cycles: u64) -> Result<model::Report, Failure> {
        let report = model::run(code, cycles).map_err(Failure::with(Exit::Local))?;
        let (schedule, shape, netlist) = (&code.schedule, code.shape, &code.body.netlist);
        let path = netlist.critical_path(cycles, shape.and.into(), shape.xor.into());
        let slots = report.gates + report.empty_slots;
        let words: u32 = schedule.depths.iter().sum();
        let deepest = schedule.depths.iter().copied().max().unwrap_or(0);
        self.clocks(report.clocks, report.gates);
        self.facts.extend([
            ("interval", json!(schedule.interval)),
            ("least_interval", json!(schedule.bound)),
            ("longest_path", json!(path)),
            ("slots", json!(slots)),
            ("banks", json!(shape.banks)),
            ("label_words", json!(words)),
            ("deepest_bank", json!(deepest)),
            ("early_tables", json!(report.early_tables)),
            ("forwarded_reads", json!(report.forwarded)),
            ("input_labels", json!(report.input_labels)),
        ]);
        let overlap = match cycles {
            0 | 1 => "no netlist cycles to overlap".to_owned(),
            _ => format!(
                "a netlist cycle every {} clocks, of which slots and loops need {}",
                print::grouped(schedule.interval.into()),
                print::grouped(schedule.bound.into())
            ),
        };
        let _ = write!(
            self.text,
            "schedule     {overlap}; the longest path takes {} clocks\n\
             labels       {} words in {} banks, {} in the deepest\n\
             tables       {} finished before one that comes earlier in the program",
            print::grouped(path),
            print::grouped(words.into()),
            shape.banks,
            print::grouped(deepest.into()),
            print::grouped(report.early_tables)
        );
        Ok(report)
    }

    fn clocks(&mut self, clocks: u64, gates: u64) {
        let rate = gates as f64 / clocks as f64;
        self.facts.push(("clocks", json!(clocks)));
        let _ = writeln!(
            self.text,
            "clocks       {} ({rate:.2} gates a clock)",
            print::grouped(clocks)
        );
    }

    pub(super) fn add(&mut self, name: &'static str, value: Value, text: &str) {
        self.facts.push((name, value));
        self.text.push_str(text);
    }

    pub(super) fn json(self) -> Value {
        self.facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}
