//! Options of `halfgate silicon`.

use clap::Args;
use halfgate_machine::args::SynthesisArgs;
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

    /// Only parts whose names in the tables contain TEXT: "half_gate", "evaluator: window". What
    /// follows from all parts of a machine, such as a paper's table beside ours, is then left out
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// Options of all commands that synthesise.
    #[command(flatten)]
    pub synthesis: SynthesisArgs,
}
