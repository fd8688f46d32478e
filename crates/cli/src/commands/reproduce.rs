//! `halfgate reproduce`.

use super::check::Recorded;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::args::ReproduceArgs;
use halfgate_machine::{Machine, Reproduced};
use halfgate_record::{Results, table};
use serde_json::json;
use std::path::Path;

/// The name for the part with all targets.
const TARGETS: &str = "targets";

pub(super) fn execute(args: &ReproduceArgs) -> Result<(), Failure> {
    let machine = halfgate_registry::by_name(&args.paper)?;
    if let Some(file) = &args.check {
        return check(machine, args, file);
    }
    let Reproduced { parts, targets } = machine.reproduce(args)?;
    let wants_targets = args.only.is_empty() || args.only.iter().any(|part| part == TARGETS);
    let is_wanted = wants_targets || args.out.is_some();
    let mut results = Results::here(if is_wanted { targets } else { Vec::new() });
    if !wants_targets {
        results.results.retain(|figure| args.only.contains(&figure.part));
    }
    if let Some(out) = &args.out {
        let local = Failure::with::<String>(Exit::Local);
        if out.exists() {
            let older = Results::read(out).map_err(&local)?;
            results.keep_not_run(&older);
            if !wants_targets {
                let only: Vec<&str> = args.only.iter().map(String::as_str).collect();
                results.replace_parts(older, &only);
            }
        }
        results.write(out).map_err(&local)?;
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
    if !results.results.is_empty() {
        print::line(TARGETS)?;
        print::line(table::table(&results.results).trim_end())?;
    }
    Ok(())
}

/// Runs parts again and compares their rows with those of a file.
fn check(machine: &dyn Machine, args: &ReproduceArgs, file: &Path) -> Result<(), Failure> {
    let recorded = Recorded::read(file)?;
    let only = match args.only.is_empty() {
        true => machine.checks().iter().map(|(part, _)| (*part).to_owned()).collect(),
        false => args.only.clone(),
    };
    if only.is_empty() {
        let what = format!("machine {} has no part with reproducible rows", machine.name());
        return Err(Failure::new(Exit::Unknown, what));
    }
    let parts: Vec<&str> = only.iter().map(String::as_str).collect();
    let found = machine.reproduce(&ReproduceArgs { only: only.clone(), ..args.clone() })?;
    let mut fresh = found.targets;
    fresh.retain(|figure| parts.contains(&figure.part.as_str()));
    recorded.check(&fresh, &parts)
}
