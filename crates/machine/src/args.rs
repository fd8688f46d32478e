//! The options of the commands for machines: which machine, which way to lower. Machines add their
//! examples to the help ([`Machine::examples`](crate::Machine::examples)).

use clap::{Args, ValueEnum};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_record::part::Wanted;
use halfgate_verilated::Aes;
use std::path::PathBuf;

/// Which machine, and what of it is to be different.
#[derive(Args, Debug, Clone)]
pub struct MachineArgs {
    /// The machine: one that `halfgate machines` lists, or the path of a description (.toml)
    #[arg(long, value_name = "MACHINE")]
    pub machine: String,

    /// Gate engines, in place of the description's
    #[arg(long, value_name = "N")]
    pub engines: Option<u32>,

    /// Size of the window of labels, in place of the description's: 512KB, 1MB, or 65536labels
    #[arg(long, value_name = "SIZE")]
    pub window: Option<String>,

    /// The memory that is attached: ddr4 or hbm2, as the description has them [default: ddr4]
    #[arg(long, value_name = "MEMORY")]
    pub memory: Option<String>,

    /// Bytes that memory moves for one label: 16, as the paper counts, or a whole burst of 64
    /// [default: 16]
    #[arg(long, value_name = "BYTES")]
    pub wire_bytes: Option<u32>,
}

/// How a program becomes code for the machine.
#[derive(Args, Debug, Clone)]
pub struct LoweringArgs {
    /// Which circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// How often a sequential circuit's body runs: all of them are simulated [default: the
    /// circuit's own, which is 1 for a netlist]
    #[arg(long, value_name = "N", visible_alias = "steps")]
    pub cycles: Option<u64>,

    /// How instructions are packed: plain or compact
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<String>,

    /// Lower as the paper does: no COPY, no INV, inputs where the ports have them. For the orders
    /// haac:baseline, haac:full and haac:segment
    #[arg(long, conflicts_with = "no_copies")]
    pub paper: bool,

    /// Bring no out-of-range wire back into the window (COPY instructions) beyond those that the
    /// order haac:best has as gates
    #[arg(long)]
    pub no_copies: bool,

    /// What to make small: work (fewest ANDs) or latency (built-in programs of arithmetic in the
    /// form with the shortest path, at more ANDs)
    #[arg(long, value_enum, default_value = "work")]
    pub objective: Objective,
}

/// What a schedule is to make small.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// ANDs.
    Work,
    /// The longest path.
    Latency,
}

/// `halfgate compile`.
#[derive(Args, Debug)]
#[command(after_help = COMPILE_HELP)]
pub struct CompileArgs {
    /// How a program becomes code for the machine.
    #[command(flatten)]
    pub lowering: LoweringArgs,

    /// Which machine.
    #[command(flatten)]
    pub machine: MachineArgs,

    /// The program file to write (.hgp); it has its name when all of it is on the disk
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

const COMPILE_HELP: &str = "\
The order of gates is that of --order; without it, haac:best for the machine that is asked for
(engines, window, memory). haac:best and haac:segment without parameters mean this machine's, too.
The order's full name is printed and stands in the file: it is what both parties must run.";
/// `halfgate simulate`.
#[derive(Args, Debug)]
#[command(after_help = SIMULATE_HELP)]
pub struct SimulateArgs {
    /// How a program becomes code for the machine.
    #[command(flatten)]
    pub lowering: LoweringArgs,

    /// Which machine.
    #[command(flatten)]
    pub machine: MachineArgs,

    /// Which party's machine
    #[arg(long, value_enum, default_value = "both")]
    pub role: Roles,

    /// Which model: fast, or exact, which moves the names of wires through every latch as the
    /// hardware moves labels (about a hundred times slower). Both count the same. Or rtl: the
    /// hardware itself, simulated by Verilator, with labels; its tables and outputs are compared
    /// with the CPU engine's, its cycles and counters with the model's, and a difference is an error
    #[arg(long, value_enum, default_value = "fast")]
    pub model: Model,

    /// Start with queues full and inputs in the window, as the paper's Table 5 evidently counts
    #[arg(long)]
    pub preloaded: bool,

    /// Garble and evaluate along with the model, and compare tables and outputs with those of the
    /// CPU engine. A program file must name what it was compiled from
    #[arg(long)]
    pub labels: bool,

    /// Say, too, which gates make up the longest path of the circuit, by its ANDs, and how deep
    /// each output is. Gates are counted from 0 as the circuit has them, before they are ordered
    #[arg(long)]
    pub path: bool,

    /// Write a trace of each engine's states to this file, for Perfetto (ui.perfetto.dev) or
    /// chrome://tracing. One role only; large programs make large traces. With --model rtl and a
    /// name that ends in .fst: waveforms
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// For --model rtl, what computes AES: rtl (S-boxes as tables), composite (as they are
    /// synthesised), or dpi, a call out of the simulation, several times as fast
    #[arg(long, value_name = "AES", default_value = "rtl")]
    pub aes: Aes,

    /// For --model rtl, how the circuit is compiled: quick, with assertions, or fast, which takes
    /// longer to compile and simulates several times as many cycles a second
    #[arg(long, value_enum, value_name = "HOW", default_value = "quick")]
    pub build: Build,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// Roles to simulate.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roles {
    /// The garbler's machine.
    Garbler,
    /// The evaluator's machine.
    Evaluator,
    /// Both, one after the other.
    Both,
}

/// Models of a machine.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Times alone.
    Fast,
    /// Stage by stage.
    Exact,
    /// The SystemVerilog.
    Rtl,
}

/// How a simulated circuit is compiled.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// With assertions, and compiled in less time.
    Quick,
    /// For long simulations.
    Fast,
}

const SIMULATE_HELP: &str = "\
CIRCUIT may be a program file that `halfgate compile` wrote: then order, encoding and lowering are
the file's, and the machine must have the shape that it was compiled for.

The time is that of all netlist cycles (--cycles). On a machine of gate engines each of them is a
launch of the body, all launches take the same clock cycles, and all else that is printed is of one.

Each cycle of each engine has one cause: `issue` is work, the others say what it waited for.
The bound is the greatest of what engines, longest path and memory need at least.";

/// `halfgate disassemble`.
#[derive(Args, Debug)]
#[command(after_help = ASSEMBLY_HELP)]
pub struct DisassembleArgs {
    /// The program file (.hgp)
    pub input: PathBuf,

    /// Where to write the text [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `halfgate assemble`.
#[derive(Args, Debug)]
#[command(after_help = ASSEMBLY_HELP)]
pub struct AssembleArgs {
    /// The text that `halfgate disassemble` writes (.hga)
    pub input: PathBuf,

    /// The program file to write (.hgp); it has its name when all of it is on the disk
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// How instructions are packed: plain or compact [default: as the text says]
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<String>,
}

const ASSEMBLY_HELP: &str = "\
The text has what is not an instruction in front, on lines that begin with ;! and are the chunks of
the program file; then a line for each instruction. It may be changed by hand: what the header counts
is counted anew, but whether the result still computes the program is not looked at.";

/// `halfgate reproduce`.
#[derive(Args, Debug, Clone)]
#[command(after_help = REPRODUCE_HELP)]
pub struct ReproduceArgs {
    /// The machine whose paper is reproduced
    pub paper: String,

    /// Only these parts, of those listed below; may be repeated
    #[arg(long, value_name = "PART")]
    pub only: Vec<String>,

    /// A folder with netlists that the paper used, such as AES_128_11.scd, to run as given beside our
    /// own functions
    #[arg(long, value_name = "FOLDER")]
    pub netlists: Option<PathBuf>,

    /// Small sizes of the same programs, in seconds: shows that all of it works, and no figure of
    /// it is the paper's
    #[arg(long)]
    pub quick: bool,

    /// Write the targets to this file, as the scoreboard reads them. What needs a netlist or a tool
    /// that is not here keeps the figure that the file has, and says so
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Instead of printing figures, compare those of --only with the rows that this file has of
    /// them, and print each difference [default: parts that come out the same again, and whose rows
    /// take under two minutes each]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "json", "quick"])]
    pub check: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

impl ReproduceArgs {
    /// Which of a paper's parts are asked for.
    ///
    /// # Errors
    /// If `--only` names none of `parts`, or `--out` is given and the part `targets` left out.
    pub fn wanted(&self, parts: &[&str]) -> Result<Wanted, Failure> {
        let wanted = Wanted::of(&self.only, parts).map_err(Failure::with(Exit::Unknown))?;
        if self.out.is_some() && !wanted.has("targets") {
            let what = "--out writes the targets: leave --only or its part targets in";
            return Err(Failure::new(Exit::Usage, what));
        }
        Ok(wanted)
    }
}

const REPRODUCE_HELP: &str = "\
Runs the paper's benchmarks on the model of its machine and prints, for each of its figures, what was
published, what comes out here, and the ratio. Times of processors are measured on this one.";
