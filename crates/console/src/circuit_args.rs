//! The options that name a circuit.

use crate::verilog_args::VerilogArgs;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use halfgate_mips::privacy::Privacy;
use halfgate_programs::published;

/// The options that select a circuit.
#[derive(Args, Debug, Clone)]
pub struct CircuitArgs {
    /// A circuit file (HGC, Bristol, Bristol Fashion, SCD, HSCD, ABY, or Verilog), a program for
    /// the garbled processor (see `halfgate mips`), or a built-in program such as millionaires:32
    /// (see `halfgate programs`). Write ./NAME for a file that is named like a program
    pub circuit: String,

    /// The owner of each input, if the file does not specify it: g,e,… in order [default for
    /// Bristol files: the first is the garbler's, the rest the evaluator's; for ABY files: S lines
    /// are the garbler's]
    #[arg(long, value_name = "g,e,…")]
    pub parties: Option<String>,

    /// The order of gates: given; grouped or grouped:GATES; for machines of gate engines,
    /// haac:baseline, haac:full, haac:segment or haac:segment:GATES, or haac:best or
    /// haac:best:engines=16,window=131072,and=21,memory=35.2, where each parameter is optional
    /// (gate engines, labels in the window, clock cycles of an AND, bytes from memory per clock
    /// cycle) [default: grouped; an evaluator takes the garbler's order]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<String>,

    /// Keep a file's gates and their numbers, including inverters and copies, and run them in the
    /// file's order (the order of --order given, which implies this option). Both parties must set
    /// it, or the evaluator sets neither option
    #[arg(long)]
    pub as_given: bool,

    /// Which outputs an SCD, HSCD or Verilog file has: those of every-cycle, or of the last.
    /// Netlists do not specify it, and both parties must agree [default: every-cycle, unless the
    /// file is combinational; for Verilog, the attributes of its ports]
    #[arg(long, value_enum, value_name = "CYCLES")]
    pub outputs: Option<OutputCycles>,

    /// Options for Verilog.
    #[command(flatten)]
    pub verilog: VerilogArgs,

    /// How much of a program for the garbled processor stays the garbler's secret: private (all of
    /// it; the evaluator has its interface only), semi-private (all but the restricted set that it
    /// was built for), public, public-per-step (each step has its own circuit, made in advance; for
    /// programs that do not branch on secrets), or public-skip (both parties skip, step by step,
    /// gates that need no garbling). Both parties must set the same [default: private]
    #[arg(long, value_name = "HOW")]
    pub privacy: Option<Privacy>,

    /// For such a program: run it on a processor that divides with fewer ANDs in sequence and some
    /// 1,100 more in total, for evaluators with several pipelines. Both parties must set the same
    #[arg(long)]
    pub shallow: bool,

    /// For some built-in programs: use the circuit that a published table counts, gate by gate,
    /// instead of our smaller one. For adder, hamming, multiplier-full, matmult and sort, the
    /// default is the paper of Fang, Ioannidis and Leeser (its sort is for numbers below
    /// 2^(BITS-1)). For other programs, the default is the paper of Mo, Gopinath and Reagen (its
    /// triangle takes the trace for a signed number, and its gradient-descent rounds elsewhere).
    /// Both parties must set the same
    #[arg(long, value_name = "PAPER", num_args = 0..=1, require_equals = true,
        default_missing_value = FIRST_PAPER, value_parser = papers())]
    pub match_paper: Option<String>,

    /// The number of steps of such a program, from the command's --cycles.
    #[arg(skip)]
    pub steps: Option<u64>,
}

/// Meaning of `--match-paper` without a value: the first paper that has the program.
pub const FIRST_PAPER: &str = "first";

/// The values of `--match-paper`.
pub fn papers() -> PossibleValuesParser {
    PossibleValuesParser::new([FIRST_PAPER].into_iter().chain(published::PAPERS))
}

/// The cycles whose outputs are given out.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputCycles {
    /// Those of every cycle.
    EveryCycle,
    /// Those of the last cycle only.
    Last,
}
