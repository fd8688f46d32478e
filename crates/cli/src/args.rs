//! The command line.

use crate::error::EXIT_CODES;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Two parties compute a function on their private inputs, and neither sees the other's.
#[derive(Parser, Debug)]
#[command(name = "halfgate", version, max_term_width = 100, after_long_help = AFTER_HELP)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = const_format();

/// Examples and exit codes.
const fn const_format() -> &'static str {
    "\
Try it, both parties in one process:
  halfgate run millionaires:32 --garbler 1000000 --evaluator 999999

Two parties:
  halfgate keygen alice                          (prints a fingerprint to give to the other)
  halfgate garble   millionaires:32 --identity alice --peer bob.pub   --listen 0.0.0.0:7766  --input @mine
  halfgate evaluate millionaires:32 --identity bob   --peer alice.pub --connect alice.example:7766 --input @mine

`halfgate help COMMAND` says more, `halfgate help run` about the ways to write values.
`halfgate help exit-codes` lists the exit codes."
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
    /// Say what a circuit holds and costs, and estimate its time, without running it
    Inspect(InspectArgs),
    /// Convert a circuit file between the Bristol formats
    Convert(ConvertArgs),
    /// Check conformance vectors against the reference and every kernel
    Vectors(VectorsArgs),
    /// Make an identity: a private key file and its public half
    Keygen(KeygenArgs),
    /// List the built-in programs
    Programs(ListArgs),
    /// List the engines and kernels, and which of them work on this machine
    Engines(ListArgs),
    /// List the exit codes
    ExitCodes,
}

/// How values are written; part of several help texts.
pub const VALUES_HELP: &str = "\
Values of one party are separated by commas, one for each of its inputs, in order:
  123, -5         an integer (negative: two's complement); it must fit the input's width
  0x1f, 0b0110    an integer; the rightmost digit holds wire 0
  bytes:00ff      hexadecimal in byte order (byte k, bit j is wire 8k+j): AES, SHA
  @FILE           raw bytes, in the same order; @key.bin
  @FILE.json      {\"name\": value, …} by input name; a value is a number, a string as above,
                  or an array: one element a cycle, or the elements of a wide input
  -               raw bytes from standard input
  (empty)         a party without inputs
`halfgate inspect CIRCUIT` lists the inputs.";

/// Which circuit.
#[derive(Args, Debug, Clone)]
pub struct CircuitArgs {
    /// A Bristol or Bristol Fashion file, or a built-in program such as millionaires:32 (see
    /// `halfgate programs`). Write ./NAME for a file that is named like a program
    pub circuit: String,

    /// Whose each input is, where the format does not say: g,e,… in order [default: the first is
    /// the garbler's, the rest the evaluator's]
    #[arg(long, value_name = "g,e,…")]
    pub parties: Option<String>,

    /// The order of gates: given, grouped or grouped:WINDOW. Both parties must name the same
    #[arg(long, default_value = "grouped", value_name = "ORDER")]
    pub order: String,
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
    /// per-cycle input, else the circuit's own]
    #[arg(long, value_name = "N")]
    pub cycles: Option<u64>,

    /// Who learns an output: garbler, evaluator, both or none, for all outputs, or NAME=WHO for
    /// one; may be repeated [default: both]
    #[arg(long, value_name = "[NAME=]WHO")]
    pub learn: Vec<String>,

    /// The engine: `halfgate engines` lists them
    #[arg(long, default_value = "cpu", value_name = "ENGINE")]
    pub engine: String,

    /// Force a kernel of the cpu engine [default: the fastest that works here]
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<String>,

    /// Security of the oblivious transfers. `malicious` protects these alone: the protocol as a
    /// whole remains secure against semi-honest parties only
    #[arg(long, value_enum, default_value = "semi-honest")]
    pub ot: Ot,

    /// Give up when the peer has been silent for this many seconds
    #[arg(long, default_value_t = 30.0, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: f64,

    /// Print one JSON object and nothing else on standard output
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
    #[arg(long, default_value = "", hide_default_value = true, value_name = "VALUES", allow_hyphen_values = true)]
    pub garbler: String,

    /// The evaluator's values
    #[arg(long, default_value = "", hide_default_value = true, value_name = "VALUES", allow_hyphen_values = true)]
    pub evaluator: String,

    /// The garbler's engine, if another than --engine
    #[arg(long, value_name = "ENGINE")]
    pub garbler_engine: Option<String>,

    /// The evaluator's engine, if another than --engine
    #[arg(long, value_name = "ENGINE")]
    pub evaluator_engine: Option<String>,
}

const RUN_HELP: &str = const_str_concat!(
    "Examples:\n",
    "  halfgate run millionaires:32 --garbler 1000000 --evaluator 999999\n",
    "  halfgate run aes128 --garbler bytes:000102030405060708090a0b0c0d0e0f --evaluator @block\n",
    "  halfgate run adder.txt --parties g,e --garbler 5 --evaluator 0xff --json\n\n",
);

/// How to reach the peer and know it.
#[derive(Args, Debug, Clone)]
pub struct PeerArgs {
    /// Wait for the peer on this address, such as 0.0.0.0:7766
    #[arg(long, value_name = "ADDRESS", conflicts_with = "connect")]
    pub listen: Option<String>,

    /// Dial the peer at this address, such as alice.example:7766
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

    /// Run with a garbling made by --to. The file is marked used before its first table leaves
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
}

/// `halfgate evaluate`.
#[derive(Args, Debug)]
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
