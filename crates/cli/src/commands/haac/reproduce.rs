//! `halfgate reproduce`.

use crate::error::{Exit, Failure};
use crate::machine_args::ReproduceArgs;
use crate::print;
use halfgate_bench::haac::{self, Want};
use halfgate_bench::{Results, table};
use serde_json::json;

pub(in crate::commands) fn execute(args: &ReproduceArgs) -> Result<(), Failure> {
    if args.paper != "haac" {
        let what = format!("cannot reproduce {:?}: there is haac", args.paper);
        return Err(Failure::new(Exit::Unknown, what));
    }
    let want = Want::of(&args.only, args.quick).map_err(Failure::with(Exit::Unknown))?;
    if args.out.is_some() && (args.quick || !want.targets) {
        let what = "--out writes the targets, at the paper's sizes: leave --quick out, and --only or its part targets in";
        return Err(Failure::new(Exit::Usage, what));
    }
    let local = Failure::with::<String>(Exit::Local);
    let reproduced = haac::reproduce(&want, &mut print::note).map_err(&local)?;
    let results = Results::here(reproduced.targets);
    if let Some(out) = &args.out {
        results.write(out).map_err(&local)?;
    }
    if args.json {
        let all = json!({
            "machine": results.machine,
            "commit": results.commit,
            "date": results.date,
            "quick": args.quick,
            "parts": reproduced.parts,
            "targets": results.results,
        });
        return print::line(&all.to_string());
    }
    print::line(&format!("{}, {}, commit {}\n", results.machine, results.date, results.commit))?;
    for part in &reproduced.parts {
        print::line(&part.text())?;
    }
    if want.targets {
        print::line("targets")?;
        print::line(table::table(&results.results).trim_end())?;
    }
    Ok(())
}
