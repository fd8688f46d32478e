//! The benchmarks of everything but machines.
//!
//! Each module measures one thing and gives [`Figure`]s: [`gadgets`] sizes of circuits, [`kernel`]
//! the kernels by themselves, [`engine`] compiled programs, [`transfer`] oblivious transfer,
//! [`session`] two parties over each channel beside what the channel itself costs, [`floats`]
//! whether floating point is right, [`memory`] what two processes hold, [`sequential`] and
//! [`compile`] small bodies that run long and large ones that run once. Machines have groups of
//! their own. All of a comparison is measured in one process run, in turns; figures are medians.

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

/// Where other libraries were measured: on no machine that is at hand here, and never beside ours.
const PEERS_MACHINE: &str =
    "on one core a party of another machine, 1,185 M AES-128 blocks/s a core";

/// What can be measured: a name and what it is.
pub const GROUPS: [(&str, &str); 9] = [
    ("gadgets", "sizes of gadgets in ANDs, beside published circuits"),
    ("kernel", "garbling and evaluating from the second-level cache, no program"),
    ("engine", "compiled programs on one core, tables to memory"),
    ("ot", "oblivious transfer, and how soon the first is there"),
    ("session", "two parties: in one process, over TCP, over TLS"),
    (
        "floats",
        "every floating-point operation against hardware, 10^7 times (minutes), and its ANDs",
    ),
    ("sequential", "a small body over 10^9 gates, against fewer and against straight-line code"),
    ("compile", "from a circuit to code, and 10^8 gates without a cycle (minutes)"),
    ("memory", "what two processes hold while they garble 3 x 10^9 gates (about a minute)"),
];

/// The groups whose figures come out the same again, and what that takes.
pub const CHECKS: [(&str, Effort); 2] = [("gadgets", Effort::Seconds), ("floats", Effort::Minutes)];

/// Measures these groups of [`GROUPS`]. `command` is the `halfgate` binary, which [`memory`] starts twice; `report`
/// gets what is being done.
///
/// # Errors
/// Whatever kept a measurement from being taken.
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
            other => return Err(format!("the benchmark {other:?} is listed and not written")),
        };
        figures.extend(in_part(group, found));
    }
    Ok(figures)
}
