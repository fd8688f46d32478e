//! `halfgate reproduce`.

use crate::error::{Exit, Failure};
use crate::machine_args::ReproduceArgs;
use crate::print;
use halfgate_bench::part::{Part, Wanted};
use halfgate_bench::{Figure, Results, fase, garbledcpu, haac, mobile, overlay, table};
use serde_json::json;

pub(super) fn execute(args: &ReproduceArgs) -> Result<(), Failure> {
    let (parts, targets) = match args.paper.as_str() {
        "haac" => of_haac(args)?,
        "fase" => of_fase(args)?,
        "garbledcpu" => of_garbledcpu(args)?,
        "overlay" => of_overlay(args)?,
        "mobile" => of_mobile(args)?,
        other => {
            let what = format!(
                "cannot reproduce {other:?}: there are haac, fase, garbledcpu, overlay and mobile"
            );
            return Err(Failure::new(Exit::Unknown, what));
        }
    };
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

fn of_haac(args: &ReproduceArgs) -> Result<(Vec<Part>, Vec<Figure>), Failure> {
    if args.netlists.is_some() {
        let what = "--netlists is for fase: HAAC's programs are built in";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = haac::Want::of(&args.only, args.quick).map_err(Failure::with(Exit::Unknown))?;
    if args.out.is_some() && (args.quick || !want.targets) {
        let what = "--out writes the targets, at the paper's sizes: leave --quick out, and --only or its part targets in";
        return Err(Failure::new(Exit::Usage, what));
    }
    let local = Failure::with::<String>(Exit::Local);
    let reproduced = haac::reproduce(&want, &mut print::note).map_err(local)?;
    Ok((reproduced.parts, reproduced.targets))
}

fn of_fase(args: &ReproduceArgs) -> Result<(Vec<Part>, Vec<Figure>), Failure> {
    if args.quick {
        let what = "--quick is for haac: fase takes seconds at the paper's sizes";
        return Err(Failure::new(Exit::Usage, what));
    }
    let parts = Wanted::of(&args.only, &fase::PARTS).map_err(Failure::with(Exit::Unknown))?;
    let want = fase::Want { parts, netlists: args.netlists.clone() };
    if args.out.is_some() && !want.parts.has("targets") {
        let what = "--out writes the targets: leave --only or its part targets in";
        return Err(Failure::new(Exit::Usage, what));
    }
    let local = Failure::with::<String>(Exit::Circuit);
    let command = std::env::current_exe().map_err(Failure::with(Exit::Local))?;
    fase::reproduce(&command, &want, &mut print::note).map_err(local)
}

fn of_garbledcpu(args: &ReproduceArgs) -> Result<(Vec<Part>, Vec<Figure>), Failure> {
    if args.quick || args.netlists.is_some() {
        let what =
            "--quick and --netlists are for others: garbledcpu takes minutes, on our own programs";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = Wanted::of(&args.only, &garbledcpu::PARTS).map_err(Failure::with(Exit::Unknown))?;
    if args.out.is_some() && !want.has("targets") {
        let what = "--out writes the targets: leave --only or its part targets in";
        return Err(Failure::new(Exit::Usage, what));
    }
    let command = std::env::current_exe().map_err(Failure::with(Exit::Local))?;
    let local = Failure::with::<String>(Exit::Local);
    garbledcpu::reproduce(&command, &want, &mut print::note).map_err(local)
}

fn of_overlay(args: &ReproduceArgs) -> Result<(Vec<Part>, Vec<Figure>), Failure> {
    if args.quick || args.netlists.is_some() {
        let what =
            "--quick and --netlists are for others: overlay takes seconds, on built-in programs";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = Wanted::of(&args.only, &overlay::PARTS).map_err(Failure::with(Exit::Unknown))?;
    if args.out.is_some() && !want.has("targets") {
        let what = "--out writes the targets: leave --only or its part targets in";
        return Err(Failure::new(Exit::Usage, what));
    }
    overlay::reproduce(&want, &mut print::note).map_err(Failure::with(Exit::Local))
}

fn of_mobile(args: &ReproduceArgs) -> Result<(Vec<Part>, Vec<Figure>), Failure> {
    if args.quick {
        let what = "--quick is for haac: mobile takes seconds";
        return Err(Failure::new(Exit::Usage, what));
    }
    let want = Wanted::of(&args.only, &mobile::PARTS).map_err(Failure::with(Exit::Unknown))?;
    if args.out.is_some() && !want.has("targets") {
        let what = "--out writes the targets: leave --only or its part targets in";
        return Err(Failure::new(Exit::Usage, what));
    }
    mobile::reproduce(&want, args.netlists.as_deref(), &mut print::note)
        .map_err(Failure::with(Exit::Local))
}
