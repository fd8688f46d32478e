//! `halfgate synth`.

use crate::synthesis::{self, Found, Options, STEPS, report};
use clap::Args;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::args::SynthesisArgs;
use halfgate_record::Results;

/// `halfgate synth`.
#[derive(Args, Debug)]
pub struct SynthArgs {
    /// Steps to run: units, machines, place-units, place [default: all; an hour]
    #[arg(value_name = "STEP")]
    pub steps: Vec<String>,

    /// Only designs whose names in the tables contain TEXT: "folded", "haac-1ge garbler"
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// Options of all commands that synthesise.
    #[command(flatten)]
    pub synthesis: SynthesisArgs,
}

/// Synthesises the designs that `args` select.
///
/// # Errors
/// If a step is unknown, tools or sources are missing, or a design yields no figure.
pub fn execute(args: &SynthArgs) -> Result<(), Failure> {
    if let Some(name) = args.steps.iter().find(|name| STEPS.iter().all(|(step, _)| step != name)) {
        let steps: Vec<_> = STEPS.iter().map(|(step, _)| *step).collect();
        let what = format!("unknown step {name:?}: there are {}", steps.join(", "));
        return Err(Failure::new(Exit::Unknown, what));
    }
    let local = Failure::with::<String>(Exit::Local);
    let options = Options {
        rtl: args.synthesis.folders().map_err(&local)?,
        work: args.synthesis.work.clone(),
        steps: args.steps.clone(),
        only: args.only.clone(),
        limit: args.synthesis.limit(),
        jobs: args.synthesis.jobs(),
    };
    let in_part = !args.steps.is_empty() || args.only.is_some();
    let older = if in_part { args.synthesis.older().map_err(&local)? } else { None };
    let record = |found: &Found| {
        let mut results = Results::here(found.figures());
        if let Some(older) = &older {
            results.keep(older.clone());
        }
        results
    };
    let mut save = |found: &Found| match &args.synthesis.out {
        Some(out) => record(found).write(out),
        None => Ok(()),
    };
    let found = synthesis::run(&options, &mut print::note, &mut save).map_err(&local)?;
    let results = record(&found);
    if args.synthesis.json {
        let text = serde_json::to_string(&results).map_err(Failure::with(Exit::Local))?;
        print::line(&text)?;
    } else {
        print::line(report::tables(&found).trim_end())?;
    }
    // A missed target is a figure like any other. A design without a figure is an error.
    match found.failed().as_slice() {
        [] => Ok(()),
        failed => Err(local(format!("no figures for {}", failed.join("; ")))),
    }
}
