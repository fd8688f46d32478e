//! The whole path from a circuit to a program.

pub use crate::error::CompileError;

use crate::dead::{Copies, drop_dead};
use crate::gate_engines::{baseline, baseline_with_copies, best, full, segment};
use crate::group::group;
use crate::hash::program_hash;
use crate::inline::inline_small;
use crate::order::Order;
use crate::program::{Program, StructuredProgram};
use halfgate_circuit::Circuit;
use halfgate_circuit::structured::{StructuredCircuit, verify};

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

/// Compiles a valid circuit that may have functions into a program whose gates stand in `order`.
/// The program keeps the functions in the orders `given` and `grouped`, unless the circuit has
/// state or per-cycle ports. Other circuits are flattened; in the order `given` the program hash
/// covers their functions all the same.
///
/// # Errors
/// Those of [`compile`], and if the circuit is too large to be flattened.
pub fn compile_structured(
    circuit: StructuredCircuit,
    order: Order,
) -> Result<Program, CompileError> {
    let has_functions = !circuit.body.calls.is_empty();
    match order {
        Order::Given if has_functions => StructuredProgram::new(circuit)?.into_program(),
        Order::Grouped { window } if has_functions && !circuit.has_cycles() => {
            verify(&circuit)?;
            let circuit = inline_small(circuit)?;
            match circuit.body.calls.is_empty() {
                true => compile(circuit.into_circuit()?, order),
                false => StructuredProgram::grouped_between_calls(circuit, window)?.into_program(),
            }
        }
        _ => compile(circuit.into_circuit()?, order),
    }
}
