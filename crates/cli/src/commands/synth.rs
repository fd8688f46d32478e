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
        liberty: args.liberty.clone().map(|file| (file, args.process.clone())),
        limit: Duration::from_secs(60 * args.minutes),
    };
    let older = match &args.out {
        Some(out) if !args.steps.is_empty() && out.exists() => {
            Some(Results::read(out).map_err(&local)?)
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
        return print::line(&text);
    }
    print::line(report::tables(&found).trim_end())
}
