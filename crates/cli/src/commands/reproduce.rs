//! `halfgate reproduce`.

use super::check::Recorded;
use super::figures;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::args::ReproduceArgs;
use halfgate_machine::{Machine, Reproduced};
use halfgate_record::{Figure, Results, table};
use serde_json::json;
use std::path::Path;

/// The name for the part with all targets.
const TARGETS: &str = "targets";

pub(super) fn execute(args: &ReproduceArgs) -> Result<(), Failure> {
    let machine = halfgate_registry::by_name(&args.paper)?;
    if let Some(file) = &args.check {
        return check(machine, args, file);
    }
    if args.figures.is_some() {
        figures::check_installed()?;
    }
    let wants_targets = args.only.is_empty() || args.only.iter().any(|part| part == TARGETS);
    let local = Failure::with::<String>(Exit::Local);
    // A file that cannot be read is an error before anything runs.
    let existing = args.out.as_ref().filter(|out| out.exists());
    let older = existing.map(|out| Results::read(out)).transpose().map_err(&local)?;
    let Reproduced { parts, targets } = machine.reproduce(args)?;
    let mut results = Results::here(match (wants_targets, &args.out) {
        (true, _) => targets,
        (false, Some(_)) => of_parts(targets, &args.only),
        (false, None) => Vec::new(),
    });
    if let Some(older) = &older {
        results.keep_not_run(older);
    }
    if let Some(out) = &args.out {
        match older.filter(|_| !wants_targets) {
            Some(mut file) => {
                file.replace_parts(&results, &args.only);
                file.write(out)
            }
            None => results.write(out),
        }
        .map_err(&local)?;
    }
    let all = json!({
        "machine": results.machine,
        "commit": results.commit,
        "date": results.date,
        "quick": args.quick,
        "parts": parts,
        "targets": results.results,
    });
    if let Some(folder) = &args.figures {
        figures::draw(machine.name(), &all, folder)?;
    }
    if args.json {
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
    recorded.check(&of_parts(found.targets, &only), &parts)
}

/// The figures of `parts`.
fn of_parts(mut figures: Vec<Figure>, parts: &[String]) -> Vec<Figure> {
    figures.retain(|figure| parts.contains(&figure.part));
    figures
}
