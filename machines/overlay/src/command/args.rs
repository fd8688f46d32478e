//! Options of `halfgate overlay`, and options of `halfgate inspect` that show a circuit as the SIFO
//! overlay sees it.

use clap::{Args, Subcommand, ValueEnum};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_overlay_model::{Form, Policy};
use std::path::PathBuf;

/// Commands for an overlay of garbled AND and XOR cells.
#[derive(Subcommand, Debug)]
pub enum OverlayCommand {
    /// Write the commands that a host sends to garble a circuit's body
    Stream(Box<StreamArgs>),
    /// Read a stream of commands, check it and describe it
    Show(ShowArgs),
}

/// Arguments of `halfgate overlay stream`.
#[derive(Args, Debug)]
#[command(after_help = STREAM_HELP)]
pub struct StreamArgs {
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// The file to write; it is replaced if it exists
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// AND cells of the overlay
    #[arg(long, default_value_t = 15, value_name = "N", value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    pub ands: u32,

    /// XOR cells of the overlay
    #[arg(long, default_value_t = 15, value_name = "N", value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    pub xors: u32,

    /// Capacity of the overlay's block RAM in labels [default: the paper's 13 Mbit in words of 108
    /// bits]
    #[arg(long, default_value_t = 120_370, value_name = "LABELS")]
    pub block_ram: u32,

    /// Layout of a command in registers
    #[arg(long, value_enum, default_value = "inverting")]
    pub form: FormArg,

    /// Policy for the labels in block RAM
    #[arg(long, value_enum, default_value = "live-range")]
    pub policy: PolicyArg,

    /// Gates per window. Windows follow the circuit's own order, and each is split into layers
    /// separately [default: one window, as in the paper]
    #[arg(long, value_name = "GATES", value_parser = clap::value_parser!(u64).range(1..))]
    pub window: Option<u64>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

const STREAM_HELP: &str = "\
The circuit is taken as it is, for one cycle. Commands of the published forms cannot invert: they are for circuits of
--match-paper, or others of AND and XOR.

Examples:
  halfgate overlay stream aes128 --window 1024 -o aes.hgo
  halfgate overlay stream multiplier-full:64 --match-paper --form two --policy directly-used -o mult.hgo
  halfgate overlay show mult.hgo";

/// Arguments of `halfgate overlay show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The stream
    pub file: PathBuf,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// Layout of a command in registers.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum FormArg {
    /// As first published: three registers, addresses of 31 bits
    Three,
    /// As finally published: two registers, addresses of 20 bits
    Two,
    /// Three registers, addresses of 30 bits, inversions
    Inverting,
}

impl From<FormArg> for Form {
    fn from(form: FormArg) -> Form {
        match form {
            FormArg::Three => Form::Three,
            FormArg::Two => Form::Two,
            FormArg::Inverting => Form::Inverting,
        }
    }
}

/// Policy for the labels in block RAM.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum PolicyArg {
    /// Labels that exactly one gate reads, if it is in the next layer: the paper's first policy.
    /// Not with --window
    DirectlyUsed,
    /// Labels with the most accesses, permanently: the paper's second policy
    MostFrequentlyUsed,
    /// Labels during their live range, as long as places are free
    LiveRange,
}

impl From<PolicyArg> for Policy {
    fn from(policy: PolicyArg) -> Policy {
        match policy {
            PolicyArg::DirectlyUsed => Policy::DirectlyUsed,
            PolicyArg::MostFrequentlyUsed => Policy::MostFrequentlyUsed,
            PolicyArg::LiveRange => Policy::LiveRange,
        }
    }
}

/// Arguments of `halfgate inspect --layers`.
#[derive(Args, Debug)]
pub struct LayersArgs {
    /// Print the circuit's layers instead: gates that can be garbled in parallel, and wires that
    /// only the next layer reads. The circuit is not optimised: gates that no output needs are kept
    #[arg(long)]
    pub layers: bool,

    /// With --layers: number of ANDs that are garbled at once, which determines the number of
    /// batches
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "layers")]
    pub cells: u64,

    /// With --layers: capacity of the overlay's block RAM in labels [default: the paper's 13 Mbit
    /// in words of 108 bits]
    #[arg(long, default_value_t = 120_370, value_name = "LABELS", requires = "layers")]
    pub block_ram: u32,
}
