//! Makes the program that a machine runs from the options of `halfgate simulate`.

use crate::args::SimulateArgs;
use crate::{LongestPath, check_size};
use halfgate_compiler::{Program, compile};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::{mips_source, source};

/// The program that the options name.
pub struct Named {
    /// The program.
    pub program: Program,
    /// The longest path of its circuit, if requested.
    pub path: Option<LongestPath>,
}

/// Makes the program that `args` name, with the requested number of netlist cycles.
///
/// # Errors
/// If the circuit cannot be read, its order is unknown, or its simulation would take hours.
pub fn program(args: &SimulateArgs) -> Result<Named, Failure> {
    let lowering = &args.lowering;
    let (named, cycles) = mips_source::steps_of(&lowering.circuit, lowering.cycles);
    let mut circuit = source::circuit(&named)?;
    circuit.cycles = source::cycles(cycles, None, &circuit)?;
    check_size(&circuit)?;
    let path = args.path.then(|| LongestPath::of(&circuit));
    let order = source::order(&lowering.circuit)?;
    let program = compile(circuit, order).map_err(Failure::with(Exit::Local))?;
    Ok(Named { program, path })
}
