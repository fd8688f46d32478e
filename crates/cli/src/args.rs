//! The command line.

use crate::error::EXIT_CODES;
use crate::machine_args::{
    AssembleArgs, CompileArgs, DisassembleArgs, ReproduceArgs, SimulateArgs,
};
use crate::mips_args::MipsCommand;
use crate::overlay_args::OverlayCommand;
use crate::session_args::{EvaluateArgs, GarbleArgs, RunArgs};
use crate::verilog_args::VerilogArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use halfgate_mips::privacy::Privacy;
use std::path::PathBuf;

/// Two parties compute a function on their private inputs, and neither sees the other's.
#[derive(Parser, Debug)]
#[command(name = "halfgate", version, max_term_width = 100, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Both parties in one process:
  halfgate run millionaires:32 --garbler 1000000 --evaluator 999999

Two parties, each with the other's public key, the value in a JSON file:
  halfgate keygen alice
  halfgate garble millionaires --identity alice --peer bob.pub --listen :7766 --input @a.json
and on the other machine:
  halfgate keygen bob
  halfgate evaluate millionaires --identity bob --peer alice.pub --connect HOST:7766 --input @b.json

`halfgate help run` says how values are written.";

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run both parties in this process
    Run(RunArgs),
    /// Be the garbler of a run with a peer
    Garble(GarbleArgs),
    /// Be the evaluator of a run with a peer
    Evaluate(EvaluateArgs),
    /// Say what a circuit holds and costs, and estimate its time, without running it
    Inspect(InspectArgs),
    /// Convert a circuit file to another format, or write a built-in program as one
    Convert(ConvertArgs),
    /// Compile a circuit for a machine of gate engines: a program file with its streams
    Compile(CompileArgs),
    /// Run a program on a model of a machine: cycles, bytes, and what bounds them
    Simulate(SimulateArgs),
    /// Write a program file as text
    Disassemble(DisassembleArgs),
    /// Make a program file of text
    Assemble(AssembleArgs),
    /// Reproduce the tables and figures of a paper
    Reproduce(ReproduceArgs),
    /// Check conformance vectors against the reference and every kernel
    Vectors(VectorsArgs),
    /// Make an identity: a private key file and its public half
    Keygen(KeygenArgs),
    /// Measure this machine against every target of the scoreboard
    Bench(BenchArgs),
    /// Print all recorded targets, those missed first
    Scoreboard(ScoreboardArgs),
    /// Synthesise the RTL: counts for FPGAs, place and route on ECP5, standard cells
    Synth(SynthArgs),
    /// Build, run and look at programs for the garbled MIPS processor
    #[command(subcommand)]
    Mips(MipsCommand),
    /// Write and read what an overlay of garbled cells is sent
    #[command(subcommand)]
    Overlay(OverlayCommand),
    /// Be a mobile coprocessor at a pseudo-terminal, simulated clock by clock, for a party elsewhere
    Chip(ChipArgs),
    /// List the built-in programs
    Programs(ListArgs),
    /// List the engines and kernels, and which of them work on this machine
    Engines(ListArgs),
    /// List the machines that there are descriptions of
    Machines(ListArgs),
}

/// `halfgate chip`.
#[derive(Args, Debug)]
#[command(after_help = CHIP_HELP)]
pub struct ChipArgs {
    /// What it is: chip=rtl|model, link=spi|uart3|uart12 (bytes come and go no faster), faults=N (one in N
    /// bytes is lost, doubled or altered), unplug=N (gone after N bytes), separated by commas [default: chip=rtl,link=spi]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "KEY=VALUE,…")]
    pub options: String,
}

const CHIP_HELP: &str = "\
It prints the engine's name, and is there until Ctrl-C. In two terminals:
  halfgate chip --options link=uart3
  halfgate run divide:64 --garbler 1000 --evaluator 7 --evaluator-engine mobile:/dev/pts/3";

/// Which circuit.
#[derive(Args, Debug, Clone)]
pub struct CircuitArgs {
    /// A circuit file (Bristol, Bristol Fashion, SCD, HSCD, or Verilog), a program for the garbled
    /// processor (see `halfgate mips`), or a built-in program such as millionaires:32 (see `halfgate
    /// programs`). Write ./NAME for a file that is named like a program
    pub circuit: String,

    /// Whose each input is, where the file does not say: g,e,… in order [default for Bristol files:
    /// the first is the garbler's, the rest the evaluator's]
    #[arg(long, value_name = "g,e,…")]
    pub parties: Option<String>,

    /// The order of gates: given; grouped or grouped:GATES; for HAAC, haac:baseline, haac:full,
    /// haac:segment or haac:segment:GATES, or haac:best or
    /// haac:best:engines=16,window=131072,and=21,memory=35.2, any of which may be left out (gate
    /// engines, labels in the window, cycles of an AND, bytes from memory a cycle) [default: grouped; an evaluator's is the one that its garbler names]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<String>,

    /// Keep a file's gates and their numbers, inverters and copies too, and run them in the file's
    /// order (that of --order given, which implies this). Both parties must, or the evaluator says
    /// neither
    #[arg(long)]
    pub as_given: bool,

    /// Which outputs an SCD, HSCD or Verilog file gives: those of every-cycle, or of the last. Netlists
    /// do not say, and both parties must agree [default: every-cycle, unless the file is
    /// combinational; of Verilog, what its ports' attributes say]
    #[arg(long, value_enum, value_name = "CYCLES")]
    pub outputs: Option<OutputCycles>,

    /// Options for Verilog.
    #[command(flatten)]
    pub verilog: VerilogArgs,

    /// How much of a program for the garbled processor stays the garbler's secret: private (all of
    /// it; the evaluator has its interface only), semi-private (all but the restricted set that it
    /// was built for), public, public-per-step (each step has a circuit of its own, made before; for
    /// programs that do not branch on secrets), or public-skip (both skip, step by step, what need not
    /// be garbled). Both parties must say the same [default: private]
    #[arg(long, value_name = "HOW")]
    pub privacy: Option<Privacy>,

    /// Of such a program: run it on a processor that divides with fewer ANDs behind one another and some
    /// 1,100 more of them, for evaluators with several pipelines. Both parties must say the same
    #[arg(long)]
    pub shallow: bool,

    /// Of the built-in adder, hamming, multiplier-full, matmult and sort: the circuit that the SIFO overlay's
    /// paper counts, gate by gate, and not our smaller one. Its sort is for numbers below 2^(BITS-1). Both
    /// parties must say the same
    #[arg(long)]
    pub match_paper: bool,

    /// Of such a program, --cycles of the command.
    #[arg(skip)]
    pub steps: Option<u64>,
}

/// Which cycles' outputs are given out.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputCycles {
    /// Those of every cycle.
    EveryCycle,
    /// Those of the last cycle only.
    Last,
}

/// `halfgate inspect`.
#[derive(Args, Debug)]
#[command(after_help = INSPECT_HELP)]
pub struct InspectArgs {
    /// Which circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// How often the body runs [default: the circuit's own]
    #[arg(long, value_name = "N")]
    pub cycles: Option<u64>,

    /// Bandwidth to the peer: bits a second, with k, M or G: 100M, 1Gbit
    #[arg(long, default_value = "1Gbit", value_name = "BITS", value_parser = bandwidth)]
    pub bandwidth: f64,

    /// One way delay to the peer in milliseconds
    #[arg(long, default_value_t = 0.1, value_name = "MS", value_parser = milliseconds)]
    pub delay: f64,

    /// ANDs a second that both parties manage [default: measured here, within a second]
    #[arg(long, value_name = "RATE", value_parser = positive)]
    pub rate: Option<f64>,

    /// Print its layers instead: gates that can be garbled side by side, and which wires the next layer reads and
    /// nothing else. The circuit is taken as it is, with gates that no output needs
    #[arg(long)]
    pub layers: bool,

    /// With --layers: how many ANDs are garbled at once, for the number of batches
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "layers")]
    pub cells: u64,

    /// With --layers: labels that the overlay's block RAM holds [default: the paper's 13 Mbit in words of 108 bits]
    #[arg(long, default_value_t = 120_370, value_name = "LABELS", requires = "layers")]
    pub block_ram: u32,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

const INSPECT_HELP: &str = "\
Examples:
  halfgate inspect aes128
  halfgate inspect sort:256x32 --bandwidth 100Mbit --delay 20";

/// `halfgate convert`.
#[derive(Args, Debug)]
#[command(after_help = CONVERT_HELP)]
pub struct ConvertArgs {
    /// The circuit file to read, in any format, or a built-in program
    pub input: String,

    /// Of the built-in adder, hamming, multiplier-full, matmult and sort: the circuit that the SIFO overlay's
    /// paper counts
    #[arg(long)]
    pub match_paper: bool,

    /// Options for Verilog.
    #[command(flatten)]
    pub verilog: VerilogArgs,

    /// The circuit file to write; it is replaced if it exists
    pub output: PathBuf,

    /// The format to write [default: by the name of OUTPUT if it ends in .scd or .hscd; else the
    /// Bristol format that INPUT is not in, and fashion for a built-in program or an SCD, HSCD or
    /// Verilog file]
    #[arg(long, value_enum)]
    pub to: Option<FileFormat>,

    /// Whose each input of a Bristol file is: g,e,… in order. SCD and HSCD keep it; Fashion does
    /// not, but the old format has room for one input of each party, the garbler's first [default:
    /// the first is the garbler's, the rest the evaluator's]
    #[arg(long, value_name = "g,e,…")]
    pub parties: Option<String>,
}

const CONVERT_HELP: &str = "\
Examples:
  halfgate convert adder.txt adder-fashion.txt
  halfgate convert three-inputs.txt old.txt --to bristol --parties g,g,e
  halfgate convert aes128-chained:10 aes.scd
  halfgate convert design.v design.scd --top adder --parameter WIDTH=32

SCD and HSCD hold flip-flops and values of each cycle, which Bristol files do not; what they lose
is the names and number of ports, the number of cycles, and whether outputs are of the last cycle
only.";

/// A format of circuit files.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Bristol, the old one: two inputs, one output
    Bristol,
    /// Bristol Fashion
    Fashion,
    /// SCD, TinyGarble's netlists
    Scd,
    /// HSCD, the same as FASE's hexadecimal words: at most 16,383 gates
    Hscd,
}

/// `halfgate vectors`.
#[derive(Args, Debug)]
pub struct VectorsArgs {
    /// Vector files (JSON; the folder spec/ has the format and ours)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `halfgate keygen`.
#[derive(Args, Debug)]
#[command(after_help = KEYGEN_HELP)]
pub struct KeygenArgs {
    /// Where the private key goes (mode 0600); its public half goes to PATH.pub
    pub path: PathBuf,

    /// Replace the files if they exist; the old key is lost
    #[arg(long)]
    pub force: bool,
}

const KEYGEN_HELP: &str = "\
Give PATH.pub, or the fingerprint that is printed, to the other party over a way that you trust;
it goes to that party's --peer.";

/// `halfgate bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// What to measure: kernel, engine, ot, session, memory, gadgets, floats, sequential, compile
    /// [default: all; many minutes, and two idle cores]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// Write the figures to this file, as the scoreboard reads them
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// `halfgate synth`.
#[derive(Args, Debug)]
pub struct SynthArgs {
    /// What to do: units, machines, place-units, place, cells [default: all; an hour]
    #[arg(value_name = "STEP")]
    pub steps: Vec<String>,

    /// Only designs whose names contain TEXT, as they stand in the tables: "folded", "haac-1ge garbler"
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// A Liberty file of standard cells, for areas and critical paths
    #[arg(long, value_name = "FILE")]
    pub liberty: Option<PathBuf>,

    /// Which process the Liberty file is of, to stand beside every area: "130 nm, SkyWater"
    #[arg(long, value_name = "TEXT", requires = "liberty")]
    pub process: Option<String>,

    /// The folder with the SystemVerilog sources
    #[arg(long, default_value = "rtl", value_name = "FOLDER")]
    pub rtl: PathBuf,

    /// Where scripts, logs and netlists are to lie
    #[arg(long, default_value = "target/synth", value_name = "FOLDER")]
    pub work: PathBuf,

    /// Minutes that one run of a tool may take
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=10_000), value_name = "N")]
    pub minutes: u64,

    /// Write the figures to this file, as the scoreboard reads them; what steps that are not run left
    /// there stays, with its date
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// `halfgate scoreboard`.
#[derive(Args, Debug)]
pub struct ScoreboardArgs {
    /// The folder with files that `halfgate bench --out` wrote
    #[arg(long, default_value = "bench/results", value_name = "FOLDER")]
    pub results: PathBuf,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// Options of the commands that list something.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && number <= 1e15 => Ok(number),
        _ => Err("wants a number above 0".to_owned()),
    }
}

fn milliseconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1e7).contains(&number) => Ok(number),
        _ => Err("wants a number of milliseconds".to_owned()),
    }
}

/// `100M`, `1Gbit`, `2.5e9`: bits a second.
fn bandwidth(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("bit").unwrap_or(text);
    let (number, scale) = match number.char_indices().last() {
        Some((at, 'k' | 'K')) => (&number[..at], 1e3),
        Some((at, 'M')) => (&number[..at], 1e6),
        Some((at, 'G')) => (&number[..at], 1e9),
        _ => (number, 1.0),
    };
    let wrong = |_| "wants bits a second, such as 100Mbit or 1Gbit".to_owned();
    positive(number.trim()).map(|number| number * scale).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn bandwidths() {
        assert_eq!(bandwidth("1Gbit"), Ok(1e9));
        assert_eq!(bandwidth("2.5M"), Ok(2.5e6));
        assert_eq!(bandwidth("1000"), Ok(1e3));
        for wrong in ["", "G", "-1G", "1T", "0", "nan", "infGbit"] {
            assert!(bandwidth(wrong).is_err(), "{wrong}");
        }
    }
}
