//! Removes the inversions from a circuit's gates, for machines that have none.
//!
//! The *polarity* of a wire is its value when all inputs and flip-flops are 0. Gates without
//! inversions give 0 for such inputs. So they can drive a wire of polarity 0 itself, and of a wire
//! of polarity 1 only its inverse: the only choice left is the gates. An inversion at an XOR moves
//! to the XOR's output; an inverted AND output only changes the polarity. An AND that reads
//! inverted wires a or b becomes an AND of the plain wires, and XORs:
//!
//! - ¬a ∧ b = (a ∧ b) ⊕ b
//! - ¬a ∧ ¬b = ¬((a ∧ b) ⊕ a ⊕ b)
//!
//! If a ⊕ b exists already, ¬a ∧ b is (a ⊕ b) ∧ b and takes no XOR at all. Often the other forms
//! need no XOR either. The carry of a subtraction is (x ∧ y) ⊕ c with x = a ⊕ c and y = b ⊕ c. If x
//! is inverted, the carry is (x ∧ y) ⊕ y ⊕ c, which is (x ∧ y) ⊕ b. So such a sum waits a while for
//! its readers. Where a reader XORs a wire to the sum, terms cancel or join into existing wires
//! ([`Recent`]) before gates are made of the sum.
//!
//! A machine with an inverting instruction may need fewer gates. One such instruction serves all
//! readers of the inverse, where otherwise each reader takes an XOR of its own. [`with_copies`] is
//! for these machines.

mod recent;
mod rewriter;
mod sum;
mod targets;
#[cfg(test)]
mod tests;

use crate::error::CompileError;
use crate::uses::Uses;
use halfgate_circuit::{Circuit, Wire};
use rewriter::{Rewriter, WAIT};
use targets::Targets;

/// Removes copies, and inversions at gates, from `circuit`, which has no dead gates and whose uses
/// are `uses`. Outputs and next states of flip-flops may stay inverted. The number of ANDs stays
/// the same; the result may contain gates that nothing reads.
///
/// Memory: the wires alive at once, output bits and flip-flops; 160 KiB.
///
/// # Errors
/// If a temporary file cannot be written or read, or if there are too many wires.
pub(crate) fn positive(circuit: Circuit, uses: Uses) -> Result<Circuit, CompileError> {
    let rewriter = run(&circuit, uses, Inversions::Rewritten)?;
    Ok(rewriter.into_circuit(circuit))
}

/// Like [`positive`], for a machine with an inverting instruction: AND inputs and copies may be
/// inverted. Tries both placements of inversions and takes the one with fewer instructions.
///
/// # Errors
/// As for [`positive`].
pub(crate) fn with_copies(circuit: Circuit, uses: Uses) -> Result<Circuit, CompileError> {
    let at_inputs = run(&circuit, Uses::of(&circuit)?, Inversions::AtInputs)?;
    let in_copies = run(&circuit, uses, Inversions::InCopies)?;
    let is_better = in_copies.instructions() < at_inputs.instructions();
    Ok(if is_better { in_copies } else { at_inputs }.into_circuit(circuit))
}

/// Where inversions may stay, apart from outputs and next states of flip-flops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inversions {
    /// Nowhere.
    Rewritten,
    /// At AND inputs where rewriting would take one more XOR.
    AtInputs,
    /// There, and in copies that invert a wire for several ANDs, or for wires computed from it.
    InCopies,
}

/// Passes all gates of the circuit through a rewriter.
fn run(
    circuit: &Circuit,
    mut uses: Uses,
    inversions: Inversions,
) -> Result<Rewriter, CompileError> {
    let mut rewriter = Rewriter::new(circuit.first_gate_wire(), inversions);
    let mut targets = match inversions {
        Inversions::InCopies => Some(Targets::of(circuit)?),
        Inversions::AtInputs | Inversions::Rewritten => None,
    };
    for (wire, gate) in (circuit.first_gate_wire()..).zip(circuit.gates.iter()) {
        let wire = Wire::new(wire as u32);
        rewriter.settle(Wire::new(wire.number().saturating_sub(WAIT as u32)))?;
        let target = targets.as_mut().map_or(Ok(None), |targets| targets.next(gate))?;
        rewriter.rewrite(wire, gate, uses.next(gate)?, target)?;
        // A step makes fewer than eight gates, and so does each waiting sum.
        if rewriter.wires() > Wire::MAX as usize - 8 * (WAIT + 2) {
            return Err(CompileError::TooManyWires);
        }
    }
    for wire in circuit.wires().saturating_sub(WAIT)..circuit.wires() {
        rewriter.settle(Wire::new(wire as u32))?;
    }
    Ok(rewriter)
}
