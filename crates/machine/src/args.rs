//! The options of commands about machines, lowering and synthesis. Machines add their examples to
//! the help ([`Machine::examples`](crate::Machine::examples)).

use clap::{Args, ValueEnum};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_record::Results;
use halfgate_record::part::Wanted;
use halfgate_verilated::Aes;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Selects a machine, and changes its parameters.
#[derive(Args, Debug, Clone)]
pub struct MachineArgs {
    /// The machine: one that `halfgate machines` lists, or the path of a description (.toml)
    #[arg(long, value_name = "MACHINE")]
    pub machine: String,

    /// Number of gate engines, instead of the description's
    #[arg(long, value_name = "N")]
    pub engines: Option<u32>,

    /// Size of the label window, instead of the description's: 512KB, 1MB, or 65536labels
    #[arg(long, value_name = "SIZE")]
    pub window: Option<String>,

    /// The attached memory: ddr4 or hbm2, as specified in the description [default: ddr4]; or
    /// dram:NAME, a simulated DRAM, if this command was built with it
    #[arg(long, value_name = "MEMORY")]
    pub memory: Option<String>,

    /// Bytes that memory transfers per label: 16, as the paper counts, or a whole burst of 64
    /// [default: 16]
    #[arg(long, value_name = "BYTES")]
    pub wire_bytes: Option<u32>,
}

/// How a program is lowered to the machine.
#[derive(Args, Debug, Clone)]
pub struct LoweringArgs {
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// Cycles of a sequential circuit; all of them are simulated [default: the circuit's own count,
    /// which is 1 for a netlist]
    #[arg(long, value_name = "N", visible_alias = "steps")]
    pub cycles: Option<u64>,

    /// Packing of instructions: plain or compact
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<String>,

    /// Lower as the paper does: no COPY, no INV, inputs in the order of the ports. For the orders
    /// haac:baseline, haac:full and haac:segment
    #[arg(long, conflicts_with = "no_copies")]
    pub paper: bool,

    /// Insert no COPY instructions (which bring out-of-range wires back into the window) besides
    /// those that the order haac:best has as gates
    #[arg(long)]
    pub no_copies: bool,

    /// What to minimise: work (fewest ANDs) or latency (arithmetic of built-in programs in the form
    /// with the shortest path, with more ANDs)
    #[arg(long, value_enum, default_value = "work")]
    pub objective: Objective,
}

/// What a schedule minimises.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The number of ANDs.
    Work,
    /// The length of the longest path.
    Latency,
}

/// `halfgate compile`.
#[derive(Args, Debug)]
#[command(after_help = COMPILE_HELP)]
pub struct CompileArgs {
    /// How the program is lowered.
    #[command(flatten)]
    pub lowering: LoweringArgs,

    /// The machine.
    #[command(flatten)]
    pub machine: MachineArgs,

    /// The program file to write (.hgp); it appears under its name only when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

const COMPILE_HELP: &str = "\
--order gives the order of gates; the default is haac:best for the requested machine (engines,
window, memory). haac:best and haac:segment without parameters take this machine's parameters too.
The order's full name is printed and stored in the file: both parties must run that order.";
/// `halfgate simulate`.
#[derive(Args, Debug)]
#[command(after_help = SIMULATE_HELP)]
pub struct SimulateArgs {
    /// How the program is lowered.
    #[command(flatten)]
    pub lowering: LoweringArgs,

    /// The machine.
    #[command(flatten)]
    pub machine: MachineArgs,

    /// Which party's machine
    #[arg(long, value_enum, default_value = "both")]
    pub role: Roles,

    /// The model: fast, or exact, which moves the names of wires through every latch as the
    /// hardware moves labels (about a hundred times slower). Both give the same counts. Or rtl: the
    /// hardware itself with labels, simulated by Verilator. Its tables and outputs are compared
    /// with the CPU engine's, its cycles and counters with the model's, and a difference is an
    /// error
    #[arg(long, value_enum, default_value = "fast")]
    pub model: Model,

    /// Start with queues full and inputs in the window, as the paper's Table 5 evidently counts
    #[arg(long)]
    pub preloaded: bool,

    /// Also garble and evaluate, and compare tables and outputs with those of the CPU engine. A
    /// program file must name its source
    #[arg(long)]
    pub labels: bool,

    /// Also print the gates of the circuit's longest path, by its ANDs, and the depth of each
    /// output. Gates are counted from 0 in the circuit's own order
    #[arg(long)]
    pub path: bool,

    /// Write a trace of each engine's states to this file, for Perfetto (ui.perfetto.dev) or
    /// chrome://tracing. Works with one role only; large programs make large traces. With --model
    /// rtl and a name that ends in .fst, the file holds waveforms
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// AES of --model rtl: rtl (S-boxes as tables), composite (as they are synthesised), or dpi, a
    /// call out of the simulation, several times as fast
    #[arg(long, value_name = "AES", default_value = "rtl")]
    pub aes: Aes,

    /// Compilation for --model rtl: quick, with assertions, or fast, which takes longer to compile
    /// and simulates several times as many clock cycles per second
    #[arg(long, value_enum, value_name = "HOW", default_value = "quick")]
    pub build: Build,

    /// Who keeps the memory contract of --model rtl. Only with registers do cycles equal the
    /// model's; the others show the time that the hardware itself takes
    #[arg(long, value_enum, value_name = "WHO", default_value = "registers")]
    pub pace: Pace,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

/// Who keeps memory's latency and bandwidth in simulated hardware.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pace {
    /// Registers of the machine: it limits its requests and counts responses when they are due.
    #[default]
    Registers,
    /// The memory at the machine's ports; the machine adds its own time.
    Memory,
    /// Nobody: memory accepts every request, and responds in the next cycle.
    Nobody,
}

impl Pace {
    /// The value as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pace::Registers => "registers",
            Pace::Memory => "memory",
            Pace::Nobody => "nobody",
        }
    }
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
    /// The timing alone.
    Fast,
    /// Each pipeline stage.
    Exact,
    /// The SystemVerilog, simulated.
    Rtl,
}

/// How a simulated circuit is compiled.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// With assertions and a short compilation.
    Quick,
    /// For long simulations.
    Fast,
}

const SIMULATE_HELP: &str = "\
CIRCUIT may be a program file from `halfgate compile`. Then order, encoding and lowering are those
of the file, and the machine must have the shape that the file was compiled for.

The time is that of all netlist cycles (--cycles). On a machine of gate engines each netlist cycle
is a launch of the body, and all launches take the same clock cycles. All other figures are of one
launch.

Each clock cycle of each engine has one cause: `issue` is work, the others state what the engine
waited for. The bound is the largest of the minimum times of engines, longest path and memory.";

/// `halfgate disassemble`.
#[derive(Args, Debug)]
#[command(after_help = ASSEMBLY_HELP)]
pub struct DisassembleArgs {
    /// The program file (.hgp)
    pub input: PathBuf,

    /// Output file for the text [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `halfgate assemble`.
#[derive(Args, Debug)]
#[command(after_help = ASSEMBLY_HELP)]
pub struct AssembleArgs {
    /// The text file, as written by `halfgate disassemble` (.hga)
    pub input: PathBuf,

    /// The program file to write (.hgp); it appears under its name only when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Packing of instructions: plain or compact [default: that of the text]
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<String>,
}

const ASSEMBLY_HELP: &str = "\
The text begins with lines that start with ;! and hold the other chunks of the program file. Then it
has a line for each instruction. It may be edited by hand: the counts in the header are updated, but
there is no check that the result still computes the program.";

/// `halfgate reproduce`.
#[derive(Args, Debug, Clone)]
#[command(after_help = REPRODUCE_HELP)]
pub struct ReproduceArgs {
    /// The machine whose paper is reproduced
    pub paper: String,

    /// Run only these parts, of those listed below; may be repeated
    #[arg(long, value_name = "PART")]
    pub only: Vec<String>,

    /// A folder with netlists that the paper used, such as AES_128_11.scd; they run unchanged,
    /// beside our own functions
    #[arg(long, value_name = "FOLDER")]
    pub netlists: Option<PathBuf>,

    /// Run small sizes of the same programs, within seconds. This shows that everything works, but
    /// the figures are not the paper's
    #[arg(long)]
    pub quick: bool,

    /// Write the targets to this file, which the scoreboard reads. With --only, replace the targets
    /// of these parts, with date and commit, and keep the file's other targets. Figures that need a
    /// missing netlist or tool keep the value in the file, with a note
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Instead of printing figures, compare the figures of --only with their rows in this file, and
    /// print each difference [default: the parts with reproducible rows that take under two minutes
    /// each]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "json", "quick", "figures"])]
    pub check: Option<PathBuf>,

    /// Also draw the tables and figures into this folder, as SVG beside the results as JSON. Needs
    /// the Python package with matplotlib: `pip install './python[plot]'` in a checkout
    #[arg(long, value_name = "FOLDER")]
    pub figures: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

impl ReproduceArgs {
    /// Returns the requested parts of the paper.
    ///
    /// # Errors
    /// If `--only` names none of `parts`.
    pub fn wanted(&self, parts: &[&str]) -> Result<Wanted, Failure> {
        Wanted::of(&self.only, parts).map_err(Failure::with(Exit::Unknown))
    }
}

const REPRODUCE_HELP: &str = "\
Runs the paper's benchmarks on the model of its machine. Prints, for each figure of the paper, the
published value, the value here, and the ratio. Processor times are measured on this computer.";

/// Options of the commands that synthesise.
#[derive(Args, Clone, Debug)]
pub struct SynthesisArgs {
    /// A folder with SystemVerilog sources; may be repeated [default: `rtl`, and each machine's
    /// `rtl`, in the current checkout]
    #[arg(long, value_name = "FOLDER")]
    pub rtl: Vec<PathBuf>,

    /// Folder for scripts, logs and netlists; results in it are used again
    #[arg(long, default_value = "target/synth", value_name = "FOLDER")]
    pub work: PathBuf,

    /// Time limit for one run of a tool, in minutes
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=10_000), value_name = "N")]
    pub minutes: u64,

    /// How many designs to work on at a time [default: as many as there are cores, each with 8 GiB
    /// of memory]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Write the figures to this file for the scoreboard; other figures in it stay, with their
    /// date, but for a run of every step of `halfgate synth`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

impl SynthesisArgs {
    /// The folders with sources.
    ///
    /// # Errors
    /// If none is given, and this is no checkout.
    pub fn folders(&self) -> Result<Vec<PathBuf>, String> {
        match self.rtl.is_empty() {
            true => halfgate_synthesis::folders(Path::new(".")),
            false => Ok(self.rtl.clone()),
        }
    }

    /// The time limit for one run of a tool.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(60 * self.minutes)
    }

    /// How many designs to work on at a time.
    pub fn jobs(&self) -> NonZeroUsize {
        self.jobs.unwrap_or_else(halfgate_synthesis::jobs::default_jobs)
    }

    /// The figures that are in the file to write.
    ///
    /// # Errors
    /// If it is no file of results.
    pub fn older(&self) -> Result<Option<Results>, String> {
        match &self.out {
            Some(out) if out.exists() => Results::read(out).map(Some),
            _ => Ok(None),
        }
    }
}
