//! The arguments of `halfgate instances`.

use crate::session_args::{SuiteArgs, threads};
use clap::Args;
use halfgate_console::circuit_args::CircuitArgs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// `halfgate instances`.
#[derive(Args, Debug)]
#[command(after_help = INSTANCES_HELP)]
pub struct InstancesArgs {
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// Number of instances, each from a fresh seed
    #[arg(long, default_value_t = 16, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=MAX_INSTANCES))]
    pub count: u32,

    /// Take the seeds from this file: 64 hexadecimal digits a line, one line for each instance
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seeds_to"])]
    pub seeds: Option<PathBuf>,

    /// Write the seeds to this new file, which only its owner may read. Whoever has a seed knows
    /// all labels of its instance [default: the seeds are forgotten]
    #[arg(long, value_name = "FILE")]
    pub seeds_to: Option<PathBuf>,

    /// Write the tables of each instance to this folder, in files of their own: 0.tables, 1.tables,
    /// and so on [default: tables are only hashed]
    #[arg(long, value_name = "DIR")]
    pub tables_to: Option<PathBuf>,

    /// The suite.
    #[command(flatten)]
    pub suite: SuiteArgs,

    /// Cycles of a sequential circuit [default: the circuit's own, which is 1 for a netlist]
    #[arg(long, value_name = "N", visible_alias = "steps")]
    pub cycles: Option<u64>,

    /// The engine: cpu or a simulated machine; `halfgate engines` lists them. The digests are the
    /// same for all
    #[arg(long, default_value = "cpu", value_name = "ENGINE")]
    pub engine: String,

    /// Use this kernel for the cpu engine [default: the fastest that works here]
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<String>,

    /// Threads of the cpu engine, each of which garbles instances of its own, if the program has no
    /// functions and skips no gates [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// The most instances of a command.
pub(crate) const MAX_INSTANCES: i64 = 1 << 24;

const INSTANCES_HELP: &str = "\
Examples:
  halfgate instances aes128 --count 40 --seeds-to seeds.txt
  halfgate instances aes128 --seeds opened.txt
  halfgate instances sort:256x32 --tables-to tables

Everything about an instance follows from its seed, the program, the suite and the number of cycles;
spec/instances.md says how. A line of the output has the number of an instance and its digest. A
party that commits to digests can open some instances by their seeds, and its peer makes these again
and compares. This is a building block for protocols with cut and choose; it exchanges no messages
and proves nothing about instances that are not opened. An instance whose tables were evaluated must
not be opened or evaluated with other inputs.

Instances end in their order, some at a time. After Ctrl-C or an error, files of instances that had
ended are kept, and so is the file of seeds.";
