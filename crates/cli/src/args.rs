//! The command line.

use crate::instances_args::InstancesArgs;
use crate::mips_args::MipsCommand;
use crate::serve_args::ServeArgs;
use crate::session_args::{EvaluateArgs, GarbleArgs, RunArgs, levels, ot_field};
use crate::silicon_args::SiliconArgs;
use crate::tool_args::{CompletionsArgs, DoctorArgs, LogArgs, ManArgs};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use halfgate_console::circuit_args::{self, CircuitArgs};
use halfgate_console::error::EXIT_CODES;
use halfgate_console::verilog_args::VerilogArgs;
use halfgate_machine::Machine;
use halfgate_machine::args::{
    AssembleArgs, CompileArgs, DisassembleArgs, ReproduceArgs, SimulateArgs,
};
use halfgate_protocol::session::{OtField, SecurityLevel};
use halfgate_registry::{DEFAULT, MACHINES};
use std::path::PathBuf;

/// Two parties compute a function on their private inputs, and neither sees the other's.
#[derive(Parser, Debug)]
#[command(name = "halfgate", version, max_term_width = 100, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,

    /// Amount of output on standard error.
    #[command(flatten)]
    pub log: LogArgs,
}

const EXAMPLES: &str = "\
Both parties in one process:
  halfgate run millionaires:32 --garbler 1000000 --evaluator 999999

Two parties, each with the other's public key, the value in a JSON file:
  halfgate keygen alice
  halfgate garble millionaires --identity alice --peer bob.pub --listen :7766 --input @a.json
and on the other computer:
  halfgate keygen bob
  halfgate evaluate millionaires --identity bob --peer alice.pub --connect HOST:7766 --input @b.json

`halfgate help run` documents the notation of values.";

/// The whole command line: our own commands, those of machines, and the machines' additions to the
/// help.
pub fn command() -> clap::Command {
    let mut command = Cli::command();
    for machine in MACHINES {
        for own in machine.commands() {
            command = command.subcommand(own);
        }
        command = command.mut_subcommand("inspect", |inspect| {
            // A machine's options bring a description of their own, which would replace this one.
            let about = inspect.get_about().cloned().unwrap_or_default();
            machine.inspect_options(inspect).about(about)
        });
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

/// Examples from machines for the command called `name`.
fn examples(name: &str) -> String {
    let all: Vec<_> = MACHINES.iter().flat_map(|machine| machine.examples(name)).collect();
    let lines: Vec<_> = all.into_iter().map(|line| format!("  {line}")).collect();
    format!("Examples:\n{}", lines.join("\n"))
}

/// Appends `more` to the help of `command`.
fn with_help(command: clap::Command, more: &str) -> clap::Command {
    let text = command.get_after_help().map(ToString::to_string);
    let text = text.map_or(more.to_owned(), |text| format!("{text}\n\n{more}"));
    command.after_help(text)
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run both parties in this process
    Run(RunArgs),
    /// Run the garbler, with a peer as evaluator
    Garble(GarbleArgs),
    /// Run the evaluator, with a peer as garbler
    Evaluate(EvaluateArgs),
    /// Serve programs to several peers: many sessions, with limits for each peer
    Serve(ServeArgs),
    /// Show a circuit's contents and cost, and estimate its run time, without running it
    Inspect(InspectArgs),
    /// Garble a program many times, each time from a seed, and print the digest of each garbling
    Instances(InstancesArgs),
    /// Convert a circuit file to another format, or write a built-in program as one
    Convert(ConvertArgs),
    /// Compile a circuit for a machine of gate engines: a program file with its streams
    Compile(CompileArgs),
    /// Run a program on a model of a machine: cycles, bytes, and what bounds them
    Simulate(SimulateArgs),
    /// Write a program file as text
    Disassemble(DisassembleArgs),
    /// Make a program file from text
    Assemble(AssembleArgs),
    /// Reproduce the tables and figures of a paper
    Reproduce(ReproduceArgs),
    /// Check conformance vectors against the reference and every kernel
    Vectors(VectorsArgs),
    /// Make an identity: a private key file and its public half
    Keygen(KeygenArgs),
    /// Measure this computer for every target of the scoreboard
    Bench(BenchArgs),
    /// Print all recorded targets: the papers' headlines first, then those missed
    Scoreboard(ScoreboardArgs),
    /// Measure machines in standard cells: area, longest path and power, part by part (hours)
    Silicon(SiliconArgs),
    /// Build, run and inspect programs for the garbled MIPS processor
    #[command(subcommand)]
    Mips(MipsCommand),
    /// List the built-in programs
    Programs(ListArgs),
    /// List the engines and kernels, and which of them work on this computer
    Engines(ListArgs),
    /// List the machines and their configurations
    Machines(ListArgs),
    /// Show or clear the cache of designs in Verilog and processors
    Cache(CacheArgs),
    /// Show this computer's processor, kernels and tools, and what each missing tool would enable
    Doctor(DoctorArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write the man pages
    Man(ManArgs),
}

/// `halfgate cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// Remove all entries; they are made again on demand
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
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// Cycles of a run [default: the circuit's own]
    #[arg(long, value_name = "N", visible_alias = "steps")]
    pub cycles: Option<u64>,

    /// Bandwidth to the peer in bits per second, with k, M or G: 100M, 1Gbit
    #[arg(long, default_value = "1Gbit", value_name = "BITS", value_parser = bandwidth)]
    pub bandwidth: f64,

    /// One-way delay to the peer in milliseconds
    #[arg(long, default_value_t = 0.1, value_name = "MS", value_parser = milliseconds)]
    pub delay: f64,

    /// Estimate a session at this security level. For `malicious`, show bytes and time of each
    /// phase, and the rounds of each window of ANDs
    #[arg(long, value_name = "LEVEL", default_value = "semi-honest", value_parser = levels())]
    pub security: SecurityLevel,

    /// For --security malicious: bits of an element of the field of the transfers, 1, 2, 4 or 8
    /// [default: by --delay, as the parties choose by the round trip]
    #[arg(long, value_name = "K", value_parser = ot_field)]
    pub ot_field: Option<OtField>,

    /// ANDs per second of both parties, for --security semi-honest [default: measured here, within
    /// a second]
    #[arg(long, value_name = "RATE", value_parser = positive)]
    pub rate: Option<f64>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

const INSPECT_HELP: &str = "\
Examples:
  halfgate inspect aes128
  halfgate inspect sort:256x32 --bandwidth 100Mbit --delay 20
  halfgate inspect aes128 --security malicious";

/// `halfgate convert`.
#[derive(Args, Debug)]
#[command(after_help = CONVERT_HELP)]
pub struct ConvertArgs {
    /// The circuit file to read, in any format, or a built-in program
    pub input: String,

    /// For some built-in programs: the circuit that a published table counts; `halfgate help run`
    /// lists the programs
    #[arg(long, value_name = "PAPER", num_args = 0..=1, require_equals = true,
        default_missing_value = circuit_args::FIRST_PAPER, value_parser = circuit_args::papers())]
    pub match_paper: Option<String>,

    /// Options for Verilog.
    #[command(flatten)]
    pub verilog: VerilogArgs,

    /// The circuit file to write; it is replaced if it exists
    pub output: PathBuf,

    /// The format to write [default: by OUTPUT's extension if that is .hgc, .scd or .hscd; else
    /// bristol if INPUT is a file in Bristol Fashion, and fashion for any other input]
    #[arg(long, value_enum)]
    pub to: Option<FileFormat>,

    /// The owner of each input of a Bristol or ABY file: g,e,… in order. HGC, SCD and HSCD store
    /// owners. Fashion does not; the old format has one input for each party, the garbler's first
    /// [default: the first is the garbler's, the rest the evaluator's]
    #[arg(long, value_name = "g,e,…")]
    pub parties: Option<String>,
}

const CONVERT_HELP: &str = "\
Examples:
  halfgate convert adder.txt adder-fashion.txt
  halfgate convert design.v design.hgc --top adder --parameter WIDTH=32
  halfgate convert three-inputs.txt old.txt --to bristol --parties g,g,e
  halfgate convert aes128-chained:10 aes.scd

HGC keeps everything: names, owners and types of ports, flip-flops, cycles, functions, and gates
unchanged. Use it to exchange circuits (docs/circuit-format.md). Other formats have no functions:
all their gates are written out. SCD and HSCD keep flip-flops and per-cycle values, which Bristol
files do not. They lose the names and number of ports, the number of cycles, and
whether outputs are of the last cycle only.";

/// A format of circuit files.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// HGC, Halfgate's own format, which keeps names, owners and types of ports
    Hgc,
    /// Bristol, the old format: two inputs, one output
    Bristol,
    /// Bristol Fashion
    Fashion,
    /// SCD, TinyGarble's netlists
    Scd,
    /// HSCD, which is SCD as hexadecimal words of a machine's memory: at most 16,383 gates
    Hscd,
}

/// `halfgate vectors`.
#[derive(Args, Debug)]
pub struct VectorsArgs {
    /// Vector files (JSON; the folder spec/ has the format and our files)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `halfgate keygen`.
#[derive(Args, Debug)]
#[command(after_help = KEYGEN_HELP)]
pub struct KeygenArgs {
    /// File for the private key (mode 0600); the public half goes to PATH.pub
    pub path: PathBuf,

    /// Replace the files if they exist; the old key is lost
    #[arg(long)]
    pub force: bool,
}

const KEYGEN_HELP: &str = "\
Give PATH.pub, or the printed fingerprint, to the other party over a channel that you trust. The
other party passes it to --peer.";

/// `halfgate bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Groups to measure, of those listed below [default: all; takes many minutes and two idle
    /// cores]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// Write the figures to this file, which the scoreboard reads
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Instead of printing figures, compare the groups' figures with their rows in this file, and
    /// print each difference [default: groups that count and measure no time]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "json"])]
    pub check: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// `halfgate scoreboard`.
#[derive(Args, Debug)]
pub struct ScoreboardArgs {
    /// The folder with files from `halfgate bench --out`
    #[arg(long, default_value = "bench/results", value_name = "FOLDER")]
    pub results: PathBuf,

    /// Print only the papers' headlines, as a Markdown table
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
        _ => Err("not a number above 0".to_owned()),
    }
}

fn milliseconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1e7).contains(&number) => Ok(number),
        _ => Err("not a number of milliseconds".to_owned()),
    }
}

/// Parses `100M`, `1Gbit`, `2.5e9`: bits per second.
fn bandwidth(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("bit").unwrap_or(text);
    let (number, scale) = match number.char_indices().last() {
        Some((at, 'k' | 'K')) => (&number[..at], 1e3),
        Some((at, 'M')) => (&number[..at], 1e6),
        Some((at, 'G')) => (&number[..at], 1e9),
        _ => (number, 1.0),
    };
    let wrong = |_| "not bits per second: write 100Mbit or 1Gbit, for example".to_owned();
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
