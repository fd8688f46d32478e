//! Options of `halfgate silicon`.

use clap::Args;
use std::path::PathBuf;

/// `halfgate silicon`.
#[derive(Args, Debug)]
pub struct SiliconArgs {
    /// Machines, by their first names in `halfgate machines` [default: all]
    #[arg(value_name = "MACHINE")]
    pub machines: Vec<String>,

    /// A Liberty file of standard cells or memories (.lib, .lib.gz), or a folder of them; may be
    /// repeated
    #[arg(long, value_name = "FILE", required = true)]
    pub liberty: Vec<PathBuf>,

    /// Process of the library, printed with every figure: "7 nm, ASAP7". Areas are scaled to 16 nm
    /// if it begins with nanometres
    #[arg(long, value_name = "TEXT")]
    pub process: Option<String>,

    /// Clock rate in megahertz, for power
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000), value_name = "N")]
    pub mhz: u32,

    /// Only parts whose names in the tables contain TEXT: "half_gate", "evaluator: window"
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// A folder with SystemVerilog sources; may be repeated [default: `rtl`, and each machine's
    /// `rtl`, in the current checkout]
    #[arg(long, value_name = "FOLDER")]
    pub rtl: Vec<PathBuf>,

    /// Folder for scripts, logs and netlists. Results in it are used again
    #[arg(long, default_value = "target/synth", value_name = "FOLDER")]
    pub work: PathBuf,

    /// Time limit for one run of a tool, in minutes
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=10_000), value_name = "N")]
    pub minutes: u64,

    /// Write the figures to this file for the scoreboard; other figures in it stay, with their date
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}
