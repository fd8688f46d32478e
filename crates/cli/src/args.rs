//! The command line.

use crate::mips_args::MipsCommand;
use crate::serve_args::ServeArgs;
use crate::session_args::{EvaluateArgs, GarbleArgs, RunArgs};
use crate::tool_args::{CompletionsArgs, DoctorArgs, LogArgs, ManArgs};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use halfgate_console::circuit_args::{self, CircuitArgs};
use halfgate_console::error::EXIT_CODES;
use halfgate_console::verilog_args::VerilogArgs;
use halfgate_machine::Machine;
use halfgate_machine::args::{
    AssembleArgs, CompileArgs, DisassembleArgs, ReproduceArgs, SimulateArgs,
};
use halfgate_registry::{DEFAULT, MACHINES};
use std::path::PathBuf;

/// Two parties compute a function on their private inputs, and neither sees the other's.
#[derive(Parser, Debug)]
#[command(name = "halfgate", version, max_term_width = 100, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// How much goes to standard error.
    #[command(flatten)]
    pub log: LogArgs,
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

/// The whole command line: our own commands, those of machines, and what machines add to the help.
pub fn command() -> clap::Command {
    let mut command = Cli::command();
    for machine in MACHINES {
        for own in machine.commands() {
            command = command.subcommand(own);
        }
        command = command.mut_subcommand("inspect", |inspect| machine.inspect_options(inspect));
    }
    for name in ["compile", "simulate"] {
        let default = |argument: clap::Arg| argument.required(false).default_value(DEFAULT);
        command = command.mut_subcommand(name, |found| found.mut_arg("machine", default));
    }
    for name in ["compile", "simulate", "assemble", "disassemble", "reproduce"] {
        command = command.mut_subcommand(name, |found| with_help(found, &examples(name)));
    }
    let parts = |machine: &&dyn Machine| {
        let parts = machine.parts();
        (!parts.is_empty()).then(|| format!("  {}: {}", machine.name(), parts.join(", ")))
    };
    let parts: Vec<_> = MACHINES.iter().filter_map(parts).collect();
    let parts = format!("Parts:\n{}", parts.join("\n"));
    command = command.mut_subcommand("reproduce", |found| with_help(found, &parts));
    let groups = halfgate_bench::GROUPS.iter().chain(MACHINES.iter().flat_map(|m| m.benchmarks()));
    let groups: Vec<_> = groups.map(|(name, about)| format!("  {name}: {about}")).collect();
    let groups = format!("Groups:\n{}", groups.join("\n"));
    command.mut_subcommand("bench", |found| with_help(found, &groups))
}

/// Examples of machines for the command called `name`.
fn examples(name: &str) -> String {
    let all: Vec<_> = MACHINES.iter().flat_map(|machine| machine.examples(name)).collect();
    let lines: Vec<_> = all.into_iter().map(|line| format!("  {line}")).collect();
    format!("Examples:\n{}", lines.join("\n"))
}

/// `command` with `more` behind its help.
fn with_help(command: clap::Command, more: &str) -> clap::Command {
    let text = command.get_after_help().map(ToString::to_string);
    let text = text.map_or(more.to_owned(), |text| format!("{text}\n\n{more}"));
    command.after_help(text)
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run both parties in this process
    Run(RunArgs),
    /// Be the garbler of a run with a peer
    Garble(GarbleArgs),
    /// Be the evaluator of a run with a peer
    Evaluate(EvaluateArgs),
    /// Offer programs to several peers: many sessions, each peer with its limits
    Serve(ServeArgs),
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
    /// Print all recorded targets: the papers' headlines, then those missed
    Scoreboard(ScoreboardArgs),
    /// Build, run and look at programs for the garbled MIPS processor
    #[command(subcommand)]
    Mips(MipsCommand),
    /// List the built-in programs
    Programs(ListArgs),
    /// List the engines and kernels, and which of them work on this machine
    Engines(ListArgs),
    /// List the machines and their configurations
    Machines(ListArgs),
    /// Say what is kept of designs in Verilog and processors that were read, and where
    Cache(CacheArgs),
    /// Say what this machine has: processor, kernels, tools, and what each missing one would enable
    Doctor(DoctorArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write the man pages
    Man(ManArgs),
}

/// `halfgate cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// Remove all of it; it is made again when it is needed
    #[arg(long)]
    pub clear: bool,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// `halfgate inspect`.
#[derive(Args, Debug)]
#[command(after_help = INSPECT_HELP)]
pub struct InspectArgs {
    /// Which circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// How often the body runs [default: the circuit's own]
    #[arg(long, value_name = "N", visible_alias = "steps")]
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

    /// Of some built-in programs: the circuit that a published table counts; `halfgate help run`
    /// says of which
    #[arg(long, value_name = "PAPER", num_args = 0..=1, require_equals = true,
        default_missing_value = circuit_args::FIRST_PAPER, value_parser = circuit_args::papers())]
    pub match_paper: Option<String>,

    /// Options for Verilog.
    #[command(flatten)]
    pub verilog: VerilogArgs,

    /// The circuit file to write; it is replaced if it exists
    pub output: PathBuf,

    /// The format to write [default: by the name of OUTPUT if it ends in .hgc, .scd or .hscd; else
    /// the Bristol format that INPUT is not in, and fashion for a built-in program or a file in any
    /// other format]
    #[arg(long, value_enum)]
    pub to: Option<FileFormat>,

    /// Whose each input of a Bristol or ABY file is: g,e,… in order. HGC, SCD and HSCD keep it;
    /// Fashion does not, but the old format has room for one input of each party, the garbler's
    /// first [default: the first is the garbler's, the rest the evaluator's]
    #[arg(long, value_name = "g,e,…")]
    pub parties: Option<String>,
}

const CONVERT_HELP: &str = "\
Examples:
  halfgate convert adder.txt adder-fashion.txt
  halfgate convert design.v design.hgc --top adder --parameter WIDTH=32
  halfgate convert three-inputs.txt old.txt --to bristol --parties g,g,e
  halfgate convert aes128-chained:10 aes.scd

HGC keeps everything: names, owners and types of ports, flip-flops, cycles, gates as they are. Use it
wherever a circuit is handed over (docs/circuit-format.md). SCD and HSCD hold flip-flops and values of each cycle, which Bristol files do not; what they lose
is the names and number of ports, the number of cycles, and whether outputs are of the last cycle
only.";

/// A format of circuit files.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// HGC, Halfgate's own: the one that keeps names, owners and types of ports
    Hgc,
    /// Bristol, the old one: two inputs, one output
    Bristol,
    /// Bristol Fashion
    Fashion,
    /// SCD, TinyGarble's netlists
    Scd,
    /// HSCD, the same as hexadecimal words of a machine's memory: at most 16,383 gates
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
    /// What to measure, of the groups listed below [default: all; many minutes, and two idle cores]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// Write the figures to this file, as the scoreboard reads them
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Instead of printing figures, compare those of the groups with the rows that this file has of
    /// them, and print each difference [default: groups that count and take no time]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "json"])]
    pub check: Option<PathBuf>,

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

    /// Print the papers' headlines alone, as a table in Markdown
    #[arg(long, conflicts_with = "json")]
    pub headlines: bool,

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
        command().debug_assert();
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
