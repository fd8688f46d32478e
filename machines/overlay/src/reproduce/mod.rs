//! SIFO (Fang, Ioannidis and Leeser), reproduced: its problems' gates (Table 1) and wires (Tables 3
//! and 4), how much smaller our circuits for them are, what the host's allocators leave for DDR,
//! how long its overlays take step by step (Tables 5 to 11), and how long ours do.
//!
//! [`published`] has the paper's numbers, [`problems`] counts gates and wires, [`memory`] accesses;
//! [`steps`] are the paper's overlays on the model, of which [`times`] makes its tables; [`beyond`]
//! is ours.

pub mod beyond;
pub mod memory;
mod plain;
pub mod problems;
pub mod published;
mod resources;
mod software;
pub mod steps;
pub mod times;

use halfgate_record::part::{Effort, Part, Wanted};
use halfgate_record::record::{Figure, in_part};
use problems::Problems;

/// Everything that can be asked for, in the order in which it is printed.
pub const PARTS: [&str; 18] = [
    "headlines",
    "table1",
    "table2",
    "table3",
    "table4",
    "ours",
    "memory",
    "table5",
    "table6",
    "table7",
    "table8",
    "table9",
    "table10",
    "table11",
    "software",
    "boards",
    "resources",
    "targets",
];

/// The parts with rows in the record, all of which come out the same again.
pub const CHECKS: [(&str, Effort); 12] = [
    ("table1", Effort::Seconds),
    ("table3", Effort::Seconds),
    ("memory", Effort::Seconds),
    ("headlines", Effort::Minutes),
    ("table5", Effort::Minutes),
    ("table6", Effort::Minutes),
    ("table7", Effort::Minutes),
    ("table8", Effort::Minutes),
    ("table9", Effort::Minutes),
    ("table10", Effort::Minutes),
    ("table11", Effort::Minutes),
    ("boards", Effort::Minutes),
];

/// Parts of gates and wires, and parts of times.
const COUNTS: [&str; 4] = ["table1", "table3", "table4", "ours"];
const TIMES: [&str; 11] = [
    "headlines",
    "table2",
    "table5",
    "table6",
    "table7",
    "table8",
    "table9",
    "table10",
    "table11",
    "software",
    "boards",
];

/// Runs what is wanted; `report` hears what is being done.
///
/// # Errors
/// If a circuit could not be built, or a model goes wrong.
pub fn reproduce(
    want: &Wanted,
    report: &mut dyn FnMut(&str),
) -> Result<(Vec<Part>, Vec<Figure>), String> {
    let targets = want.has("targets");
    let (mut parts, mut figures) = (Vec::new(), Vec::new());
    if COUNTS.iter().any(|part| want.has(part)) || targets {
        let problems = Problems::measure(report)?;
        parts.extend([problems.gates(), problems.wires(), problems.shares(), problems.ours()]);
        figures.extend(problems.targets());
    }
    if want.has("memory") || targets {
        let accesses = memory::Accesses::count(report)?;
        parts.push(accesses.part());
        figures.extend(in_part("memory", accesses.targets()));
    }
    if TIMES.iter().any(|part| want.has(part)) || targets {
        let times = times::Times::run(report)?;
        let headlines = in_part("headlines", times.headlines());
        let mut part = Part::new("headlines", "the paper's most prominent figures");
        part.figures.clone_from(&headlines);
        parts.push(part);
        figures.splice(0..0, headlines);
        figures.extend(times.targets());
        // The clocks of all these times.
        figures.extend(in_part("table11", resources::clocks()));
        let (table_10, improvements) = beyond::table_10(times.wait_us(), report)?;
        figures.extend(in_part("table10", improvements));
        let mut tables = times.parts();
        // Table 11 comes last.
        tables.insert(tables.len() - 1, table_10);
        parts.extend(tables);
        if ["table2", "software", "boards"].iter().any(|part| want.has(part)) || targets {
            let beyond = beyond::Beyond::run(report)?;
            if want.has("software") || want.has("table2") {
                let software = software::Software::measure(report)?;
                parts.push(software.part(&times, &beyond));
                parts.push(software.switching());
            }
            parts.push(beyond.part(&times));
            figures.extend(in_part("boards", beyond.targets(&times)));
        }
    }
    if want.has("resources") {
        parts.push(resources::table(report));
    }
    parts.sort_by_key(|part| PARTS.iter().position(|name| *name == part.name));
    parts.retain(|part| want.has(part.name));
    Ok((parts, figures))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is counted and not timed: it is the same everywhere.
    #[test]
    fn counts_are_what_they_were() {
        let problems = Problems::measure(&mut |_| ()).unwrap();
        let rows: Vec<f64> = problems.targets().iter().filter_map(|row| row.measured).collect();
        assert_eq!(rows, [13.0, 13.0]);
        let accesses = memory::Accesses::count(&mut |_| ()).unwrap();
        assert!(accesses.targets().iter().all(|figure| figure.met == Some(true)));
    }
}
