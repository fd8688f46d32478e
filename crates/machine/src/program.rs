//! From the options of `halfgate simulate` to the program that a machine runs.

use crate::args::LoweringArgs;
use crate::check_size;
use halfgate_compiler::{Program, compile};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::source;

/// The program that `lowering` names, with as many netlist cycles as it asks for.
///
/// # Errors
/// If the circuit cannot be read, its order is unknown, or its simulation would take hours.
pub fn program(lowering: &LoweringArgs) -> Result<Program, Failure> {
    let mut circuit = source::circuit(&lowering.circuit)?;
    circuit.cycles = source::cycles(lowering.cycles, None, &circuit)?;
    check_size(&circuit)?;
    let order = source::order(&lowering.circuit)?;
    compile(circuit, order).map_err(Failure::with(Exit::Local))
}
