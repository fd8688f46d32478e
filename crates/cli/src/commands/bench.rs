//! `halfgate bench` and `halfgate scoreboard`.

use super::check::Recorded;
use crate::args::{BenchArgs, ScoreboardArgs};
use halfgate_bench::{CHECKS, GROUPS};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_record::record::in_part;
use halfgate_record::{Results, scoreboard, table};
use halfgate_registry::MACHINES;
use serde_json::json;

pub(super) fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let of_machines = || MACHINES.iter().flat_map(|machine| machine.benchmarks());
    let groups: Vec<_> = GROUPS.iter().chain(of_machines()).map(|(group, _)| *group).collect();
    if let Some(name) = args.names.iter().find(|name| !groups.contains(&name.as_str())) {
        let what = format!("unknown benchmark {name:?}: there are {}", groups.join(", "));
        return Err(Failure::new(Exit::Unknown, what));
    }
    let local = Failure::with::<String>(Exit::Local);
    let command = std::env::current_exe()
        .map_err(|error| local(format!("cannot find the file of this command: {error}")))?;
    let recorded = args.check.as_deref().map(Recorded::read).transpose()?;
    let names: Vec<&str> = match (&args.names[..], &recorded) {
        ([], None) => groups.clone(),
        ([], Some(_)) => CHECKS.iter().map(|(group, _)| *group).collect(),
        (names, _) => names.iter().map(String::as_str).collect(),
    };
    let is_wanted = |group: &str| names.contains(&group);
    let own: Vec<_> = GROUPS.iter().map(|(group, _)| *group).filter(|g| is_wanted(g)).collect();
    let mut figures = halfgate_bench::run(&own, &command, &mut print::note).map_err(&local)?;
    for machine in MACHINES {
        for (group, what) in machine.benchmarks().iter().filter(|(group, _)| is_wanted(group)) {
            print::note(&format!("{group}: {what}"));
            let found = machine.benchmark(group, &command, &mut print::note);
            figures.extend(in_part(group, found.map_err(&local)?));
        }
    }
    if let Some(recorded) = recorded {
        return recorded.check(&figures, &names);
    }
    let results = Results::here(figures);
    if let Some(out) = &args.out {
        results.write(out).map_err(&local)?;
    }
    if args.json {
        return print::line(&json(&results)?);
    }
    print::line(&format!("{}, {}", results.machine, results.date))?;
    print::line(table::table(&results.results).trim_end())
}

pub(super) fn scoreboard(args: &ScoreboardArgs) -> Result<(), Failure> {
    let files = scoreboard::read(&args.results).map_err(Failure::with(Exit::Local))?;
    if args.json {
        let figures = scoreboard::all(&files);
        return print::line(&json!({ "results": figures }).to_string());
    }
    let text =
        if args.headlines { scoreboard::headlines(&files) } else { scoreboard::print(&files) };
    print::line(text.trim_end())
}

fn json(results: &Results) -> Result<String, Failure> {
    serde_json::to_string(results).map_err(Failure::with(Exit::Local))
}
