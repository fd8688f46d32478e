//! The whole path from a circuit to a program, read top to bottom.

pub use crate::error::CompileError;

use crate::dead::{Copies, drop_dead};
use crate::gate_engines::{baseline, baseline_with_copies, best, full, segment};
use crate::group::group;
use crate::hash::program_hash;
use crate::order::Order;
use crate::program::Program;
use halfgate_circuit::Circuit;

/// Compiles `circuit`, which is valid (whoever made it has verified it), into a program whose
/// gates stand in `order`.
///
/// Memory: the wires alive at once, the order's window, the bits of ports and flip-flops, and the
/// fixed share that lists of gates hold in memory before they go to a temporary file. `haac:full`
/// alone looks at the whole program: at most 24 bytes a gate.
///
/// # Errors
/// If the circuit is longer than memory and the temporary file for it cannot be written, or if an
/// order's additional XORs make it too long.
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
    Ok(Program { circuit, order, hash, skips: None })
}
