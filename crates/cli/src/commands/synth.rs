//! `halfgate synth`.

use crate::args::SynthArgs;
use crate::error::{Exit, Failure};
use crate::print;
use halfgate_bench::Results;
use halfgate_bench::synth::{self, Found, Options, STEPS, report};
use std::time::Duration;

pub(super) fn execute(args: &SynthArgs) -> Result<(), Failure> {
    if let Some(name) = args.steps.iter().find(|name| STEPS.iter().all(|(step, _)| step != name)) {
        let steps: Vec<_> = STEPS.iter().map(|(step, _)| *step).collect();
        let what = format!("unknown step {name:?}: there are {}", steps.join(", "));
        return Err(Failure::new(Exit::Unknown, what));
    }
    let local = Failure::with::<String>(Exit::Local);
    let options = Options {
        rtl: args.rtl.clone(),
        work: args.work.clone(),
        steps: args.steps.clone(),
        only: args.only.clone(),
        liberty: args.liberty.clone().map(|file| (file, args.process.clone())),
        limit: Duration::from_secs(60 * args.minutes),
    };
    let in_part = !args.steps.is_empty() || args.only.is_some();
    let older = match &args.out {
        // Without a Liberty file no run of all steps gives areas: those that are there stay.
        Some(out) if (in_part || args.liberty.is_none()) && out.exists() => {
            let mut older = Results::read(out).map_err(&local)?;
            older.results.retain(|figure| in_part || report::is_area(figure));
            Some(older)
        }
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
    let found = synth::run(&options, &mut print::note, &mut save).map_err(&local)?;
    let results = record(&found);
    if args.json {
        let text = serde_json::to_string(&results).map_err(Failure::with(Exit::Local))?;
        print::line(&text)?;
    } else {
        print::line(report::tables(&found).trim_end())?;
    }
    // A target that is missed is a figure like others; a design without a figure is an error.
    match found.failed().as_slice() {
        [] => Ok(()),
        failed => Err(local(format!("no figures for {}", failed.join("; ")))),
    }
}
