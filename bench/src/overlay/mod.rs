//! SIFO (Fang, Ioannidis and Leeser), reproduced as far as its problems go: their gates (Table 1), their wires (Tables 3
//! and 4), how much smaller our circuits for the same problems are, and what the host's allocators leave for DDR.
//!
//! [`published`] has the paper's numbers, [`problems`] counts gates and wires, [`memory`] accesses. Table 2 and Tables 5 to 11 are times of its machine,
//! which is not there yet.

pub mod memory;
pub mod problems;
pub mod published;

use crate::part::{Part, Wanted};
use crate::record::Figure;
use problems::Problems;

/// Everything that can be asked for, in the order in which it is printed.
pub const PARTS: [&str; 6] = ["table1", "table3", "table4", "ours", "memory", "targets"];

/// Runs what is wanted; `say` hears what is being done.
///
/// # Errors
/// If a circuit could not be built.
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
    parts.retain(|part| want.has(part.name));
    Ok((parts, if targets { figures } else { Vec::new() }))
}
