//! `halfgate bench` and `halfgate scoreboard`.

use crate::args::{BenchArgs, ScoreboardArgs};
use crate::error::{Exit, Failure};
use crate::print;
use halfgate_bench::{GROUPS, Results, scoreboard, table};
use serde_json::json;

pub(super) fn bench(args: &BenchArgs) -> Result<(), Failure> {
    if let Some(name) = args.names.iter().find(|name| GROUPS.iter().all(|(g, _)| g != name)) {
        let groups: Vec<_> = GROUPS.iter().map(|(group, _)| *group).collect();
        let what = format!("unknown benchmark {name:?}: there are {}", groups.join(", "));
        return Err(Failure::new(Exit::Unknown, what));
    }
    let local = Failure::with::<String>(Exit::Local);
    let command = std::env::current_exe()
        .map_err(|error| local(format!("cannot find this command's own file: {error}")))?;
    let figures = halfgate_bench::run(&args.names, &command, &mut print::note).map_err(&local)?;
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
    print::line(scoreboard::print(&files).trim_end())
}

fn json(results: &Results) -> Result<String, Failure> {
    serde_json::to_string(results).map_err(Failure::with(Exit::Local))
}
