//! `halfgate silicon`.

use crate::silicon_args::SiliconArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_machine::Machine;
use halfgate_machine::args::SynthesisArgs;
use halfgate_record::Results;
use halfgate_record::part::Part;
use halfgate_record::record::Figure;
use halfgate_registry::{MACHINES, by_name};
use halfgate_synthesis::cells::Cells;
use halfgate_synthesis::silicon::{Found, Piece, Setting, figures, table};
use halfgate_synthesis::tools::Tools;

/// Measures the parts of machines in standard cells.
pub(super) fn execute(args: &SiliconArgs) -> Result<(), Failure> {
    let local = Failure::with::<String>(Exit::Local);
    let machines: Vec<&dyn Machine> = match args.machines.as_slice() {
        [] => MACHINES.to_vec(),
        names => names.iter().map(|name| by_name(name)).collect::<Result<_, _>>()?,
    };
    let SynthesisArgs { work, out, json, .. } = &args.synthesis;
    let older = args.synthesis.older().map_err(&local)?;
    let rtl = args.synthesis.folders().map_err(&local)?;
    let (tools, files) = Tools::open(&rtl, work, args.synthesis.limit()).map_err(&local)?;
    let cells = Cells::take(&tools, &args.liberty, args.process.as_deref()).map_err(&local)?;
    for name in &cells.made_up {
        print::note(&format!("{name} is a stand-in with figures that are made up: left out"));
    }
    let pieces = pieces(&machines, args.only.as_deref()).map_err(&local)?;
    let record = |found: &Found, parts: &[Part]| {
        let derived = parts.iter().flat_map(|part| part.figures.clone());
        let all: Vec<Figure> = derived.chain(figures::figures(found)).collect();
        let mut results = Results::here(all);
        if let Some(older) = &older {
            results.keep(older.clone());
        }
        results
    };
    let mut save = |found: &Found| match out {
        Some(out) => record(found, &[]).write(out),
        None => Ok(()),
    };
    let (mhz, jobs) = (f64::from(args.mhz), args.synthesis.jobs());
    let setting = Setting { tools: &tools, cells: &cells, files: &files, mhz, jobs };
    let found = setting.measure(&pieces, &mut print::note, &mut save).map_err(&local)?;
    // Without all of a machine's parts, what follows from them would be gaps.
    let whole = machines.iter().filter(|_| args.only.is_none());
    let parts: Vec<Part> = whole.flat_map(|machine| machine.in_silicon(&found)).collect();
    let results = record(&found, &parts);
    if let Some(out) = out {
        results.write(out).map_err(&local)?;
    }
    if *json {
        print::line(&serde_json::to_string(&results).map_err(Failure::with(Exit::Local))?)?;
    } else {
        print::line(&format!("Tools: {}\n", found.tools))?;
        print::line(table::tables(&found).trim_end())?;
        for part in &parts {
            print::line(&format!("\n{}", part.text().trim_end()))?;
        }
    }
    // A missed target is a figure like any other. A part without figures is an error.
    match found.failed().as_slice() {
        [] => Ok(()),
        failed => Err(local(format!("no figures for {}", failed.join("; ")))),
    }
}

/// The parts of the machines whose names contain `only`.
fn pieces(machines: &[&dyn Machine], only: Option<&str>) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    for machine in machines {
        pieces.extend(machine.silicon(&mut print::note)?);
    }
    if let Some(only) = only {
        pieces.retain(|piece| piece.design.name.contains(only));
    }
    match (pieces.is_empty(), only) {
        (true, Some(only)) => Err(format!("no part of these machines has {only:?} in its name")),
        (true, None) => Err("these machines have no parts for standard cells".to_owned()),
        (false, _) => Ok(pieces),
    }
}
