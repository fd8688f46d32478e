//! SIFO (Fang, Ioannidis and Leeser), reproduced as far as its problems go: their gates (Table 1), their wires (Tables 3
//! and 4), and how much smaller our circuits for the same problems are.
//!
//! [`published`] has the paper's numbers, [`problems`] measures. Table 2 and Tables 5 to 11 are times of its machine,
//! which is not there yet.

pub mod problems;
pub mod published;

use crate::part::{Part, Wanted};
use crate::record::Figure;
use problems::Problems;

/// Everything that can be asked for, in the order in which it is printed.
pub const PARTS: [&str; 5] = ["table1", "table3", "table4", "ours", "targets"];

/// Runs what is wanted; `say` hears what is being done.
///
/// # Errors
/// If a circuit could not be built.
pub fn reproduce(
    want: &Wanted,
    say: &mut dyn FnMut(&str),
) -> Result<(Vec<Part>, Vec<Figure>), String> {
    let problems = Problems::measure(say)?;
    let all = [problems.gates(), problems.wires(), problems.shares(), problems.ours()];
    let parts = all.into_iter().filter(|part| want.has(part.name)).collect();
    Ok((parts, if want.has("targets") { problems.targets() } else { Vec::new() }))
}
