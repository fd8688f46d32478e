//! Verilog: a design of one clock becomes a circuit with flip-flops.
//!
//! Yosys reads the design, infers registers and memories, and simplifies; what is left are words and
//! operators (adders, comparators, multiplexers, …), which are lowered to gates here, by the gadgets of
//! [`halfgate_circuit::int`] and [`halfgate_circuit::array`]: an addition or comparison of `n` bits
//! takes `n` ANDs, a multiplexer one a bit, an XOR none. The logic between the operators goes through
//! ABC besides, with [our costs](COSTS) in place of an area, and the circuit with fewer ANDs is taken.
//!
//! **Files.** Verilog and the SystemVerilog that Yosys reads; a `.sv` file is read by the slang front
//! end if this Yosys has it. Gate-level netlists too: of Verilog's own gates, of Yosys' cells, and of
//! [TinyGarble's library](GATES).
//!
//! **Ports.** As in TinyGarble:
//!
//! | port | is |
//! |---|---|
//! | `clk` | the clock: whatever clocks the registers, so the name is free |
//! | `rst` | 1 before the first cycle, 0 from then on (also `rst_i`, `reset`; and the other way round `rst_n`, `rst_ni`, `reset_n`) |
//! | `g_init`, `e_init` | the garbler's and the evaluator's value of the whole run: what registers start from |
//! | `g_input`, `e_input` | the garbler's and the evaluator's value of each cycle |
//! | any other input | that of the party that its attribute names: `(* party = "evaluator" *) input [7:0] x` |
//! | any output | an output, of each cycle |
//!
//! In a design without registers all ports are of the one run. In one with registers, inputs and outputs
//! are of each cycle but for those with the attribute `(* per_run *)`: such an input keeps its value, and
//! such an output is given out in the last cycle only. The attribute `(* cycles = 32 *)` of the top
//! module says how often the design runs if a run does not.
//!
//! **Registers** start from what they are reset to: by `rst`, whether it is in their sensitivity list
//! or not, to a constant or bits of an input of the whole run; else from their initial value (`reg x = 1;`).
//! A register without either starts from 0. A bit that the design leaves undefined (`x`) has some value.
//!
//! **What is no circuit** is an error that names the place: latches, several clocks or both edges, a gated
//! clock, other asynchronous resets, tri-states and `inout`, wires that nothing drives, loops.
//!
//! Both parties need the same circuit: they compare its hash, and another version of Yosys may make another
//! one. `halfgate convert` writes a circuit to a file that both can run.
//!
//! Memory: Yosys holds the netlist whole, and so does the reader, unlike those of other formats; the gates
//! that come of it stream as any circuit's.
//!
//! In here: `yosys` runs it with a `script`; `netlist` is what it writes; `ports` and `registers` say
//! what a design's wires are in a circuit; `carry` joins sums; `lower` goes from outputs to inputs; `cells` has the operators.

mod carry;
mod cells;
mod error;
mod json;
mod lower;
mod netlist;
mod ports;
mod registers;
mod script;
mod yosys;

pub use error::Error;

use crate::scd::Outputs;
use halfgate_circuit::{Circuit, Party};
use netlist::Netlist;
use std::path::{Path, PathBuf};

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
    /// More files, with modules that the first does not define.
    pub files: Vec<PathBuf>,
    /// Whose the inputs are of which the design does not say it, in order.
    pub parties: Option<Vec<Party>>,
    /// Which cycles' outputs are given out, in place of what the design says.
    pub outputs: Option<Outputs>,
    /// Whether the logic between operators is taken as it is written, without asking ABC for something better: for a
    /// design that is written with ANDs in mind, and large.
    pub as_written: bool,
}

/// Reads the design in the file at `path`.
///
/// # Errors
/// If Yosys is not there or refuses the file, and if the design is no circuit.
pub fn read(path: &Path, options: &Options) -> Result<Circuit, Error> {
    let run = yosys::Run::new(path, options)?;
    let netlists = run.synthesise(options.as_written)?;
    let plain = circuit(netlists.as_written, options)?;
    // ABC may find that registers do not matter, so that the design is no longer one of cycles.
    let Some(optimised) = netlists.by_abc else { return Ok(plain) };
    let optimised = circuit(optimised, options);
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

fn circuit(mut netlist: Netlist, options: &Options) -> Result<Circuit, Error> {
    carry::take_as_carries(&mut netlist);
    let ports = ports::Ports::of(&netlist, options)?;
    let registers = registers::Registers::of(&netlist)?;
    lower::circuit(&netlist, &ports, &registers)
}
