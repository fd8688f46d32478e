//! `halfgate reproduce`.

use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Reproduced;
use halfgate_machine::args::ReproduceArgs;
use halfgate_record::{Results, table};
use serde_json::json;

pub(super) fn execute(args: &ReproduceArgs) -> Result<(), Failure> {
    let Reproduced { parts, targets } = halfgate_registry::by_name(&args.paper)?.reproduce(args)?;
    let wants_targets = !targets.is_empty();
    let results = Results::here(targets);
    if let Some(out) = &args.out {
        results.write(out).map_err(Failure::with::<String>(Exit::Local))?;
    }
    if args.json {
        let all = json!({
            "machine": results.machine,
            "commit": results.commit,
            "date": results.date,
            "quick": args.quick,
            "parts": parts,
            "targets": results.results,
        });
        return print::line(&all.to_string());
    }
    print::line(&format!("{}, {}, commit {}\n", results.machine, results.date, results.commit))?;
    for part in &parts {
        print::line(&part.text())?;
    }
    if wants_targets {
        print::line("targets")?;
        print::line(table::table(&results.results).trim_end())?;
    }
    Ok(())
}
