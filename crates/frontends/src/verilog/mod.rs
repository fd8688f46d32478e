//! Reads Verilog: a design with one clock becomes a circuit with flip-flops.
//!
//! Yosys reads the design, infers registers and memories, and simplifies. The remaining words and
//! operators (adders, comparators, multiplexers, …) are lowered to gates here, with the gadgets of
//! [`halfgate_circuit::int`] and [`halfgate_circuit::array`]: an addition or comparison of `n` bits
//! takes `n` ANDs, a multiplexer one AND per bit, an XOR none. ABC optimises the logic between the
//! operators, with [numbers of ANDs](COSTS) in place of areas. The reader takes the circuit with or
//! without ABC, whichever has fewer ANDs.
//!
//! **Files** are Verilog, and the part of SystemVerilog that Yosys supports. If this Yosys has the
//! front end slang, slang reads `.sv` files. Gate-level netlists work too: of Verilog's own gates,
//! of cells of Yosys, and of [TinyGarble's library](GATES).
//!
//! **Ports** follow TinyGarble:
//!
//! | port                 | meaning                                                          |
//! |----------------------|------------------------------------------------------------------|
//! | `clk`                | the clock; any port that clocks the registers is recognised,     |
//! |                      | whatever its name                                                |
//! | `rst`                | 1 before the first cycle, 0 from then on; other names are listed |
//! |                      | below                                                            |
//! | `g_init`, `e_init`   | the garbler's and the evaluator's per-run value, from which      |
//! |                      | registers start                                                  |
//! | `g_input`, `e_input` | the garbler's and the evaluator's per-cycle value                |
//! | any other input      | an input of the party in its attribute, which is written below   |
//! | any output           | a per-cycle output                                               |
//!
//! A reset may also be named `reset`, `arst` or `areset`. If it is active at 0, it is named
//! `rst_n`, `rstn`, `reset_n`, `resetn`, `aresetn` and the like. The suffix `_i` and upper or lower
//! case are allowed. The attribute of an input is written
//! `(* party = "evaluator" *) input [7:0] x`.
//!
//! In a design without registers all ports are per-run ports. In a design with registers, ports are
//! per-cycle ports, except those with the attribute `(* per_run *)`: such an input keeps its value,
//! and such an output is revealed only in the last cycle. The attribute `(* cycles = 32 *)` of the
//! top module is the default number of cycles.
//!
//! **Registers** start from the value that the reset gives them, which is a constant or bits of a
//! per-run input. The reset may be synchronous or asynchronous. A register without a reset starts
//! from its initial value (`reg x = 1;`), and one with neither starts from 0. A bit that the design
//! leaves undefined (`x`) has an arbitrary value.
//!
//! **Functions.** In a design without registers, latches and memories that are written, a module
//! that is instantiated several times becomes a [function](halfgate_circuit::structured) of the
//! circuit. `hierarchy` has the exact rule: the module takes at least 32 ANDs, it has only inputs
//! and outputs, and at least two instances are left when all other modules are written out. The
//! attribute `(* flatten *)` writes out a module or an instance, and at the top module all of them.
//!
//! - An instance becomes a call. Instances whose names differ only in indices of `generate` loops
//!   and instance arrays become a map, in the order of the indices. If some of them depend on each
//!   other, those with the same number of them before them become a map (`lanes`).
//! - A function is made for the outputs that are read, the constants at the inputs, and the inputs
//!   that are equal (`calls`). Instances that differ in these call functions of their own.
//! - A design in which an instance depends on its own outputs has no functions.
//!
//! ABC optimises each function by itself. The rules depend on the design and on Yosys only, so both
//! parties get the same circuit, as without functions.
//!
//! **Designs that are not circuits** lead to errors with file and line: latches, several clocks or
//! both edges, a gated clock, other asynchronous resets, tri-states and `inout`, wires without a
//! driver, loops.
//!
//! Both parties need the same circuit, because they compare its hash. But different versions of
//! Yosys may produce different circuits. `halfgate convert` writes a circuit to a file that both
//! parties can run.
//!
//! Memory: Yosys holds the whole netlist, and so does this reader, unlike the readers of other
//! formats. The resulting gates are streamed like those of any circuit.
//!
//! Modules: `sources` reads a design's files; `kept` caches circuits; `yosys` runs Yosys with the
//! commands of `script`; `owners` rejects inputs without an owner before the slow steps; `netlist`
//! parses the output of Yosys; `ports` and `registers` map ports and registers of a design to those
//! of a circuit; `carry` joins sums; `lower` makes gates, from the outputs back to the inputs;
//! `cells` has the operators. `steps` has the order of Yosys' commands. For designs with functions,
//! `hierarchy` chooses the modules; `functions` reads their netlists; `bypass` connects readers of
//! outputs that are inputs; `live` finds what is read; `lanes` finds maps; `calls` makes functions.

mod bypass;
mod calls;
mod carry;
mod cells;
mod error;
mod functions;
mod hierarchy;
mod json;
mod kept;
mod lanes;
mod live;
mod lower;
mod netlist;
mod owners;
mod ports;
mod registers;
mod script;
mod sources;
mod steps;
mod yosys;

pub use error::Error;

use crate::scd::Outputs;
use halfgate_cache::Store;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Circuit, Party};
use kept::Kept;
use netlist::Netlist;
use sources::Sources;
use std::fmt;
use std::path::{Path, PathBuf};
use yosys::Tool;

/// The cells that ABC may use, in Liberty format. The area of a cell is its number of ANDs.
pub const COSTS: &str = include_str!("costs.lib");

/// Definitions of the gates of TinyGarble's library, for netlists that use these gates without
/// defining them.
pub const GATES: &str = include_str!("gates.v");

/// Options for reading a design. The default is the top module that Yosys finds, with its default
/// parameters.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The top module. If `None`, the module that no other module instantiates.
    pub top: Option<String>,
    /// Names and values of the top module's parameters. Values are numbers, or Verilog constants
    /// such as `8'hff`.
    pub parameters: Vec<(String, String)>,
    /// Additional files, with modules that the first file does not define. A folder stands for its
    /// `.v` and `.sv` files, sorted by name.
    pub files: Vec<PathBuf>,
    /// Owners of the inputs whose owner the design does not state, in order.
    pub parties: Option<Vec<Party>>,
    /// The cycles whose outputs are revealed. Overrides the design.
    pub outputs: Option<Outputs>,
    /// Keep the logic between operators as written, without ABC and without functions. This option
    /// is for large designs that are written to have few ANDs.
    pub as_written: bool,
}

/// The cache and the progress callback that are used for reading a design.
pub struct Reading<'a> {
    /// The cache of circuits of designs that were read before. If `None`, nothing is cached.
    pub store: Option<&'a Store>,
    /// A callback that is called at the start of each stage.
    pub progress: &'a mut dyn FnMut(Stage),
}

/// The slow stages of reading a design.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Yosys parses the files and chooses the top module.
    Parsing,
    /// Yosys infers registers and operators.
    Elaborating,
    /// ABC searches for a circuit with fewer ANDs.
    Optimising,
    /// The netlist is lowered to gates.
    Lowering,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Parsing => "Yosys parses it",
            Stage::Elaborating => "Yosys makes registers and operators of it",
            Stage::Optimising => "ABC looks for a form with fewer ANDs",
            Stage::Lowering => "the netlist becomes gates",
        })
    }
}

/// Name and size limit in bytes of the folder of cached circuits, within the folder of all caches.
const STORE: (&str, u64) = ("designs", 256 << 20);

/// Returns the cache that all commands share, or `None` if no folder can be found for it.
pub fn store() -> Option<Store> {
    Some(Store::new(halfgate_cache::folder()?.join(STORE.0), STORE.1))
}

/// A design with at least this number of ANDs counts as large. For such designs, ABC does less
/// ([`script`]).
const LARGE: u64 = 10_000;

/// Reads the design in the file at `path`, without a cache. Functions are flattened.
///
/// # Errors
/// If Yosys is not installed or rejects the file, or if the design is not a circuit.
pub fn read(path: &Path, options: &Options) -> Result<Circuit, Error> {
    read_with(path, options, &mut Reading { store: None, progress: &mut |_| {} })
}

/// Like [`read`], but takes the circuit from the cache if it holds the same design.
///
/// # Errors
/// As for [`read`]. A cache that cannot be read or written is not an error.
pub fn read_with(
    path: &Path,
    options: &Options,
    reading: &mut Reading<'_>,
) -> Result<Circuit, Error> {
    Ok(read_structured_with(path, options, reading)?.into_circuit()?)
}

/// Like [`read`], but keeps functions and calls.
///
/// # Errors
/// As for [`read`].
pub fn read_structured(path: &Path, options: &Options) -> Result<StructuredCircuit, Error> {
    read_structured_with(path, options, &mut Reading { store: None, progress: &mut |_| {} })
}

/// Like [`read_with`], but keeps functions and calls.
///
/// # Errors
/// As for [`read_with`].
pub fn read_structured_with(
    path: &Path,
    options: &Options,
    reading: &mut Reading<'_>,
) -> Result<StructuredCircuit, Error> {
    let sources = Sources::read(path, options)?;
    let tool = Tool::find()?;
    let kept = reading.store.and_then(|store| Kept::of(store, &sources, options, &tool));
    if let Some(circuit) = kept.as_ref().and_then(Kept::get) {
        return Ok(circuit);
    }
    (reading.progress)(Stage::Parsing);
    let mut yosys = yosys::Run::new(&tool, &sources, options)?.start()?;
    let top = options.top.clone().or_else(|| sources.top().ok());
    let parties = options.parties.as_deref();
    owners::check(&yosys.inputs()?, &sources, top.as_deref(), yosys.file(), parties)?;
    (reading.progress)(Stage::Elaborating);
    let hierarchy = yosys.prepare(!options.as_written)?;
    let structured = match &hierarchy {
        None => None,
        Some(hierarchy) => {
            match functions::read(&mut yosys, hierarchy, options, reading.progress) {
                Err(error @ Error::Local(_)) => return Err(error),
                // The flattened design has a better error, if it is not a circuit either.
                other => other.ok().flatten(),
            }
        }
    };
    let circuit = match structured {
        Some(circuit) if circuit.size().ands >= LARGE => circuit,
        structured => {
            if hierarchy.is_some() {
                // The flattened design is the same circuit as if it had never had functions.
                yosys = yosys::Run::new(&tool, &sources, options)?.start()?;
                yosys.prepare(false)?;
            }
            let flat = synthesise(&mut yosys, options, reading.progress)?;
            let structured = structured.filter(|found| found.size().ands <= flat.gates.ands());
            structured.unwrap_or_else(|| flat.into())
        }
    };
    // Yosys reads the files itself. If a file has changed meanwhile, Yosys may have read a
    // different design.
    let unchanged = |kept: &Kept<'_>| {
        let now = Sources::read(path, options).ok();
        let now = now.and_then(|now| Kept::of(reading.store?, &now, options, &tool));
        now.is_some_and(|now| now.is_same_as(kept))
    };
    let folder = yosys.folder();
    if let (Some(kept), Some(mut read)) = (kept.filter(unchanged), yosys.finish()) {
        read.retain(|path| !path.starts_with(&folder));
        kept.put(&circuit, &sources, &read);
    }
    Ok(circuit)
}

/// Returns the circuit of the prepared design in `yosys`, flattened: as optimised by ABC if that
/// has fewer ANDs, else as written.
fn synthesise(
    yosys: &mut yosys::Session<'_>,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Circuit, Error> {
    let netlist = Netlist::parse(&yosys.elaborate()?, yosys.file())?;
    progress(Stage::Lowering);
    let plain = circuit(netlist, options)?;
    if options.as_written {
        return Ok(plain);
    }
    progress(Stage::Optimising);
    let Some(netlist) = yosys.by_abc(plain.gates.ands() >= LARGE)? else { return Ok(plain) };
    progress(Stage::Lowering);
    // ABC may find that no output depends on the registers. Then the optimised design has no
    // registers and no cycles.
    let optimised = circuit(Netlist::parse(&netlist, yosys.file())?, options);
    let layout = |circuit: &Circuit| {
        let outputs = circuit.outputs.iter();
        let outputs = outputs.map(|o| (o.name.clone(), o.bits.len(), o.per_cycle));
        (circuit.inputs.clone(), outputs.collect::<Vec<_>>())
    };
    match optimised {
        Ok(optimised)
            if optimised.gates.ands() < plain.gates.ands()
                && layout(&optimised) == layout(&plain) =>
        {
            Ok(optimised)
        }
        _ => Ok(plain),
    }
}

/// Returns the files of a design that begins at `path`. A folder in `more` stands for the design
/// files in it.
///
/// # Errors
/// If a folder cannot be read, or contains no design files.
pub fn files(path: &Path, more: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    sources::paths(path, more)
}

fn circuit(mut netlist: Netlist, options: &Options) -> Result<Circuit, Error> {
    carry::take_as_carries(&mut netlist);
    let ports = ports::Ports::of(&netlist, options)?;
    let registers = registers::Registers::of(&netlist)?;
    lower::circuit(&netlist, &ports, &registers)
}
