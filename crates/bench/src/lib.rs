//! The benchmarks, except those of machines.
//!
//! Each module measures one thing and returns [`Figure`]s. [`gadgets`] measures sizes of circuits,
//! [`kernel`] kernels alone, [`engine`] compiled programs, and [`transfer`] oblivious transfer.
//! [`session`] measures two parties over each channel, and the cost of the channel itself.
//! [`floats`] checks floating point, and [`memory`] measures the memory of two processes.
//! [`sequential`] measures a small body that runs for many cycles, [`structured`] maps, folds and
//! calls, [`threads`] maps on two threads, [`scale`] maps on up to all cores, [`overlap`] what
//! sessions cost beside engine and link, [`instances`] many garblings of one program, and
//! [`compile`] a large body that runs once, [`malicious`] malicious sessions. Machines have
//! their own groups. All values of a comparison are measured in one process run, in turns; figures
//! are medians.

pub mod compile;
pub mod engine;
pub mod floats;
pub mod gadgets;
pub mod instances;
pub mod kernel;
pub mod malicious;
pub mod memory;
pub mod overlap;
pub mod scale;
pub mod sequential;
pub mod session;
pub mod structured;
pub mod threads;
pub mod transfer;

pub use halfgate_record::{Figure, How, Results};

use halfgate_record::part::Effort;
use halfgate_record::record::in_part;
use std::path::Path;

/// Describes the computer on which other libraries were measured. It is not available here, so
/// those libraries were never measured next to ours.
const PEERS_MACHINE: &str =
    "on another machine, one core per party, 1,185 M AES-128 blocks/s per core";

/// The groups that can be measured: name and description.
pub const GROUPS: [(&str, &str); 17] = [
    ("gadgets", "ANDs of gadgets, compared with published circuits"),
    ("kernel", "garbling and evaluating from the second-level cache, without a program"),
    ("engine", "compiled programs on one core, with tables written to memory"),
    ("ot", "rates of oblivious transfer, and the time to the first transfer"),
    ("session", "two parties: in one process, over TCP, over TLS"),
    (
        "floats",
        "every floating-point operation compared with hardware 10^7 times (minutes), and its ANDs",
    ),
    (
        "sequential",
        "a small body repeated up to 10^9 gates, compared with fewer repetitions and with \
         straight-line code",
    ),
    ("structured", "maps, folds and calls on one core, with tables in the second-level cache"),
    ("threads", "maps on two threads, and how much of the work one thread must do"),
    ("overlap", "sessions beside engine and link alone, and with a thread that sends"),
    ("instances", "many garblings of one program side by side, on one core"),
    ("malicious", "malicious sessions: phases, memory, traffic, and 10^8 ANDs (some minutes)"),
    ("compile-speed", "compiling circuits without repetition, on one core"),
    ("block-times", "the kernel in block times per AND, for Zen 4 and Zen 5"),
    ("scale", "maps on one thread to as many as there are cores: the curve"),
    ("compile", "compiling a circuit, and running 10^8 gates without repetition (minutes)"),
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
            "structured" => structured::run(command, report)?,
            "threads" => threads::run(report)?,
            "overlap" => overlap::run(report)?,
            "instances" => instances::run(report)?,
            "block-times" => kernel::block_times(),
            "compile-speed" => compile::speed(report, 12.0)?,
            "scale" => scale::run(report)?,
            "compile" => compile::run(command, report)?,
            "memory" => memory::run(command, report)?,
            "malicious" => malicious::run(command, report)?,
            other => return Err(format!("the benchmark {other:?} is listed but does not exist")),
        };
        figures.extend(in_part(group, found));
    }
    Ok(figures)
}
