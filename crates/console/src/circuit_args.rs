//! The options that name a circuit.

use crate::verilog_args::VerilogArgs;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use halfgate_mips::privacy::Privacy;
use halfgate_programs::published;

/// Which circuit.
#[derive(Args, Debug, Clone)]
pub struct CircuitArgs {
    /// A circuit file (HGC, Bristol, Bristol Fashion, SCD, HSCD, ABY, or Verilog), a program for
    /// the garbled processor (see `halfgate mips`), or a built-in program such as millionaires:32
    /// (see `halfgate programs`). Write ./NAME for a file that is named like a program
    pub circuit: String,

    /// Whose each input is, where the file does not say: g,e,… in order [default for Bristol files:
    /// the first is the garbler's, the rest the evaluator's; for ABY files: S lines are the
    /// garbler's]
    #[arg(long, value_name = "g,e,…")]
    pub parties: Option<String>,

    /// The order of gates: given; grouped or grouped:GATES; for machines of gate engines,
    /// haac:baseline, haac:full, haac:segment or haac:segment:GATES, or haac:best or
    /// haac:best:engines=16,window=131072,and=21,memory=35.2, any of which may be left out (gate
    /// engines, labels in the window, cycles of an AND, bytes from memory a cycle) [default:
    /// grouped; an evaluator's is the one that its garbler names]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<String>,

    /// Keep a file's gates and their numbers, inverters and copies too, and run them in the file's
    /// order (that of --order given, which implies this). Both parties must, or the evaluator says
    /// neither
    #[arg(long)]
    pub as_given: bool,

    /// Which outputs an SCD, HSCD or Verilog file gives: those of every-cycle, or of the last.
    /// Netlists do not say, and both parties must agree [default: every-cycle, unless the file is
    /// combinational; of Verilog, what its ports' attributes say]
    #[arg(long, value_enum, value_name = "CYCLES")]
    pub outputs: Option<OutputCycles>,

    /// Options for Verilog.
    #[command(flatten)]
    pub verilog: VerilogArgs,

    /// How much of a program for the garbled processor stays the garbler's secret: private (all of
    /// it; the evaluator has its interface only), semi-private (all but the restricted set that it
    /// was built for), public, public-per-step (each step has a circuit of its own, made before;
    /// for programs that do not branch on secrets), or public-skip (both skip, step by step, what
    /// need not be garbled). Both parties must say the same [default: private]
    #[arg(long, value_name = "HOW")]
    pub privacy: Option<Privacy>,

    /// Of such a program: run it on a processor that divides with fewer ANDs behind one another and
    /// some 1,100 more of them, for evaluators with several pipelines. Both parties must say the
    /// same
    #[arg(long)]
    pub shallow: bool,

    /// Of some built-in programs: the circuit that a published table counts, gate by gate, and not
    /// our smaller one. Of adder, hamming, multiplier-full, matmult and sort the first paper's
    /// (Fang, Ioannidis and Leeser; its sort is for numbers below 2^(BITS-1)); of others, or by
    /// name, the second's (Mo, Gopinath and Reagen; its triangle takes the trace for a signed
    /// number, and its gradient-descent rounds elsewhere). Both parties must say the same
    #[arg(long, value_name = "PAPER", num_args = 0..=1, require_equals = true,
        default_missing_value = FIRST_PAPER, value_parser = papers())]
    pub match_paper: Option<String>,

    /// Of such a program, --cycles of the command.
    #[arg(skip)]
    pub steps: Option<u64>,
}

/// What `--match-paper` alone means: the first paper that has the program.
pub const FIRST_PAPER: &str = "first";

/// What `--match-paper` takes.
pub fn papers() -> PossibleValuesParser {
    PossibleValuesParser::new([FIRST_PAPER].into_iter().chain(published::PAPERS))
}

/// Which cycles' outputs are given out.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputCycles {
    /// Those of every cycle.
    EveryCycle,
    /// Those of the last cycle only.
    Last,
}
