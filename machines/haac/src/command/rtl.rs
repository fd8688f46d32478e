//! `halfgate simulate --model rtl`: compares the hardware with the model, number by number.

use super::prepare::Compiled;
use super::{rtl_engine, simulated};
use crate::dram::Attachment;
use crate::rtl::{Effort, Keeper, Measured, Options, RtlEngine};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_engine::Engine;
use halfgate_haac_model::hgp::{Encoding, Header};
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model;
use halfgate_haac_model::model::exact::{Snapshot, Watch};
use halfgate_haac_model::model::fast;
use halfgate_haac_model::model::rows::Plain;
use halfgate_haac_model::model::trace::Trace;
use halfgate_haac_model::report::Report;
use halfgate_machine::args::{Build, SimulateArgs};
use halfgate_machine::building;
use halfgate_machine::labels::OnCpu;
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Simulates, compares, and prints both results.
///
/// # Errors
/// If the options do not apply to hardware, the hardware cannot be built or fails, or any number
/// differs.
pub(super) fn execute(
    args: &SimulateArgs,
    compiled: Compiled,
    (machine, dram): (&Machine, Option<Attachment>),
    roles: &[Party],
) -> Result<(), Failure> {
    if let Some(dram) = &dram {
        dram.check_hardware()?;
    }
    let usage = |what: &str| Err(Failure::new(Exit::Usage, format!("--model rtl: {what}")));
    if args.preloaded {
        return usage("hardware starts with empty queues: leave --preloaded out");
    }
    if compiled.header.encoding != Encoding::Plain {
        return usage("hardware supports the encoding plain only: compile the program with it");
    }
    let Compiled { program: Some(program), code, header, .. } = compiled else {
        return usage("the program that the file was compiled from is needed");
    };
    let modelled = |&role: &Party| {
        let options = model::Options::new(role);
        if let Some(dram) = &dram {
            let sizes = &mut Plain::new(code.shape);
            let report = dram.run(&code, machine, (&options, false), sizes, &mut NoSink);
            return report.map_err(simulated::dram_failure);
        }
        fast::run(&code, machine, &options, &mut Plain::new(code.shape), &mut NoSink)
            .map_err(simulated::failure)
    };
    let wanted = roles.iter().map(modelled).collect::<Result<Vec<_>, _>>()?;
    let is_fst = |path: &&Path| path.extension().is_some_and(|end| end == "fst");
    let waveforms = args.trace.as_deref().filter(is_fst);
    let options = Options {
        aes: args.aes,
        effort: match args.build {
            Build::Quick => Effort::Middle,
            Build::Fast => Effort::High,
        },
        waveforms: waveforms.map(Path::to_owned),
        dram: dram.as_ref().map(|dram| dram.configuration.clone()),
        keeper: args.pace,
        ..Options::default()
    };
    let mut engine = RtlEngine::new(machine.clone(), options);
    let mut built = Vec::new();
    for role in roles {
        built.push(rtl_engine::build(&engine, *role)?);
    }
    let occupancy = args.trace.as_deref().filter(|path| !is_fst(path));
    let occupancy = occupancy.map(|path| Occupancy::new(path, machine)).transpose()?;
    let occupancy = occupancy.map(|watcher| Arc::new(Mutex::new(watcher)));
    if let Some(watcher) = &occupancy {
        engine = engine.with_watcher(watcher.clone());
    }
    let stage = Stage::begin("garbling on the CPU");
    let mut cpu = OnCpu::new(&program)?;
    let mut prepared = engine.prepare_code(&program, code).map_err(building::failure)?;
    let mut runs = Vec::new();
    let keeper = dram.is_none().then_some(args.pace);
    let cycles = || engine.simulated().map_or(0, |all| all.clock_cycles);
    for ((&role, wanted), built) in roles.iter().zip(wanted).zip(built) {
        let before = cycles();
        stage.then(&format!("simulating the {}", name(role)));
        let time = match role {
            Party::Garbler => cpu.garbling(&mut *prepared)?,
            Party::Evaluator => cpu.evaluating(&mut *prepared)?,
        };
        let Some(found) = engine.measured() else {
            return Err(Failure::new(Exit::Local, "the machine measured nothing"));
        };
        let launches = program.circuit.cycles;
        let all = [cycles() - before, simulated::all_cycles(launches, wanted.cycles)?];
        let rate = all[0] as f64 / time.as_secs_f64().max(1e-9);
        runs.push(Run { role, launches, all, found, wanted, rate, built, keeper });
    }
    drop(stage);
    if let Some(occupancy) = occupancy {
        occupancy.lock().unwrap_or_else(PoisonError::into_inner).finish()?;
    }
    let labels = [cpu.ands(), cpu.output_labels()];
    if args.json {
        print_json(&header, machine, &engine.name(), labels, &runs)?;
    } else {
        print_text(&header, &engine.name(), labels, &runs)?;
    }
    check(&runs)
}

/// Refuses runs whose counts differ from the model's and must not.
fn check(runs: &[Run]) -> Result<(), Failure> {
    match runs.iter().find(|run| run.must_be_equal() && !run.is_equal()) {
        Some(run) => {
            let what =
                format!("the {}'s hardware and its model have different counts", name(run.role));
            Err(Failure::new(Exit::Mismatch, what))
        }
        None => Ok(()),
    }
}

/// Prints the runs as JSON. `labels` has the numbers of tables and of output labels, all of which
/// equal those of the CPU engine.
fn print_json(
    header: &Header,
    machine: &Machine,
    engine: &str,
    [tables, outputs]: [u64; 2],
    runs: &[Run],
) -> Result<(), Failure> {
    let mut facts = super::compile::json(header);
    facts["machine"] = json!(machine.name);
    facts["memory"] = json!(machine.memory.name);
    facts["model"] = json!("rtl");
    facts["engine"] = json!(engine);
    facts["tables_equal"] = json!(tables);
    facts["output_labels_equal"] = json!(outputs);
    facts["runs"] = runs.iter().map(Run::json).collect();
    print::line(&facts.to_string())
}

/// Prints the runs as text. The arguments are those of [`print_json`].
fn print_text(
    header: &Header,
    engine: &str,
    [tables, outputs]: [u64; 2],
    runs: &[Run],
) -> Result<(), Failure> {
    print::line(&super::compile::text(header))?;
    print::line(&format!("machine      {engine}"))?;
    runs.iter().try_for_each(|run| print::line(&run.text()))?;
    print::line(&format!(
        "\nlabels       {} tables and {} output labels equal the CPU engine's",
        print::grouped(tables),
        print::grouped(outputs)
    ))
}

fn name(role: Party) -> &'static str {
    match role {
        Party::Garbler => "garbler",
        Party::Evaluator => "evaluator",
    }
}

/// Counters of hardware and model: the clock cycles of all launches, and all other counters of the
/// last launch.
struct Run {
    role: Party,
    launches: u64,
    /// Clock cycles of all launches: the hardware's, and the model's for the same number of
    /// launches.
    all: [u64; 2],
    found: Measured,
    wanted: Report,
    /// Simulated clock cycles of all launches, divided by the seconds of the whole run.
    rate: f64,
    /// Build time of the machine, if it was built for this run.
    built: Option<Duration>,
    /// Who kept the memory contract; `None` if a DRAM had times of its own.
    keeper: Option<Keeper>,
}

impl Run {
    /// Whether hardware and model have the same timing of memory.
    fn must_be_equal(&self) -> bool {
        self.keeper == Some(Keeper::Registers)
    }

    fn is_equal(&self) -> bool {
        let [found, wanted] = self.all;
        self.found.report == self.wanted && self.found.late == 0 && found == wanted
    }

    /// Every number with its name: the hardware's, then the model's.
    fn pairs(&self) -> Vec<(String, u64, u64)> {
        let found = numbers(&self.found.report).into_iter();
        let pairs = found.zip(numbers(&self.wanted));
        let mut pairs: Vec<_> =
            pairs.map(|((name, found), (_, wanted))| (name, found, wanted)).collect();
        pairs.push(("late".to_owned(), self.found.late, 0));
        if self.launches != 1 {
            pairs.push(("cycles of all launches".to_owned(), self.all[0], self.all[1]));
        }
        pairs
    }

    fn text(&self) -> String {
        let launches = match self.launches {
            1 => String::new(),
            many => format!("{} launches, counters of the last, ", print::grouped(many)),
        };
        let paced = match self.keeper {
            Some(Keeper::Registers) => "",
            Some(Keeper::Memory) => "paced by memory, ",
            Some(Keeper::Nobody) => "not paced, ",
            None => "paced by a simulated DRAM, ",
        };
        let mut text = format!(
            "\n{}, {launches}{paced}{} simulated\n{:26} {:>14} {:>14}",
            name(self.role),
            print::rate(self.rate, "cycles"),
            "",
            "hardware",
            "model"
        );
        for (name, found, wanted) in self.pairs() {
            let mark = if found == wanted || !self.must_be_equal() { "" } else { "  DIFFERS" };
            let (found, wanted) = (print::grouped(found), print::grouped(wanted));
            text.push_str(&format!("\n  {name:24} {found:>14} {wanted:>14}{mark}"));
        }
        text
    }

    fn json(&self) -> Value {
        let side = |of: fn(&(String, u64, u64)) -> u64| -> serde_json::Map<_, _> {
            self.pairs().iter().map(|pair| (pair.0.clone(), json!(of(pair)))).collect()
        };
        json!({
            "role": name(self.role),
            "equal": self.is_equal(),
            "pace": self.keeper.map(Keeper::name),
            "launches": self.launches,
            "cycles": self.all[0],
            "launch_cycles": self.found.report.cycles,
            "hardware": side(|pair| pair.1),
            "model": side(|pair| pair.2),
            "simulated_cycles_s": self.rate,
            "built_s": self.built.map(|time| time.as_secs_f64()),
        })
    }
}

/// The numbers of a report: counters, causes summed over all engines, causes of each engine.
fn numbers(report: &Report) -> Vec<(String, u64)> {
    let (traffic, activity) = (&report.traffic, &report.activity);
    let mut all: Vec<(String, u64)> = [
        ("cycles", report.cycles),
        ("first_issue", report.first_issue),
        ("last_write_back", report.last_write_back),
        ("memory_bound_cycles", report.memory_bound_cycles),
        ("instruction_bursts", traffic.instruction_bursts),
        ("table_bursts", traffic.table_bursts),
        ("oor_address_bursts", traffic.oor_address_bursts),
        ("oor_wires", traffic.oor_wires),
        ("live", traffic.live),
        ("input_bursts", traffic.input_bursts),
        ("ands", activity.ands),
        ("xors", activity.xors),
        ("half_gate_cycles", activity.half_gate_cycles),
        ("window_reads", activity.window_reads),
        ("window_writes", activity.window_writes),
        ("forwarded", activity.forwarded),
        ("oor_pops", activity.oor_pops),
    ]
    .map(|(name, number)| (name.to_owned(), number))
    .into();
    for (name, cycles) in report.causes().named() {
        all.push((format!("cycles: {name}"), cycles));
    }
    for (e, causes) in report.engines.iter().enumerate() {
        let issued = causes.issue;
        all.push((format!("engine {e}: issue"), issued));
    }
    all
}

/// The trace of a launch, which is the first one if there are several.
struct Occupancy {
    trace: Option<Trace<BufWriter<File>>>,
    last: Option<u64>,
    over: bool,
}

impl Occupancy {
    fn new(path: &Path, machine: &Machine) -> Result<Occupancy, Failure> {
        let local = Failure::with::<std::io::Error>(Exit::Local);
        let file = BufWriter::new(File::create(path).map_err(&local)?);
        let trace = Trace::new(file, 0..u64::MAX, 16, machine.shape.engines, machine.mhz);
        Ok(Occupancy { trace: Some(trace.map_err(local)?), last: None, over: false })
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let Some(trace) = self.trace.take() else { return Ok(()) };
        trace.finish().map(|_| ()).map_err(Failure::with(Exit::Local))
    }
}

impl Watch for Occupancy {
    fn cycle(&mut self, snapshot: &Snapshot<'_>) {
        // If the cycle number has not grown, the next launch has begun: launches start at cycle 0.
        self.over |= self.last.is_some_and(|last| snapshot.cycle <= last);
        self.last = Some(snapshot.cycle);
        if let Some(trace) = self.trace.as_mut().filter(|_| !self.over) {
            trace.cycle(snapshot);
        }
    }
}
