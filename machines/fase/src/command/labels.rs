//! `halfgate simulate --machine fase-… --labels` and `--model rtl`: garbles with the model or the
//! hardware, and compares the labels with the CPU engine's.

use super::counts::Report;
use super::engine::Machine;
use crate::Fase;
use crate::engine::{FaseEngine, PaperEngine};
use crate::rtl::paper::RtlPaper;
use crate::rtl::{Options, RtlFase};
use halfgate_compiler::Program;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_engine::{Engine, EngineError, Suite};
use halfgate_machine::args::{Build, SimulateArgs};
use halfgate_machine::building;
use halfgate_machine::labels::OnCpu;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Result of a comparison.
pub(super) struct Compared {
    pub facts: Vec<(&'static str, Value)>,
    pub text: String,
}

/// Garbles with the model, computing labels, and compares them with the CPU engine's.
///
/// # Errors
/// If the engine rejects the program, or a table or label differs.
pub(super) fn model(program: &Program, machine: Machine) -> Result<Compared, Failure> {
    let doing = "garbling with the model";
    let compared = match machine {
        Machine::Scheduled(shape) => {
            compare(program, &FaseEngine::new(shape), Suite::HalfGates, doing)
        }
        Machine::Paper(pipelines) => {
            compare(program, &PaperEngine::new(pipelines), Suite::HalfGatesFixedKey, doing)
        }
    };
    compared.map(|(compared, _)| compared)
}

/// Name, count of the hardware, count of the model.
type Pairs = Vec<(&'static str, u64, u64)>;

/// Garbles on the hardware, and compares its counters with the model's.
///
/// # Errors
/// If the machine cannot be built or rejects the program, or a count differs.
pub(super) fn rtl(
    args: &SimulateArgs,
    program: &Program,
    machine: Machine,
    wanted: &Report,
) -> Result<Compared, Failure> {
    match (machine, wanted) {
        (Machine::Scheduled(shape), Report::Scheduled(wanted)) => {
            let engine = RtlFase::new(shape, options(args));
            let run = run(
                &engine,
                program,
                Suite::HalfGates,
                || engine.is_built(),
                || engine.build().map(drop),
            )?;
            let found = engine.measured().ok_or_else(nothing)?;
            let pairs = vec![
                ("clocks", found.clocks, wanted.clocks),
                ("gates", found.gates, wanted.gates),
                ("ands", found.ands, wanted.ands),
                ("forwarded_reads", found.forwarded, wanted.forwarded),
                ("input_labels", found.input_labels, wanted.input_labels),
                ("output_labels", found.labels, wanted.labels),
            ];
            beside(&engine.name(), run, pairs)
        }
        (Machine::Paper(pipelines), Report::Paper(wanted)) => {
            let engine = RtlPaper::new(pipelines, options(args));
            let suite = Suite::HalfGatesFixedKey;
            let run =
                run(&engine, program, suite, || engine.is_built(), || engine.build().map(drop))?;
            let found = engine.measured().ok_or_else(nothing)?;
            let pairs = vec![
                ("clocks", found.clocks, wanted.clocks),
                ("slots", found.slots, wanted.slots),
                ("ands", found.ands, wanted.ands),
                ("port_stalls", found.port_stalls, wanted.port_stalls),
                ("dependency_stalls", found.dependency_stalls, wanted.dependency_stalls),
                ("input_labels", found.input_labels, wanted.input_labels),
                ("output_labels", found.labels, wanted.labels),
            ];
            beside(&engine.name(), run, pairs)
        }
        _ => Err(nothing()),
    }
}

fn options<S>(args: &SimulateArgs) -> Options<S> {
    let waveforms = args.trace.clone();
    let fast = args.build == Build::Fast;
    Options { aes: args.aes, fast, waveforms, ..Options::default() }
}

fn nothing() -> Failure {
    Failure::new(Exit::Local, "the simulated machine reported no counters")
}

/// Result of a run on the hardware, with the seconds for the run and for building.
struct Ran {
    compared: Compared,
    seconds: f64,
    built: Option<Duration>,
}

fn run(
    engine: &dyn Engine,
    program: &Program,
    suite: Suite,
    is_built: impl Fn() -> Result<bool, EngineError>,
    build: impl Fn() -> Result<(), EngineError>,
) -> Result<Ran, Failure> {
    let built = building::building(&engine.name(), "garbler", is_built, build)?;
    let (compared, seconds) = compare(program, engine, suite, "simulating")?;
    Ok(Ran { compared, seconds, built })
}

/// Adds the counts to the output, and compares those of the hardware with those of the model.
fn beside(name: &str, ran: Ran, pairs: Pairs) -> Result<Compared, Failure> {
    let Ran { mut compared, seconds, built } = ran;
    let clocks = pairs.first().map_or(0, |pair| pair.1);
    let rate = clocks as f64 / seconds.max(1e-9);
    let _ = write!(
        compared.text,
        "\n\n{name}: {} simulated\n{:20} {:>14} {:>14}",
        print::rate(rate, "clocks"),
        "",
        "hardware",
        "model"
    );
    for &(what, found, wanted) in &pairs {
        let mark = if found == wanted { "" } else { "  DIFFERS" };
        let (found, wanted) = (print::grouped(found), print::grouped(wanted));
        let _ = write!(compared.text, "\n  {what:18} {found:>14} {wanted:>14}{mark}");
    }
    let side = |of: fn(&(&str, u64, u64)) -> u64| -> serde_json::Map<_, _> {
        pairs.iter().map(|pair| (pair.0.to_owned(), json!(of(pair)))).collect()
    };
    compared.facts.extend([
        ("engine", json!(name)),
        ("hardware", side(|pair| pair.1).into()),
        ("model", side(|pair| pair.2).into()),
        ("simulated_clocks_s", json!(rate)),
        ("built_s", json!(built.map(|time| time.as_secs_f64()))),
    ]);
    match pairs.iter().find(|(_, found, wanted)| found != wanted) {
        None => Ok(compared),
        Some((what, found, wanted)) => {
            let what = format!("the hardware counts {found} {what}, the model {wanted}");
            Err(Failure::new(Exit::Mismatch, what))
        }
    }
}

/// Garbles with `engine` and on the CPU, and compares. Returns the seconds that `engine` took.
fn compare(
    program: &Program,
    engine: &dyn Engine,
    suite: Suite,
    doing: &str,
) -> Result<(Compared, f64), Failure> {
    let stage = Stage::begin("garbling on the CPU");
    let cpu = OnCpu::under(suite, program)?;
    stage.then(doing);
    let mut prepared = engine.prepare(program).map_err(building::advised_failure(&Fase))?;
    let time = cpu.garbling(&mut *prepared)?;
    let text = format!(
        "\nlabels       {} tables and {} output labels equal the CPU engine's",
        print::grouped(cpu.ands()),
        print::grouped(cpu.output_labels())
    );
    let facts = vec![
        ("tables_equal", json!(cpu.ands())),
        ("output_labels_equal", json!(cpu.output_labels())),
    ];
    Ok((Compared { facts, text }, time.as_secs_f64()))
}
