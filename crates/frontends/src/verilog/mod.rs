//! Reads Verilog: a design with one clock becomes a circuit with flip-flops.
//!
//! Yosys reads the design, infers registers and memories, and simplifies. The remaining words and
//! operators (adders, comparators, multiplexers, …) are lowered to gates here, with the gadgets of
//! [`halfgate_circuit::int`] and [`halfgate_circuit::array`]: an addition or comparison of `n` bits
//! takes `n` ANDs, a multiplexer one a bit, an XOR none. The logic between the operators also goes
//! through ABC, with [AND counts](COSTS) in place of an area. The circuit with fewer ANDs is taken.
//!
//! **Files.** Verilog, and the SystemVerilog that Yosys supports; if this Yosys has the slang front
//! end, that front end reads `.sv` files. Gate-level netlists work too: of Verilog's own gates, of
//! Yosys' cells, and of [TinyGarble's library](GATES).
//!
//! **Ports** follow TinyGarble:
//!
//! | port | is |
//! |---|---|
//! | `clk` | the clock; any port that clocks the registers is recognised, whatever its name |
//! | `rst` | 1 before the first cycle, 0 from then on (also `reset`, `arst`, `areset`, and with
//! `_i`; with opposite values `rst_n`, `rstn`, `reset_n`, `resetn`, `aresetn` and the like; in
//! upper or lower case) |
//! | `g_init`, `e_init` | the garbler's and the evaluator's value of the whole run, from which
//! registers start |
//! | `g_input`, `e_input` | the garbler's and the evaluator's value of each cycle |
//! | any other input | an input of the party in its attribute:
//! `(* party = "evaluator" *) input [7:0] x` |
//! | any output | an output, of each cycle |
//!
//! In a design without registers all ports belong to the single run. In a design with registers,
//! inputs and outputs belong to each cycle, except those with the attribute `(* per_run *)`: such
//! an input keeps its value, and such an output is revealed only in the last cycle. The attribute
//! `(* cycles = 32 *)` of the top module is the default number of cycles.
//!
//! **Registers** start from their reset value: a constant or bits of an input of the whole run, set
//! by `rst`, whether it is in their sensitivity list or not. Otherwise they start from their
//! initial value (`reg x = 1;`). A register with neither starts from 0. A bit that the design
//! leaves undefined (`x`) has an arbitrary value.
//!
//! **Designs that are not circuits** are errors that name the place: latches, several clocks or
//! both edges, a gated clock, other asynchronous resets, tri-states and `inout`, wires without a
//! driver, loops.
//!
//! Both parties need the same circuit, because they compare its hash, and another version of Yosys
//! may produce another circuit. `halfgate convert` writes a circuit to a file that both can run.
//!
//! Memory: Yosys holds the whole netlist, and so does this reader, unlike those of other formats.
//! The resulting gates stream like any circuit's.
//!
//! Modules: `sources` are a design's files; `kept` caches circuits so that Yosys is not needed;
//! `yosys` runs Yosys with a `script`; `owners` rejects inputs without an owner before the slow
//! steps; `netlist` parses Yosys' output; `ports` and `registers` map a design's wires to a
//! circuit; `carry` joins sums; `lower` goes from outputs to inputs; `cells` has the operators.

mod carry;
mod cells;
mod error;
mod json;
mod kept;
mod lower;
mod netlist;
mod owners;
mod ports;
mod registers;
mod script;
mod sources;
mod yosys;

pub use error::Error;

use crate::scd::Outputs;
use halfgate_cache::Store;
use halfgate_circuit::{Circuit, Party};
use kept::Kept;
use netlist::Netlist;
use sources::Sources;
use std::fmt;
use std::path::{Path, PathBuf};
use yosys::Tool;

/// The cells that ABC may use, in Liberty's format, with their ANDs as area.
pub const COSTS: &str = include_str!("costs.lib");

/// The gates of TinyGarble's library, for netlists that use them without defining them.
pub const GATES: &str = include_str!("gates.v");

/// Options for reading a design. By default, the top module that Yosys finds, with its own
/// parameters.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The top module. If `None`, the module that no other instantiates.
    pub top: Option<String>,
    /// Parameters of the top module, by name: numbers, or Verilog constants such as `8'hff`.
    pub parameters: Vec<(String, String)>,
    /// Additional files, with modules that the first does not define. A folder stands for its `.v`
    /// and `.sv` files, sorted by name.
    pub files: Vec<PathBuf>,
    /// Owners of the inputs whose owner the design does not state, in order.
    pub parties: Option<Vec<Party>>,
    /// The cycles whose outputs are revealed. Overrides the design.
    pub outputs: Option<Outputs>,
    /// Keep the logic between operators as written, without ABC. For large designs that are written
    /// to have few ANDs.
    pub as_written: bool,
}

/// The environment of reading: the cache, and a callback for progress.
pub struct Reading<'a> {
    /// The cache of circuits of designs that were read before. If `None`, every design is read
    /// anew.
    pub store: Option<&'a Store>,
    /// Called at the start of each stage.
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

/// Returns the cache that all commands share, or `None` if there is no place for it.
pub fn store() -> Option<Store> {
    Some(Store::new(halfgate_cache::folder()?.join(STORE.0), STORE.1))
}

/// Number of ANDs from which a design counts as large. ABC then does less ([`script`]).
const LARGE: u64 = 10_000;

/// Reads the design in the file at `path`, without a cache.
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
    let circuit = synthesise(&mut yosys, options, reading.progress)?;
    let folder = yosys.folder();
    // Yosys read the files by itself. If one changed meanwhile, Yosys may have read another design.
    let unchanged = |kept: &Kept<'_>| {
        let now = Sources::read(path, options).ok();
        let now = now.and_then(|now| Kept::of(reading.store?, &now, options, &tool));
        now.is_some_and(|now| now.is_same_as(kept))
    };
    if let (Some(kept), Some(mut read)) = (kept.filter(unchanged), yosys.finish()) {
        read.retain(|path| !path.starts_with(&folder));
        kept.put(&circuit, &sources, &read);
    }
    Ok(circuit)
}

/// Returns the circuit of the design that `yosys` has loaded: as written, or as optimised by ABC if
/// that has fewer ANDs.
fn synthesise(
    yosys: &mut yosys::Session<'_>,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Circuit, Error> {
    progress(Stage::Elaborating);
    let netlist = Netlist::parse(&yosys.elaborate()?, yosys.file())?;
    progress(Stage::Lowering);
    let plain = circuit(netlist, options)?;
    if options.as_written {
        return Ok(plain);
    }
    progress(Stage::Optimising);
    let Some(netlist) = yosys.by_abc(plain.gates.ands() >= LARGE)? else { return Ok(plain) };
    progress(Stage::Lowering);
    // ABC may find that registers do not matter, so that the design no longer has cycles.
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

/// Returns the files of a design that begins at `path`. A folder in `more` stands for its files.
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
