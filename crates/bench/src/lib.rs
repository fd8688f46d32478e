//! The benchmarks, except those of machines.
//!
//! Each module measures one thing and returns [`Figure`]s. [`gadgets`] measures sizes of circuits,
//! [`kernel`] kernels alone, [`engine`] compiled programs, and [`transfer`] oblivious transfer.
//! [`session`] measures two parties over each channel beside the cost of the channel itself.
//! [`floats`] checks floating point, and [`memory`] measures the memory of two processes.
//! [`sequential`] and [`compile`] measure small bodies that run long and large ones that run once.
//! Machines have their own groups. All values of a comparison are measured in one process run, in
//! turns; figures are medians.

pub mod compile;
pub mod engine;
pub mod floats;
pub mod gadgets;
pub mod kernel;
pub mod memory;
pub mod sequential;
pub mod session;
pub mod transfer;

pub use halfgate_record::{Figure, How, Results};

use halfgate_record::part::Effort;
use halfgate_record::record::in_part;
use std::path::Path;

/// The machine on which other libraries were measured. It is not available here, so they were never
/// measured beside ours.
const PEERS_MACHINE: &str =
    "on one core a party of another machine, 1,185 M AES-128 blocks/s a core";

/// The groups that can be measured: name and description.
pub const GROUPS: [(&str, &str); 9] = [
    ("gadgets", "sizes of gadgets in ANDs, beside published circuits"),
    ("kernel", "garbling and evaluating from the second-level cache, no program"),
    ("engine", "compiled programs on one core, tables to memory"),
    ("ot", "oblivious transfer, and the time to the first one"),
    ("session", "two parties: in one process, over TCP, over TLS"),
    (
        "floats",
        "every floating-point operation against hardware, 10^7 times (minutes), and its ANDs",
    ),
    ("sequential", "a small body over 10^9 gates, against fewer and against straight-line code"),
    ("compile", "from a circuit to code, and 10^8 gates without a cycle (minutes)"),
    ("memory", "memory of two processes that garble 3 x 10^9 gates (about a minute)"),
];

/// The groups with reproducible figures, and the time they take.
pub const CHECKS: [(&str, Effort); 2] = [("gadgets", Effort::Seconds), ("floats", Effort::Minutes)];

/// Measures these groups of [`GROUPS`]. `command` is the `halfgate` binary, which [`memory`] starts
/// twice; `report` receives a description of each step.
///
/// # Errors
/// The reason why a measurement could not be taken.
pub fn run(
    names: &[&str],
    command: &Path,
    report: &mut dyn FnMut(&str),
) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for (group, what) in GROUPS.iter().filter(|(group, _)| names.contains(group)) {
        report(&format!("{group}: {what}"));
        let found = match *group {
            "gadgets" => gadgets::run()?,
            "kernel" => kernel::run(),
            "engine" => engine::run(report)?,
            "ot" => transfer::run()?,
            "session" => session::run(report)?,
            "floats" => floats::run(report)?,
            "sequential" => sequential::run(command, report)?,
            "compile" => compile::run(command, report)?,
            "memory" => memory::run(command, report)?,
            other => return Err(format!("the benchmark {other:?} is listed but does not exist")),
        };
        figures.extend(in_part(group, found));
    }
    Ok(figures)
}
