//! The arguments of `halfgate run`, `garble` and `evaluate`.

use crate::preprocessing_args::PreprocessingArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_protocol::session::{Deadlines, OtField, SecurityLevel};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Appends the notation of values to a command's examples.
macro_rules! with_values_help {
    ($examples:literal) => {
        concat!(
            $examples,
            "

Values of one party are separated by commas, one for each of its inputs, in order:
  123, -5         a number in the range of the input's type (two's complement if the circuit
                  declares no type)
  1.5, -2e-3, inf a number for an input of floats or of fixed point, rounded to nearest
  f32:1.5, f64:2  the bits of a binary32 or binary64 number for any input of 32 or 64 bits
  0x1f, 0b0110    bits; the rightmost digit holds wire 0
  bytes:00ff      hexadecimal in byte order (byte k, bit j is wire 8k+j): AES, SHA
  text:kitten     characters, zeros after them for the rest of an input of text;
                  text:\"a, b\" with a comma or a quote in it
  [1,2,3]         a list of these: the elements of an input, or one value per cycle
  u8:[1,2,3]      the same with the elements' type, if the circuit declares none: u1 to u128, i1
                  to i128 (signed), f32, f64
  @FILE           the content of a text file: one of the above, or one per line, or JSON
  @FILE.json      {\"name\": value, …} by input name; a value is a number, a string as above,
                  or an array: one element per cycle, or the elements of a wide input
  @FILE.csv:NAME  the column NAME of a table whose first line names its columns
  u8:@FILE        the same with the type of the list's elements
  bytes:@FILE     raw bytes, in the same order; also @FILE.bin
  text:@FILE      the characters of a file
  -, bytes:-      the same from standard input: text, or raw bytes
  (empty)         a party without inputs
`halfgate inspect CIRCUIT` lists the inputs."
        )
    };
}

/// The garbling suite.
#[derive(Args, Debug, Clone)]
pub struct SuiteArgs {
    /// The garbling suite: half-gates, half-gates-fixed-key, grr3, or grr3-sha1 (with
    /// --insecure-suite)
    #[arg(long = "suite", default_value = "half-gates", value_name = "SUITE")]
    pub name: String,

    /// Allow a suite below today's level, to compare with published results: grr3-sha1 has labels
    /// of 80 bits
    #[arg(long)]
    pub insecure_suite: bool,
}

/// Options of runs in one process and runs with a peer.
#[derive(Args, Debug, Clone)]
pub struct CommonArgs {
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// The suite.
    #[command(flatten)]
    pub suite: SuiteArgs,

    /// Cycles of a sequential circuit [default: the number of values given for a per-cycle input of
    /// this party, else the circuit's own, which is 1 for a netlist]
    #[arg(long, value_name = "N", visible_alias = "steps")]
    pub cycles: Option<u64>,

    /// Who learns an output: garbler, evaluator, both or none, for all outputs, or NAME=WHO for
    /// one; may be repeated. Both parties must set the same [default: both; for a program that is
    /// the garbler's secret, the evaluator alone]
    #[arg(long, value_name = "[NAME=]WHO")]
    pub learn: Vec<String>,

    /// Print the outputs of each cycle as soon as they are decoded, one line per cycle (an object
    /// with --json), and not again at the end. The same for outputs that a map of the program gives
    /// lane after lane. They are not a valid result until the command has ended successfully
    #[arg(long)]
    pub stream_outputs: bool,

    /// The engine: cpu, a simulated machine (model:MACHINE,KEY=VALUE…), or its circuit
    /// (rtl:MACHINE,KEY=VALUE…); `halfgate engines` lists them
    #[arg(long, default_value = "cpu", value_name = "ENGINE")]
    pub engine: String,

    /// Write the waveforms of an rtl: engine to this file (FST, for GTKWave or Surfer). They
    /// contain every label and the garbler's delta, so a run with a peer also requires
    /// --trace-secrets
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Declare that no value of this session is secret, so that --trace may write its labels and
    /// delta to a file
    #[arg(long, requires = "trace")]
    pub trace_secrets: bool,

    /// Use this kernel for the cpu engine and for the labels of simulated machines [default: the
    /// fastest that works here]
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<String>,

    /// Threads with which the cpu engine runs maps of programs with functions [default: one for
    /// each core; half of them if both parties run on this computer]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// Security of the session; both parties must set the same. `semi-honest` assumes that the peer
    /// follows the protocol. `malicious` withstands a peer that deviates by authenticated garbling,
    /// which sends several times as much. It needs the suite half-gates and the engine cpu
    #[arg(long, value_name = "LEVEL", default_value = "semi-honest", value_parser = levels())]
    pub security: SecurityLevel,

    /// Security of the oblivious transfers; both parties must set the same. `malicious` protects
    /// only the transfers: without --security malicious, the protocol as a whole remains secure
    /// against semi-honest parties only
    #[arg(long, value_enum, default_value = "malicious")]
    pub ot: Ot,

    /// Bits of an element of the field of the transfers: 1, 2, 4 or 8. A larger field sends less
    /// and computes more; the parties use the larger of the two [default: by the round trip
    /// of the connection, 2 within a computer]
    #[arg(long, value_name = "K", value_parser = ot_field)]
    pub ot_field: Option<OtField>,

    /// Give up when the peer has sent nothing for this many seconds, or its first message takes
    /// longer
    #[arg(long, default_value_t = 30.0, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: f64,

    /// Print one JSON object and nothing else on standard output; for several runs, {"runs": […]}.
    /// If the peer did not confirm the end of a run, the run's result has "unconfirmed" with the
    /// reason
    #[arg(long)]
    pub json: bool,
}

/// Security of the oblivious transfers.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ot {
    /// Both parties follow the protocol: saves 2 to 4 kB for each 8,192 input bits.
    SemiHonest,
    /// The transfers withstand a party that deviates.
    Malicious,
}

/// The values of both parties, for a run in one process.
#[derive(Args, Debug, Clone)]
pub struct BothValues {
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
}

/// `halfgate run`.
#[derive(Args, Debug)]
#[command(after_help = RUN_HELP)]
pub struct RunArgs {
    /// Options of runs in one process and runs with a peer.
    #[command(flatten)]
    pub common: CommonArgs,

    /// The values of the parties.
    #[command(flatten)]
    pub values: BothValues,

    /// The garbler's engine, if it differs from --engine
    #[arg(long, value_name = "ENGINE")]
    pub garbler_engine: Option<String>,

    /// The evaluator's engine, if it differs from --engine
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

/// How to reach and identify the peer.
#[derive(Args, Debug, Clone)]
pub struct PeerArgs {
    /// Wait for the peer on this address: HOST:PORT, or :PORT for all addresses of this computer.
    /// Unknown peers are refused and do not end the wait
    #[arg(long, value_name = "ADDRESS", conflicts_with = "connect")]
    pub listen: Option<String>,

    /// Connect to the peer at this address: HOST:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub connect: Option<String>,

    /// Wait this many seconds for the peer to connect, or to accept a connection [default: that of
    /// --timeout]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub wait: Option<f64>,

    /// Give up when the handshake, or the set-up of oblivious transfers, takes longer than this
    /// many seconds, even if the peer sends heartbeats
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", value_parser = seconds)]
    pub setup_deadline: f64,

    /// Give up when a run takes longer than this many seconds, even if the peer sends heartbeats
    /// [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub run_deadline: Option<f64>,

    /// This party's private key file, made by `halfgate keygen` [default: that of the configuration
    /// file]
    #[arg(long, value_name = "FILE")]
    pub identity: Option<PathBuf>,

    /// The peer: a name in the configuration file, whose address is used if neither --listen nor
    /// --connect is given; or its .pub file (write ./NAME for a file that is named like a peer), or
    /// its fingerprint
    #[arg(long, value_name = "NAME|FILE|FINGERPRINT", conflicts_with = "trust_any_peer")]
    pub peer: Option<String>,

    /// The peer's name for the program, if the peer is a server with several (`halfgate serve`)
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub program_name: String,

    /// The configuration file with peers and keys [default: HALFGATE_CONFIG, else
    /// halfgate/config.toml in $XDG_CONFIG_HOME or ~/.config]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Accept any peer, with a warning, and print its fingerprint. It may be an attacker on the
    /// network
    #[arg(long)]
    pub trust_any_peer: bool,

    /// No TLS, with a warning: anyone on the network path can read outputs and tamper; frames carry
    /// a CRC-32C, which detects accidents only. For loopback and links that are protected otherwise
    #[arg(long, conflicts_with_all = ["identity", "peer", "trust_any_peer", "config"])]
    pub insecure_plaintext: bool,
}

impl PeerArgs {
    /// Time limits of the steps of a session.
    pub fn deadlines(&self) -> Deadlines {
        Deadlines {
            setup: Duration::from_secs_f64(self.setup_deadline),
            run: self.run_deadline.map(Duration::from_secs_f64),
        }
    }
}

/// The values of one party, for a run with a peer.
#[derive(Args, Debug, Clone)]
pub struct OwnValues {
    /// This party's values; repeat it for several runs over one connection
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub input: Vec<String>,

    /// Runs over one connection, all with the values of --input, or without any if this party has
    /// none; both parties must have the same number. The program is prepared once [default: one run
    /// for each --input]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RUNS))]
    pub runs: Option<u32>,
}

/// The most runs of --runs: each has its own copy of the values.
const MOST_RUNS: i64 = 1 << 20;

/// `halfgate garble`.
#[derive(Args, Debug)]
#[command(after_help = GARBLE_HELP)]
pub struct GarbleArgs {
    /// Options of runs in one process and runs with a peer.
    #[command(flatten)]
    pub common: CommonArgs,

    /// How to reach and identify the peer.
    #[command(flatten)]
    pub peer: PeerArgs,

    /// This party's values.
    #[command(flatten)]
    pub values: OwnValues,

    /// Preprocessing of malicious sessions.
    #[command(flatten)]
    pub preprocessing: PreprocessingArgs,

    /// Garble ahead of time into this file, which needs neither values nor a peer. It is secret
    /// (mode 0600) and good for one run
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["listen", "connect", "input", "runs", "from", "preprocess_to",
            "preprocessed", "preprocess_key", "preprocess_passphrase_file"])]
    pub to: Option<PathBuf>,

    /// Run with a garbling made by --to. The whole file is checked first, and marked used before
    /// the first table is sent
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["preprocess_to", "preprocessed", "preprocess_key",
            "preprocess_passphrase_file"])]
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
The same for a malicious session, where both parties work ahead together:
  halfgate garble aes128 --security malicious --preprocess-to aes.half --identity alice \\
      --peer bob.pub --listen :7766
  halfgate garble aes128 --security malicious --preprocessed aes.half --identity alice \\
      --peer bob.pub --listen :7766 --input @key.bin
"
);

/// `halfgate evaluate`.
#[derive(Args, Debug)]
#[command(after_help = EVALUATE_HELP)]
pub struct EvaluateArgs {
    /// Options of runs in one process and runs with a peer.
    #[command(flatten)]
    pub common: CommonArgs,

    /// How to reach and identify the peer.
    #[command(flatten)]
    pub peer: PeerArgs,

    /// This party's values.
    #[command(flatten)]
    pub values: OwnValues,

    /// Preprocessing of malicious sessions.
    #[command(flatten)]
    pub preprocessing: PreprocessingArgs,

    /// Run a program for the garbled processor that is the garbler's secret (--privacy private or
    /// semi-private). It may compute anything from this party's inputs, whatever the names of its
    /// outputs, and show it to every party that learns outputs: by default only this party
    #[arg(long)]
    pub accept_secret_program: bool,

    /// Compile the program in any order of gates that the garbler names. Without it, only orders
    /// with bounded time and memory are accepted: given, haac:baseline, and grouped and
    /// haac:segment of up to 1,048,576 gates. An --order of this party's own is always accepted
    #[arg(long, conflicts_with_all = ["order", "as_given"])]
    pub any_order: bool,
}

const EVALUATE_HELP: &str = with_values_help!(
    "\
Examples:
  halfgate evaluate aes128 --identity bob --peer alice.pub --connect HOST:7766 --input @block.bin
  halfgate evaluate psi:64x32 --insecure-plaintext --connect 127.0.0.1:7766 --input @set.json
  halfgate evaluate psi:64x32 --identity bob --peer alice.pub --connect HOST:7766 \\
      --input @members.csv:id
"
);

/// The most threads of a party.
const MAX_THREADS: usize = 1024;

pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse::<NonZeroUsize>().ok().filter(|number| number.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("not a number of threads: use 1 to {MAX_THREADS}"))
}

/// Parses a security level.
pub(crate) fn levels() -> impl TypedValueParser<Value = SecurityLevel> {
    let names = SecurityLevel::ALL.map(SecurityLevel::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<SecurityLevel>())
}

/// Parses a field of the oblivious transfers.
pub(crate) fn ot_field(text: &str) -> Result<OtField, String> {
    let field = text.parse().ok().and_then(OtField::from_bits);
    field.ok_or_else(|| "not a field of oblivious transfers: use 1, 2, 4 or 8".to_owned())
}

/// Parses a timeout, within a range that covers a round trip and that the system's clock can hold.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.1..=1e6).contains(&number) => Ok(number),
        _ => Err("not a number of seconds from 0.1 to 1000000".to_owned()),
    }
}
