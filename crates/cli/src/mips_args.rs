//! The arguments of `halfgate mips`.

use crate::session_args::BothValues;
use clap::{Args, Subcommand};
use halfgate_mips::privacy::Privacy;
use std::path::PathBuf;

/// The subcommands for programs of the garbled processor.
#[derive(Subcommand, Debug)]
pub enum MipsCommand {
    /// Build a program from C and assembly
    Build(BuildArgs),
    /// Rewrite assembly so that it uses only a given set of instructions
    Lower(LowerArgs),
    /// Run a program in the clear, on values that are not secret
    Run(MipsRunArgs),
    /// Show a program's instructions, inputs and outputs; or write its interface for the evaluator
    Inspect(MipsInspectArgs),
    /// Print the header that C programs include
    Header,
}

/// `halfgate mips build`.
#[derive(Args, Debug)]
#[command(after_help = BUILD_HELP)]
pub struct BuildArgs {
    /// C (.c) and assembly (.s)
    #[arg(required = true)]
    pub sources: Vec<PathBuf>,

    /// The program to write: an ELF file
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// The set of instructions: full, alu-shift, alu, or one of the paper's: hamming, psi, aes
    #[arg(long, default_value = "full", value_name = "SET")]
    pub set: String,

    /// Words of instruction memory and of data memory: a power of two, or two numbers, as in
    /// 128,512
    #[arg(long, default_value = "256", value_name = "WORDS")]
    pub memory: String,

    /// Steps of a run, for runs without --steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,

    /// Options for the compiler, instead of -O2: -DN=8, -Os
    #[arg(last = true)]
    pub flags: Vec<String>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

const BUILD_HELP: &str = "\
A program includes <halfgate.h> (`halfgate mips header` prints it), declares its inputs and outputs
as global variables, and defines a function `void program(void)`:

  #include <halfgate.h>
  GARBLER int mine[4];
  EVALUATOR int yours[4];
  OUTPUT int sum;
  void program(void) { for (int i = 0; i < 4; i++) sum += mine[i] * yours[i]; }

Examples:
  halfgate mips build sum.c -o sum.elf --memory 64 --steps 100
  halfgate mips build psi.c -o psi.elf --set alu --memory 64,256 -- -DSIZE=64 -Os
  halfgate run sum.elf --garbler [1,2,3,4] --evaluator [5,6,7,8]
  halfgate run sum.elf --garbler [1,2,3,4] --evaluator [5,6,7,8] --privacy public";

/// `halfgate mips lower`.
#[derive(Args, Debug)]
pub struct LowerArgs {
    /// Assembly (.s), or C, which is compiled first
    pub source: PathBuf,

    /// The set of instructions: full, alu-shift, alu, hamming, psi or aes
    #[arg(long, value_name = "SET")]
    pub set: String,

    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `halfgate mips run`.
#[derive(Args, Debug)]
#[command(after_help = "\
Values are written as for `halfgate run`.

Example:
  halfgate mips run sum.elf --garbler [1,2,3,4] --evaluator [5,6,7,8]")]
pub struct MipsRunArgs {
    /// The program
    pub program: String,

    /// The values of the parties.
    #[command(flatten)]
    pub values: BothValues,

    /// Most steps [default: those that the program was built with, else 10,000,000]
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,

    /// Print each executed instruction, with its address and source line, and no result
    #[arg(long, conflicts_with = "json")]
    pub trace: bool,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// `halfgate mips inspect`.
#[derive(Args, Debug)]
pub struct MipsInspectArgs {
    /// The program
    pub program: String,

    /// Also print its instructions
    #[arg(long)]
    pub disassemble: bool,

    /// Write the evaluator's view of the program to this file: sizes of memories, and addresses of
    /// inputs and outputs
    #[arg(long, value_name = "FILE.json")]
    pub interface: Option<PathBuf>,

    /// The runs that the interface is for: private, or semi-private, which also reveals the set
    /// that the program was built for [default: private]
    #[arg(long, value_name = "HOW", requires = "interface")]
    pub privacy: Option<Privacy>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}
