//! The whole path from a circuit to a program.

pub use crate::error::CompileError;

use crate::dead::{Copies, drop_dead};
use crate::gate_engines::{baseline, baseline_with_copies, best, full, segment};
use crate::group::group;
use crate::hash::program_hash;
use crate::order::Order;
use crate::program::Program;
use halfgate_circuit::Circuit;

/// Compiles `circuit` into a program whose gates stand in `order`. The circuit must be valid. It is
/// not checked here, because the code that makes a circuit has verified it.
///
/// Memory grows with the wires alive at once, the order's window, and the bits of ports and
/// flip-flops. Lists of gates keep a fixed number of gates in memory before they use a temporary
/// file. Only `haac:full` holds the whole program, in at most 24 bytes per gate.
///
/// # Errors
/// If the circuit does not fit in memory and its temporary file cannot be written, or if additional
/// XORs of the order lead to too many wires.
pub fn compile(circuit: Circuit, order: Order) -> Result<Program, CompileError> {
    let circuit = match order {
        Order::Given => circuit,
        Order::Grouped { window } => {
            let (circuit, uses) = drop_dead(circuit, Copies::Drop)?;
            group(circuit, uses, window)?
        }
        Order::HaacBaseline => baseline(circuit)?.0,
        Order::HaacFull => full(baseline(circuit)?.0)?,
        Order::HaacSegment { gates } => {
            let (circuit, uses) = baseline(circuit)?;
            segment(circuit, uses, gates)?
        }
        Order::HaacBest(params) => {
            let (circuit, uses) = baseline_with_copies(circuit)?;
            best(circuit, uses, &params)?
        }
    };
    let hash = program_hash(&circuit);
    Ok(Program { circuit, order, hash, skips: None, structure: None })
}
