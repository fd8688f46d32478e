//! Reproduces SIFO (Fang, Ioannidis and Leeser): the gates (Table 1) and wires (Tables 3 and 4) of
//! its problems, the times of its overlays step by step (Tables 5 to 11), and its resources. Also
//! counts the ANDs of our circuits for these problems and the DDR accesses of the host's policies,
//! and times our overlays.
//!
//! [`published`] has the paper's numbers. [`problems`] counts gates and wires, and [`memory`]
//! counts accesses. [`steps`] runs the paper's overlays on the model, and [`times`] makes the
//! tables from these runs. [`beyond`] runs our overlays.

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

/// All parts, in the order in which they are printed.
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

/// Parts with recorded rows, all of which are reproducible.
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

/// Parts that count gates and wires.
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

/// Runs the wanted parts. Progress goes to `report`.
///
/// # Errors
/// If a circuit cannot be built, or a model fails.
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
        // The clocks that all times of Table 11 assume.
        figures.extend(in_part("table11", resources::clocks()));
        let (table_10, improvements) = beyond::table_10(times.wait_us(), report)?;
        figures.extend(in_part("table10", improvements));
        let mut tables = times.parts();
        // Table 10 precedes Table 11, which comes last.
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

    /// Unlike times, counts do not depend on the computer.
    #[test]
    fn recorded_counts_are_reproduced() {
        let problems = Problems::measure(&mut |_| ()).unwrap();
        let rows: Vec<f64> = problems.targets().iter().filter_map(|row| row.measured).collect();
        assert_eq!(rows, [13.0, 13.0]);
        let accesses = memory::Accesses::count(&mut |_| ()).unwrap();
        assert!(accesses.targets().iter().all(|figure| figure.met == Some(true)));
    }
}
