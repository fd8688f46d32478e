//! Reproduces GarbledCPU (Songhori and others, 2016): instructions of its benchmarks (Table 1),
//! sizes of its processors (Table 2), clock cycles and resources of its evaluator (Tables 3 to 5),
//! and the cost of a program that only one of the two parties knows.
//!
//! [`published`] has the paper's numbers, [`programs`] builds and runs its benchmarks,
//! [`processors`] counts gates, [`steps`] the gates that public programs garble, [`evaluators`]
//! counts clock cycles, [`resources`] counts the evaluator's resources, and [`sessions`] measures
//! sessions.

pub mod evaluators;
pub mod processors;
pub mod programs;
pub mod published;
pub mod resources;
pub mod sessions;
pub mod steps;

use halfgate_record::part::{Effort, Part, Wanted};
use halfgate_record::record::{Figure, in_part};
use processors::Sizes;
use programs::Steps;
use std::path::Path;

/// All parts, in the order in which they are printed.
pub const PARTS: [&str; 8] =
    ["headlines", "table1", "table2", "table3", "table4", "table5", "public", "targets"];

/// The parts whose recorded rows are reproduced exactly, except for times on this processor. Table
/// 3 is left out, because Yosys takes many minutes for it.
pub const CHECKS: [(&str, Effort); 6] = [
    ("headlines", Effort::Minutes),
    ("table1", Effort::Seconds),
    ("table2", Effort::Minutes),
    ("table4", Effort::Minutes),
    ("table5", Effort::Minutes),
    ("public", Effort::Minutes),
];

/// Computes the requested parts. `command` is the `halfgate` that runs sessions as two processes.
/// `report` receives progress messages.
///
/// # Errors
/// If a program cannot be built, a processor cannot be read, or a session fails.
pub fn reproduce(
    command: &Path,
    want: &Wanted,
    report: &mut dyn FnMut(&str),
) -> Result<(Vec<Part>, Vec<Figure>), String> {
    let (targets, heads) = (want.has("targets"), want.has("headlines") || want.has("targets"));
    let (mut parts, mut figures) = (Vec::new(), Vec::new());
    let mut headlines = Vec::new();
    if want.has("table1") || targets {
        let steps = Steps::measure(report)?;
        parts.push(steps.table());
        figures.extend(in_part("table1", steps.targets()));
    }
    if want.has("table2") || targets {
        let sizes = Sizes::count(report)?;
        parts.push(sizes.table());
        figures.extend(in_part("table2", sizes.targets()));
    }
    if want.has("table3") || targets {
        let resources = resources::Resources::count(report);
        parts.push(resources.table());
        figures.extend(in_part("table3", resources.targets()));
    }
    if want.has("table4") || heads {
        let clocks = evaluators::Clocks::count(report)?;
        parts.push(clocks.table());
        figures.extend(in_part("table4", clocks.targets()));
        if heads {
            headlines = clocks.headlines(evaluators::processor()?);
        }
    }
    if want.has("table5") || targets {
        let others = evaluators::beside_others(report)?;
        figures.extend(in_part("table5", evaluators::targets(&others)));
        parts.push(others);
    }
    if heads {
        headlines.extend(evaluators::headlines(report)?);
        let mut part = Part::new("headlines", "the paper's most prominent figures");
        part.figures.clone_from(&headlines);
        parts.insert(0, part);
        figures.splice(0..0, in_part("headlines", headlines));
    }
    if want.has("public") || targets {
        let rows = steps::targets(report)?;
        let mut part = Part::new("public", "public programs: what is left to garble of them");
        part.figures.clone_from(&rows);
        parts.push(part);
        figures.extend(in_part("public", rows));
    }
    if targets {
        figures.extend(sessions::targets(command, report)?);
    }
    parts.retain(|part| want.has(part.name));
    Ok((parts, figures))
}
