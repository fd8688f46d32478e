//! `halfgate simulate --machine fase-…`: a circuit on the models of the FASE machines.

use super::fase_labels;
use crate::error::{Exit, Failure};
use crate::machine_args::{Model, Objective, Roles, SimulateArgs};
use crate::progress::Stage;
use crate::{inputs, print, source};
use halfgate_circuit::Circuit;
use halfgate_compiler::{Program, compile};
use halfgate_machines::fase::model::Report;
use halfgate_machines::fase::{Code, Netlist, Shape, model, paper};
use serde_json::{Value, json};
use std::fmt::Write;

/// How machines are named.
pub const FORM: &str =
    "fase-N with 1 to 8 pipelines, fase-wide-N with 1 to 4, or fase-paper-N with 1 to 16";

/// A FASE machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Machine {
    /// As published.
    Paper(usize),
    /// One that a schedule drives.
    Scheduled(Shape),
}

/// Simulates what `args` name on the machine that they name.
///
/// # Errors
/// If there is no such machine, an option is not for it, or the circuit cannot be had.
pub fn simulate(args: &SimulateArgs) -> Result<(), Failure> {
    let name = &args.machine.machine;
    let machine = machine(name)?;
    check(args)?;
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
    let usage = |what: &str| Err(Failure::new(Exit::Usage, what));
    let compared = match (machine, report) {
        (Machine::Scheduled(shape), Some(report)) if args.model == Model::Rtl => {
            Some(fase_labels::rtl(args, &program, shape, &report)?)
        }
        (Machine::Scheduled(shape), _) if args.labels => Some(fase_labels::model(&program, shape)?),
        (Machine::Paper(_), _) if args.labels || args.model == Model::Rtl => {
            return usage(
                "the published machine is there as a model of time only: no labels, no RTL",
            );
        }
        _ if args.trace.is_some() => return usage("--trace has waveforms: of --model rtl"),
        _ => None,
    };
    if let Some(compared) = compared {
        found.facts.extend(compared.facts);
        found.text.push_str(&compared.text);
    }
    print::line(&if args.json { found.json().to_string() } else { found.text() })
}

fn machine(name: &str) -> Result<Machine, Failure> {
    let paper = || {
        let pipelines = name.strip_prefix("fase-paper-")?.parse().ok()?;
        (1..=16).contains(&pipelines).then_some(Machine::Paper(pipelines))
    };
    let found = Shape::named(name).map(Machine::Scheduled).or_else(paper);
    found.ok_or_else(|| {
        Failure::new(Exit::Unknown, format!("there is no machine {name:?}: there are {FORM}"))
    })
}

/// The models go through every gate of every netlist cycle, which is quick enough to wait for up to here.
const GATE_CYCLES: u64 = 10_000_000_000;

fn check_size(circuit: &Circuit) -> Result<(), Failure> {
    let (gates, cycles) = (circuit.gates.len().max(1) as u64, circuit.cycles);
    match gates.checked_mul(cycles) {
        Some(..=GATE_CYCLES) => Ok(()),
        _ => {
            let what = format!(
                "--cycles {cycles}: the models garble every netlist cycle, and {gates} gates can be garbled {} times \
                 before it takes hours; each netlist cycle takes as long as the others",
                GATE_CYCLES / gates
            );
            Err(Failure::new(Exit::Usage, what))
        }
    }
}

/// Refuses options that only HAAC has.
fn check(args: &SimulateArgs) -> Result<(), Failure> {
    let (machine, lowering) = (&args.machine, &args.lowering);
    let options = [
        ("--engines", machine.engines.is_some()),
        ("--window", machine.window.is_some()),
        ("--memory", machine.memory.is_some()),
        ("--wire-bytes", machine.wire_bytes.is_some()),
        ("--encoding", lowering.encoding.is_some()),
        ("--paper", lowering.paper),
        ("--no-copies", lowering.no_copies),
        ("--objective", lowering.objective == Objective::Latency),
        ("--role evaluator", args.role == Roles::Evaluator),
        ("--model exact", args.model == Model::Exact),
        ("--preloaded", args.preloaded),
    ];
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            let what =
                format!("{option} is for HAAC: FASE is a garbler, and has one model and its RTL");
            Err(Failure::new(Exit::Usage, what))
        }
    }
}

/// What a simulation found.
struct Found {
    facts: Vec<(&'static str, Value)>,
    text: String,
}

impl Found {
    fn of(
        name: &str,
        machine: Machine,
        netlist: &Netlist,
        program: &Program,
    ) -> Result<(Found, Option<Report>), Failure> {
        let cycles = program.circuit.cycles;
        let gates = netlist.gates.len() as u64;
        let mut found = Found {
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
        };
        let report = match machine {
            Machine::Paper(pipelines) => {
                found.published(netlist, cycles, pipelines);
                None
            }
            Machine::Scheduled(shape) => Some(found.scheduled(netlist, program, shape)?),
        };
        Ok((found, report))
    }

    fn published(&mut self, netlist: &Netlist, cycles: u64, pipelines: usize) {
        let report = paper::run(netlist, cycles, pipelines);
        let percent = |clocks: u64| clocks as f64 / report.clocks as f64 * 100.0;
        self.clocks(report.clocks, netlist.gates.len() as u64 * cycles);
        self.facts.push(("port_stalls", json!(report.port_stalls)));
        self.facts.push(("dependency_stalls", json!(report.dependency_stalls)));
        let _ = write!(
            self.text,
            "waits        {:.1} % of all clocks for a port, {:.1} % for labels",
            percent(report.port_stalls),
            percent(report.dependency_stalls)
        );
    }

    fn scheduled(
        &mut self,
        netlist: &Netlist,
        program: &Program,
        shape: Shape,
    ) -> Result<Report, Failure> {
        let cycles = program.circuit.cycles;
        let code =
            Code::of(&program.circuit, shape, cycles).map_err(Failure::with(Exit::Circuit))?;
        let report = model::run(&code, cycles).map_err(Failure::with(Exit::Local))?;
        let schedule = &code.schedule;
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

    fn json(self) -> Value {
        self.facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_have_names() {
        assert_eq!(machine("fase-2").unwrap(), Machine::Scheduled(Shape::best(2)));
        assert_eq!(machine("fase-wide-4").unwrap(), Machine::Scheduled(Shape::wide(4)));
        assert_eq!(machine("fase-paper-1").unwrap(), Machine::Paper(1));
        for wrong in
            ["fase-", "fase-0", "fase-9", "fase-wide-5", "fase-wide", "fase-best-2", "fase-2x"]
        {
            assert!(machine(wrong).is_err(), "{wrong}");
        }
    }
}
