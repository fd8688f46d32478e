//! `halfgate synth`.

use crate::synthesis::{self, Found, Options, STEPS, report};
use clap::Args;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_record::Results;
use halfgate_synthesis::folders;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `halfgate synth`.
#[derive(Args, Debug)]
pub struct SynthArgs {
    /// Steps to run: units, machines, place-units, place [default: all; an hour]
    #[arg(value_name = "STEP")]
    pub steps: Vec<String>,

    /// Only designs whose names in the tables contain TEXT: "folded", "haac-1ge garbler"
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// A folder with SystemVerilog sources; may be repeated [default: `rtl`, and each machine's
    /// `rtl`, in the current checkout]
    #[arg(long, value_name = "FOLDER")]
    pub rtl: Vec<PathBuf>,

    /// Folder for scripts, logs and netlists
    #[arg(long, default_value = "target/synth", value_name = "FOLDER")]
    pub work: PathBuf,

    /// Time limit for one run of a tool, in minutes
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=10_000), value_name = "N")]
    pub minutes: u64,

    /// Write the figures to this file for the scoreboard; figures of steps that are not run stay in
    /// it, with their date
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
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
        rtl: match args.rtl.is_empty() {
            true => folders(Path::new(".")).map_err(&local)?,
            false => args.rtl.clone(),
        },
        work: args.work.clone(),
        steps: args.steps.clone(),
        only: args.only.clone(),
        limit: Duration::from_secs(60 * args.minutes),
    };
    let in_part = !args.steps.is_empty() || args.only.is_some();
    let older = match &args.out {
        Some(out) if in_part && out.exists() => Some(Results::read(out).map_err(&local)?),
        _ => None,
    };
    let record = |found: &Found| {
        let mut results = Results::here(found.figures());
        if let Some(older) = &older {
            results.keep(older.clone());
        }
        results
    };
    let mut save = |found: &Found| match &args.out {
        Some(out) => record(found).write(out),
        None => Ok(()),
    };
    let found = synthesis::run(&options, &mut print::note, &mut save).map_err(&local)?;
    let results = record(&found);
    if args.json {
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
