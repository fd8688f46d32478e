//! SIFO (Fang, Ioannidis and Leeser), reproduced: its problems' gates (Table 1) and wires (Tables 3 and 4), how much smaller
//! our circuits for them are, what the host's allocators leave for DDR, how long its overlays take step by step (Tables 5 to
//! 11), and how long ours do.
//!
//! [`published`] has the paper's numbers, [`problems`] counts gates and wires, [`memory`] accesses; [`steps`] are the paper's
//! overlays on the model, of which [`times`] makes its tables; [`beyond`] is ours.

pub mod beyond;
pub mod memory;
mod plain;
pub mod problems;
pub mod published;
pub mod steps;
pub mod times;

use crate::part::{Part, Wanted};
use crate::record::Figure;
use problems::Problems;

/// Everything that can be asked for, in the order in which it is printed.
pub const PARTS: [&str; 14] = [
    "table1", "table3", "table4", "ours", "memory", "table5", "table6", "table7", "table8",
    "table9", "table10", "table11", "boards", "targets",
];

/// Runs what is wanted; `say` hears what is being done.
///
/// # Errors
/// If a circuit could not be built, or a model goes wrong.
pub fn reproduce(
    want: &Wanted,
    say: &mut dyn FnMut(&str),
) -> Result<(Vec<Part>, Vec<Figure>), String> {
    let targets = want.has("targets");
    let (mut parts, mut figures) = (Vec::new(), Vec::new());
    if PARTS[..4].iter().any(|part| want.has(part)) || targets {
        let problems = Problems::measure(say)?;
        parts.extend([problems.gates(), problems.wires(), problems.shares(), problems.ours()]);
        figures.extend(problems.targets());
    }
    if want.has("memory") || targets {
        let accesses = memory::Accesses::count(say)?;
        parts.push(accesses.part());
        figures.extend(accesses.targets());
    }
    if PARTS[5..13].iter().any(|part| want.has(part)) || targets {
        let times = times::Times::run(say)?;
        figures.extend(times.targets());
        let (table_10, improvements) = beyond::table_10(times.wait_us(), say)?;
        figures.extend(improvements);
        let mut tables = times.parts();
        // Table 11 comes last.
        tables.insert(tables.len() - 1, table_10);
        parts.extend(tables);
        if want.has("boards") || targets {
            let beyond = beyond::Beyond::run(say)?;
            parts.push(beyond.part(&times));
            figures.extend(beyond.targets(&times));
        }
    }
    parts.retain(|part| want.has(part.name));
    Ok((parts, if targets { figures } else { Vec::new() }))
}
