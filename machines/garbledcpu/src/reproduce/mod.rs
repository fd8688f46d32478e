//! GarbledCPU (Songhori and others, 2016), reproduced: instructions of its benchmarks (Table 1), sizes of its processors
//! (Table 2), and what two parties take for a program that one of them keeps to itself.
//!
//! [`published`] has the paper's numbers, [`programs`] builds and runs its benchmarks, [`processors`] counts gates,
//! [`steps`] those that are left of public programs, [`evaluators`] counts clocks, [`resources`] what the evaluator takes,
//! [`sessions`] measures.

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

/// Everything that can be asked for, in the order in which it is printed.
pub const PARTS: [&str; 8] =
    ["headlines", "table1", "table2", "table3", "table4", "table5", "public", "targets"];

/// The parts with rows in the record that come out the same again, but for those over this
/// processor. Table 3 takes many minutes of Yosys.
pub const CHECKS: [(&str, Effort); 6] = [
    ("headlines", Effort::Minutes),
    ("table1", Effort::Seconds),
    ("table2", Effort::Minutes),
    ("table4", Effort::Minutes),
    ("table5", Effort::Minutes),
    ("public", Effort::Minutes),
];

/// Runs what is wanted; `command` is the `halfgate` that runs as two processes, and `report` hears what is being done.
///
/// # Errors
/// Whatever kept a program from being built, a processor from being read or a session from ending.
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
