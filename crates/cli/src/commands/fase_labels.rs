//! `halfgate simulate --machine fase-… --labels` and `--model rtl`: the machine with labels, as a model or the
//! hardware itself, beside the CPU engine.

use super::haac::labels::OnCpu;
use crate::error::{Exit, Failure};
use crate::machine_args::{Build, SimulateArgs};
use crate::progress::Stage;
use crate::{print, rtl_engine};
use halfgate_compiler::Program;
use halfgate_engine::Engine;
use halfgate_engine::fase::FaseEngine;
use halfgate_machines::fase::Shape;
use halfgate_machines::fase::model::Report;
use halfgate_rtl::fase::{Options, RtlFase};
use serde_json::{Value, json};
use std::fmt::Write;

/// What was compared.
pub(super) struct Compared {
    pub facts: Vec<(&'static str, Value)>,
    pub text: String,
}

/// Garbles with the model's labels.
///
/// # Errors
/// If the engine refuses the program, or a table or label differs.
pub(super) fn model(program: &Program, shape: Shape) -> Result<Compared, Failure> {
    compare(program, &FaseEngine::new(shape), "garbling with the model")
        .map(|(compared, _)| compared)
}

/// Garbles on the hardware, and compares its counters with the model's.
///
/// # Errors
/// If it cannot be built or refuses the program, or anything differs.
pub(super) fn rtl(
    args: &SimulateArgs,
    program: &Program,
    shape: Shape,
    wanted: &Report,
) -> Result<Compared, Failure> {
    let waveforms = args.trace.clone();
    let fast = args.build == Build::Fast;
    let options = Options { aes: args.aes, fast, waveforms, ..Options::default() };
    let engine = RtlFase::new(shape, options);
    let name = engine.name();
    let built =
        rtl_engine::building(&name, "garbler", || engine.is_built(), || engine.build().map(drop))?;
    let (mut compared, seconds) = compare(program, &engine, "simulating")?;
    let Some(found) = engine.measured() else {
        return Err(Failure::new(Exit::Local, "the machine measured nothing"));
    };
    let pairs = [
        ("clocks", found.clocks, wanted.clocks),
        ("gates", found.gates, wanted.gates),
        ("ands", found.ands, wanted.ands),
        ("forwarded_reads", found.forwarded, wanted.forwarded),
        ("input_labels", found.input_labels, wanted.input_labels),
        ("output_labels", found.labels, wanted.labels),
    ];
    let rate = found.clocks as f64 / seconds.max(1e-9);
    let _ = write!(
        compared.text,
        "\n\n{name}: {} simulated\n{:20} {:>14} {:>14}",
        print::rate(rate, "clocks"),
        "",
        "hardware",
        "model"
    );
    for (what, found, wanted) in pairs {
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

/// Garbles with `engine` and on the CPU; how long the engine took, in seconds.
fn compare(
    program: &Program,
    engine: &dyn Engine,
    doing: &str,
) -> Result<(Compared, f64), Failure> {
    let stage = Stage::begin("garbling on the CPU");
    let cpu = OnCpu::new(program)?;
    stage.then(doing);
    let mut prepared = engine.prepare(program).map_err(rtl_engine::failure)?;
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
