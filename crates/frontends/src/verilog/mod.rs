//! Verilog: a design of one clock becomes a circuit with flip-flops.
//!
//! Yosys reads the design, infers registers and memories, and simplifies; what is left are words
//! and operators (adders, comparators, multiplexers, …), which are lowered to gates here, by the
//! gadgets of [`halfgate_circuit::int`] and [`halfgate_circuit::array`]: an addition or comparison
//! of `n` bits takes `n` ANDs, a multiplexer one a bit, an XOR none. The logic between the
//! operators goes through ABC besides, with [our costs](COSTS) in place of an area, and the circuit
//! with fewer ANDs is taken.
//!
//! **Files.** Verilog and the SystemVerilog that Yosys reads; a `.sv` file is read by the slang
//! front end if this Yosys has it. Gate-level netlists too: of Verilog's own gates, of Yosys'
//! cells, and of [TinyGarble's library](GATES).
//!
//! **Ports.** As in TinyGarble:
//!
//! | port | is |
//! |---|---|
//! | `clk` | the clock: whatever clocks the registers, so the name is free |
//! | `rst` | 1 before the first cycle, 0 from then on (also `reset`, `arst`, `areset`, and with `_i`; the other way round `rst_n`, `rstn`, `reset_n`, `resetn`, `aresetn` and the like; in either case) |
//! | `g_init`, `e_init` | the garbler's and the evaluator's value of the whole run: what registers start from |
//! | `g_input`, `e_input` | the garbler's and the evaluator's value of each cycle |
//! | any other input | that of the party that its attribute names: `(* party = "evaluator" *) input [7:0] x` |
//! | any output | an output, of each cycle |
//!
//! In a design without registers all ports are of the one run. In one with registers, inputs and
//! outputs are of each cycle but for those with the attribute `(* per_run *)`: such an input keeps
//! its value, and such an output is given out in the last cycle only. The attribute
//! `(* cycles = 32 *)` of the top module says how often the design runs if a run does not.
//!
//! **Registers** start from what they are reset to: by `rst`, whether it is in their sensitivity
//! list or not, to a constant or bits of an input of the whole run; else from their initial value
//! (`reg x = 1;`). A register without either starts from 0. A bit that the design leaves undefined
//! (`x`) has some value.
//!
//! **What is no circuit** is an error that names the place: latches, several clocks or both edges,
//! a gated clock, other asynchronous resets, tri-states and `inout`, wires that nothing drives,
//! loops.
//!
//! Both parties need the same circuit: they compare its hash, and another version of Yosys may make
//! another one. `halfgate convert` writes a circuit to a file that both can run.
//!
//! Memory: Yosys holds the netlist whole, and so does the reader, unlike those of other formats;
//! the gates that come of it stream as any circuit's.
//!
//! In here: `sources` are a design's files; `kept` circuits need no Yosys; `yosys` runs it with a
//! `script`; `owners` refuses what lacks a party before that takes long; `netlist` is what Yosys
//! writes; `ports` and `registers` say what a design's wires are in a circuit; `carry` joins sums;
//! `lower` goes from outputs to inputs; `cells` has the operators.

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

/// The gates of TinyGarble's library, for netlists that are made of them and do not define them.
pub const GATES: &str = include_str!("gates.v");

/// How to read a design. The default is the top module that Yosys finds, with its own parameters.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The top module. If `None`, the one that no other has in it.
    pub top: Option<String>,
    /// Parameters of the top module, by name: numbers, or Verilog constants such as `8'hff`.
    pub parameters: Vec<(String, String)>,
    /// More files, with modules that the first does not define. Of a folder, its `.v` and `.sv`
    /// files by name.
    pub files: Vec<PathBuf>,
    /// Whose the inputs are of which the design does not say it, in order.
    pub parties: Option<Vec<Party>>,
    /// Which cycles' outputs are given out, in place of what the design says.
    pub outputs: Option<Outputs>,
    /// Whether the logic between operators is taken as it is written, without asking ABC for
    /// something better: for a design that is written with ANDs in mind, and large.
    pub as_written: bool,
}

/// What goes with reading: where circuits are kept, and who hears how far it is.
pub struct Reading<'a> {
    /// Circuits of designs that were read before. If `None`, each is read anew.
    pub store: Option<&'a Store>,
    /// Hears what begins.
    pub progress: &'a mut dyn FnMut(Stage),
}

/// What takes time in reading a design.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Yosys parses the files and chooses the top module.
    Parsing,
    /// Yosys makes registers and operators of it.
    Elaborating,
    /// ABC looks for fewer ANDs.
    Optimising,
    /// The netlist becomes gates.
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

/// The folder of kept circuits below that of all finished work, and the most bytes in it.
const STORE: (&str, u64) = ("designs", 256 << 20);

/// The store of circuits that commands share; `None` if there is no place for it.
pub fn store() -> Option<Store> {
    Some(Store::new(halfgate_cache::folder()?.join(STORE.0), STORE.1))
}

/// ANDs from which a design is large: ABC then does less ([`script`]).
const LARGE: u64 = 10_000;

/// Reads the design in the file at `path`, anew.
///
/// # Errors
/// If Yosys is not there or refuses the file, and if the design is no circuit.
pub fn read(path: &Path, options: &Options) -> Result<Circuit, Error> {
    read_with(path, options, &mut Reading { store: None, progress: &mut |_| {} })
}

/// As [`read`], or the circuit that is kept of the same design.
///
/// # Errors
/// As [`read`]. A store that cannot be read or written is no error.
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
    // Yosys read the files by itself: if one was changed meanwhile, it may have read another
    // design.
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

/// The circuit of the design that `yosys` holds: as it is written, or by ABC if that has fewer
/// ANDs.
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
    // ABC may find that registers do not matter, so that the design is no longer one of cycles.
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

/// The files of a design that begins at `path`: folders among the others are those in them.
///
/// # Errors
/// If a folder cannot be read, or has none.
pub fn files(path: &Path, more: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    sources::paths(path, more)
}

fn circuit(mut netlist: Netlist, options: &Options) -> Result<Circuit, Error> {
    carry::take_as_carries(&mut netlist);
    let ports = ports::Ports::of(&netlist, options)?;
    let registers = registers::Registers::of(&netlist)?;
    lower::circuit(&netlist, &ports, &registers)
}
