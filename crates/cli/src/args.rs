//! The command line.

use crate::error::EXIT_CODES;
use crate::machine_args::{
    AssembleArgs, CompileArgs, DisassembleArgs, ReproduceArgs, SimulateArgs,
};
use crate::mips_args::MipsCommand;
use crate::verilog_args::VerilogArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use halfgate_mips::privacy::Privacy;
use std::path::PathBuf;

/// Examples for a command, then how values are written.
macro_rules! with_values_help {
    ($examples:literal) => {
        concat!(
            $examples,
            "

Values of one party are separated by commas, one for each of its inputs, in order:
  123, -5         a number (negative integers in two's complement); it must fit the input
  1.5, -2e-3, inf a number for an input of floats or of fixed point, rounded to nearest
  f32:1.5, f64:2  the bits of a binary32 or binary64 number for any input of 32 or 64 bits
  0x1f, 0b0110    bits; the rightmost digit holds wire 0
  bytes:00ff      hexadecimal in byte order (byte k, bit j is wire 8k+j): AES, SHA
  text:kitten     characters, zeros after them for the rest of an input of text
  [1,2,3]         a list of these: the elements of an input
  @FILE           raw bytes, in the same order; @key.bin
  @FILE.json      {\"name\": value, …} by input name; a value is a number, a string as above,
                  or an array: one element a cycle, or the elements of a wide input
  -               raw bytes from standard input
  (empty)         a party without inputs
`halfgate inspect CIRCUIT` lists the inputs."
        )
    };
}

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
    /// List the built-in programs
    Programs(ListArgs),
    /// List the engines and kernels, and which of them work on this machine
    Engines(ListArgs),
    /// List the machines that there are descriptions of
    Machines(ListArgs),
}

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
    /// was built for), public, or public-per-step (each step has a circuit of its own; for programs that do
    /// not branch on secrets). Both parties must say the same [default: private]
    #[arg(long, value_name = "HOW")]
    pub privacy: Option<Privacy>,

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

/// What both ways to run have in common.
#[derive(Args, Debug, Clone)]
pub struct CommonArgs {
    /// Which circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// The garbling suite: half-gates or half-gates-fixed-key
    #[arg(long, default_value = "half-gates", value_name = "SUITE")]
    pub suite: String,

    /// How often a sequential circuit's body runs [default: the number of values given for a
    /// per-cycle input of this party, else the circuit's own, which is 1 for a netlist]
    #[arg(long, value_name = "N")]
    pub cycles: Option<u64>,

    /// Who learns an output: garbler, evaluator, both or none, for all outputs, or NAME=WHO for
    /// one; may be repeated [default: both]
    #[arg(long, value_name = "[NAME=]WHO")]
    pub learn: Vec<String>,

    /// The engine: cpu, a simulated machine such as model:haac-16ge,memory=hbm2,window=1MB, or its
    /// circuit, such as rtl:haac-4ge; `halfgate engines` lists them
    #[arg(long, default_value = "cpu", value_name = "ENGINE")]
    pub engine: String,

    /// Write the waveforms of an rtl: engine to this file (FST, for GTKWave or Surfer). They have every
    /// label, and the garbler's delta: with a peer it takes --trace-secrets, too
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// No value of this session is secret: --trace may write its labels and delta to a file
    #[arg(long, requires = "trace")]
    pub trace_secrets: bool,

    /// Force a kernel of the cpu engine, and for the labels of simulated machines [default: the fastest that works here]
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<String>,

    /// Threads that a party garbles or evaluates on. 1 is what there is
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads)]
    pub threads: u32,

    /// Security of the oblivious transfers. `malicious` protects these alone: the protocol as a
    /// whole remains secure against semi-honest parties only
    #[arg(long, value_enum, default_value = "semi-honest")]
    pub ot: Ot,

    /// Give up when the peer has been silent for this many seconds
    #[arg(long, default_value_t = 30.0, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: f64,

    /// Print one JSON object and nothing else on standard output; of several runs, {"runs": […]}
    #[arg(long)]
    pub json: bool,
}

/// Security of the oblivious transfers.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ot {
    /// Both parties follow the protocol.
    SemiHonest,
    /// The transfers withstand a party that does not.
    Malicious,
}

/// `halfgate run`.
#[derive(Args, Debug)]
#[command(after_help = RUN_HELP)]
pub struct RunArgs {
    /// What both ways to run have in common.
    #[command(flatten)]
    pub common: CommonArgs,

    /// The garbler's values
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "VALUES",
        allow_hyphen_values = true
    )]
    pub garbler: String,

    /// The evaluator's values
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "VALUES",
        allow_hyphen_values = true
    )]
    pub evaluator: String,

    /// The garbler's engine, if another than --engine
    #[arg(long, value_name = "ENGINE")]
    pub garbler_engine: Option<String>,

    /// The evaluator's engine, if another than --engine
    #[arg(long, value_name = "ENGINE")]
    pub evaluator_engine: Option<String>,
}

const RUN_HELP: &str = with_values_help!(
    "\
Examples:
  halfgate run millionaires:32 --garbler 1000000 --evaluator 999999
  halfgate run aes128 --garbler bytes:000102030405060708090a0b0c0d0e0f --evaluator @block.bin
  halfgate run adder.txt --parties g,e --garbler 5 --evaluator 0xff --json
  halfgate run auction.v --garbler 30 --evaluator 41
  halfgate run mac.v --top mac --parameter WIDTH=16 --cycles 3 --garbler [1,2,3] --evaluator [4,5,6]
"
);

/// How to reach the peer and know it.
#[derive(Args, Debug, Clone)]
pub struct PeerArgs {
    /// Print the outputs of each cycle as soon as they are decoded, a line a cycle (an object with
    /// --json), and not again at the end. They are no result before the command has ended well
    #[arg(long)]
    pub stream_outputs: bool,

    /// Wait for the peer on this address: HOST:PORT, or :PORT for all of this machine's
    #[arg(long, value_name = "ADDRESS", conflicts_with = "connect")]
    pub listen: Option<String>,

    /// Dial the peer at this address: HOST:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub connect: Option<String>,

    /// This party's private key file, made by `halfgate keygen`
    #[arg(long, value_name = "FILE")]
    pub identity: Option<PathBuf>,

    /// The peer's identity: its .pub file or its fingerprint
    #[arg(long, value_name = "FILE|FINGERPRINT", conflicts_with = "trust_any_peer")]
    pub peer: Option<String>,

    /// Take any peer for the right one, and say who it was. An attacker on the network may be it
    #[arg(long)]
    pub trust_any_peer: bool,

    /// No TLS: anyone on the way can read outputs and tamper; frames carry a CRC-32C, which
    /// catches accidents only. For loopback and links that are protected otherwise
    #[arg(long, conflicts_with_all = ["identity", "peer", "trust_any_peer"])]
    pub insecure_plaintext: bool,
}

/// `halfgate garble`.
#[derive(Args, Debug)]
#[command(after_help = GARBLE_HELP)]
pub struct GarbleArgs {
    /// What both ways to run have in common.
    #[command(flatten)]
    pub common: CommonArgs,

    /// How to reach the peer and know it.
    #[command(flatten)]
    pub peer: PeerArgs,

    /// This party's values; repeat it for several runs over one connection
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub input: Vec<String>,

    /// Garble ahead of time into this file, which needs neither values nor a peer. It is secret
    /// (mode 0600) and good for one run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listen", "connect", "input", "from"])]
    pub to: Option<PathBuf>,

    /// Run with a garbling made by --to. The whole file is checked first, and marked used before
    /// its first table leaves
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
}

const GARBLE_HELP: &str = with_values_help!(
    "\
Examples:
  halfgate garble aes128 --identity alice --peer bob.pub --listen :7766 --input @key.bin
Ahead of time, without values or a peer, and later with both:
  halfgate garble aes128 --to aes.garbling
  halfgate garble aes128 --from aes.garbling --identity alice --peer bob.pub --listen :7766 \\
      --input @key.bin
"
);

/// `halfgate evaluate`.
#[derive(Args, Debug)]
#[command(after_help = EVALUATE_HELP)]
pub struct EvaluateArgs {
    /// What both ways to run have in common.
    #[command(flatten)]
    pub common: CommonArgs,

    /// How to reach the peer and know it.
    #[command(flatten)]
    pub peer: PeerArgs,

    /// This party's values; repeat it for several runs over one connection
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub input: Vec<String>,
}

const EVALUATE_HELP: &str = with_values_help!(
    "\
Examples:
  halfgate evaluate aes128 --identity bob --peer alice.pub --connect HOST:7766 --input @block.bin
  halfgate evaluate psi:64x32 --insecure-plaintext --connect 127.0.0.1:7766 --input @set.json
"
);

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

/// A number of threads: no engine has more than one, and says so rather than ignore the wish.
fn threads(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(1) => Ok(1),
        Ok(2..) => Err("no engine uses more than one thread a party yet: use 1".to_owned()),
        _ => Err("not a number of threads: use 1".to_owned()),
    }
}

/// A timeout: long enough for a round trip, short enough for the clock.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.1..=1e6).contains(&number) => Ok(number),
        _ => Err("wants a number of seconds from 0.1 to 1000000".to_owned()),
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
