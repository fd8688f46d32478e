//! The options of `halfgate overlay`, and those of `halfgate inspect` that show what an overlay
//! sees.

use clap::{Args, Subcommand, ValueEnum};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_overlay_model::{Form, Policy};
use std::path::PathBuf;

/// What to do for an overlay of garbled AND and XOR cells.
#[derive(Subcommand, Debug)]
pub enum OverlayCommand {
    /// Write what the host sends an overlay to garble a circuit's body
    Stream(Box<StreamArgs>),
    /// Read such a stream and say what it is, or what is wrong with it
    Show(ShowArgs),
}

/// `halfgate overlay stream`.
#[derive(Args, Debug)]
#[command(after_help = STREAM_HELP)]
pub struct StreamArgs {
    /// Which circuit.
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

    /// Labels that its block RAM holds [default: the paper's 13 Mbit in words of 108 bits]
    #[arg(long, default_value_t = 120_370, value_name = "LABELS")]
    pub block_ram: u32,

    /// How a command lies in registers
    #[arg(long, value_enum, default_value = "inverting")]
    pub form: FormArg,

    /// Which labels are in block RAM
    #[arg(long, value_enum, default_value = "live-range")]
    pub policy: PolicyArg,

    /// Gates of the circuit's own order that are put into layers together [default: all of them, as
    /// the paper does]
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

/// `halfgate overlay show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The stream
    pub file: PathBuf,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// How a command lies in registers.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum FormArg {
    /// As first published: three registers, addresses of 31 bits
    Three,
    /// As published at last: two registers, addresses of 20 bits
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

/// Which labels are in block RAM.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum PolicyArg {
    /// Those that one gate of the next layer reads: the paper's first; layer by layer only
    DirectlyUsed,
    /// Those with the most accesses, for good: the paper's second
    MostFrequentlyUsed,
    /// All that have room while they are wanted
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

/// `halfgate inspect --layers`.
#[derive(Args, Debug)]
pub struct LayersArgs {
    /// Print its layers instead: gates that can be garbled side by side, and which wires the next
    /// layer reads and nothing else. The circuit is taken as it is, with gates that no output needs
    #[arg(long)]
    pub layers: bool,

    /// With --layers: how many ANDs are garbled at once, for the number of batches
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "layers")]
    pub cells: u64,

    /// With --layers: labels that the overlay's block RAM holds [default: the paper's 13 Mbit in
    /// words of 108 bits]
    #[arg(long, default_value_t = 120_370, value_name = "LABELS", requires = "layers")]
    pub block_ram: u32,
}
