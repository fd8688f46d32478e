//! Reproduces the paper on parallel FASE (Oishi, Kadomoto, Irie and Sakai, 2023): Tables 2 to 5, on
//! our own Verilog functions or on the netlists that the paper used. Also computes the targets of
//! the scoreboard.
//!
//! [`published`] has the paper's numbers, [`netlists`] finds the circuits, [`clocks`] runs them on
//! all machines, and [`fit`] fits the parameters that the paper leaves open on half of the
//! netlists. [`headlines`] has the headline figures.

pub mod clocks;
pub mod fit;
pub mod headlines;
pub mod netlists;
pub mod published;
pub mod rate;
pub mod resources;
pub mod targets;

use clocks::Clocks;
use fit::Fitted;
use halfgate_record::part::{Effort, Part, Wanted};
use halfgate_record::record::{Figure, in_part};
use netlists::Found;
use published::ROWS;
use rate::Rates;
use resources::Resources;
use std::path::{Path, PathBuf};

/// All parts, in the order in which they are printed.
pub const PARTS: [&str; 6] = ["headlines", "table2", "table3", "table4", "table5", "targets"];

/// The parts whose recorded rows are reproduced exactly. Tables 4 and 5 are left out, because Yosys
/// takes many minutes for them.
pub const CHECKS: [(&str, Effort); 3] =
    [("headlines", Effort::Minutes), ("table2", Effort::Seconds), ("table3", Effort::Minutes)];

/// The requested parts.
#[derive(Clone, Debug)]
pub struct Want {
    /// The requested ones of [`PARTS`].
    pub parts: Wanted,
    /// A folder with the netlists of the paper, named NAME.scd.
    pub netlists: Option<PathBuf>,
}

/// Computes the requested parts. `command` is the `halfgate` that simulates hardware, and `report`
/// receives progress messages.
///
/// # Errors
/// If a function cannot be read, or a schedule cannot be made.
pub fn reproduce(
    command: &Path,
    want: &Want,
    report: &mut dyn FnMut(&str),
) -> Result<(Vec<Part>, Vec<Figure>), String> {
    let given = want.netlists.as_deref().map(netlists::given).transpose()?.unwrap_or_default();
    let ours = netlists::ours(report)?;
    let mut parts = Vec::new();
    if want.parts.has("table2") {
        parts.push(table2(&ours));
    }
    let has = |part| want.parts.has(part);
    let needs_clocks = has("headlines") || has("table3") || has("targets");
    let clocks = |all: &[Found], report: &mut dyn FnMut(&str)| -> Result<Vec<Clocks>, String> {
        let run = |found: &Found| {
            report(&format!("{} on all machines ({})", found.row.name, found.source));
            Clocks::of(found)
        };
        if needs_clocks { all.iter().map(run).collect() } else { Ok(Vec::new()) }
    };
    let (of_given, of_ours) = (clocks(&given, report)?, clocks(&ours, report)?);
    let heads = headlines::figures(&of_given, &of_ours);
    if has("headlines") {
        parts.insert(0, headlines::part(heads.clone()));
    }
    if has("table3") {
        if !of_given.is_empty() {
            parts.push(table3("the netlists that the paper used, as given", &of_given));
        }
        parts.push(table3("our own Verilog functions", &of_ours));
    }
    let tables = ["table4", "table5"];
    let resources = match tables.into_iter().chain(["targets"]).any(|name| want.parts.has(name)) {
        true => Resources::count(report),
        false => Err(String::new()),
    };
    for name in tables.into_iter().filter(|name| want.parts.has(name)) {
        parts.push(resources::table(name, &resources));
    }
    let mut figures = in_part("headlines", heads);
    figures.extend(in_part("table2", targets::sizes(&ours)));
    if has("table3") || has("targets") {
        let fitted = Fitted::of(&given, report)?;
        let rows = targets::of_clocks(&of_given, &of_ours, fitted.as_ref());
        figures.extend(in_part("table3", rows));
    }
    figures.extend(in_part("table4", resources::totals(&resources)));
    figures.extend(in_part("table5", resources::modules(&resources)));
    if has("targets") {
        figures.extend(targets::of_simulation(&Rates::measure(command, report)));
    }
    Ok((parts, figures))
}

fn table2(ours: &[Found]) -> Part {
    let mut part = Part::new("table2", "benchmark functions: the paper's netlists and ours");
    part.remark("ours are the files in programs/verilog; the paper does not say what exactly its functions compute");
    for row in ROWS.iter() {
        match ours.iter().find(|found| found.row.name == row.name) {
            Some(found) => {
                let gates = found.netlist.gates.len() as f64;
                part.measured(&format!("{}, gates", row.name), "gates", Some(row.gates), gates);
                let ands = found.netlist.ands() as f64;
                part.measured(
                    &format!("{}, non-XOR", row.name),
                    "gates",
                    Some(row.non_xor()),
                    ands,
                );
                part.note(found.source.clone());
            }
            None => part.missing(
                &format!("{}, gates", row.name),
                "gates",
                row.gates,
                netlists::NO_YOSYS,
            ),
        }
    }
    part
}

fn table3(of: &str, all: &[Clocks]) -> Part {
    let mut part = Part::new("table3", &format!("clocks to garble, on {of}"));
    for clocks in all {
        let row = clocks.row;
        for (machine, published, clocks) in clocks.rows() {
            part.model(&format!("{}, {machine}", row.name), "clocks", published, clocks as f64);
        }
        part.note(clocks.note());
    }
    part.remark("paper: the published machines, modelled; best and wide: ours, scheduled by the compiler; their RTL takes the model's clocks, which tests compare one by one");
    part
}
