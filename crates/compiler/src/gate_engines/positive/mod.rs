//! Removes the inversions from a circuit's gates, for machines that have none.
//!
//! The *polarity* of a wire is its value when all inputs and flip-flops are 0. For such inputs, a
//! circuit of gates without inversions has only values of 0. So it can compute a wire of polarity 0
//! itself, but only the inverse of a wire of polarity 1. Which of the two exists is therefore
//! fixed, and only the gates that compute it can be chosen. An inversion at an XOR moves to the
//! XOR's output. An inverted AND output only changes the polarity. An AND that reads inverted wires
//! a or b becomes an AND of the plain wires, and XORs:
//!
//! - ¬a ∧ b = (a ∧ b) ⊕ b
//! - ¬a ∧ ¬b = ¬((a ∧ b) ⊕ a ⊕ b)
//!
//! If a ⊕ b exists already, ¬a ∧ b is (a ⊕ b) ∧ b and takes no XOR at all. Often the other forms
//! need no XOR either. The carry of a subtraction is (x ∧ y) ⊕ c with x = a ⊕ c and y = b ⊕ c. If x
//! is inverted, the carry is (x ∧ y) ⊕ y ⊕ c, which is (x ∧ y) ⊕ b. Therefore no gates are made at
//! once for such a sum of wires: it waits some time for its readers. If a reader XORs another wire
//! to the sum, terms cancel, or join into a wire that exists already ([`Recent`]).
//!
//! A machine with an inverting instruction may need fewer gates. One such instruction serves all
//! readers of the inverse, while without it each reader takes another XOR. [`with_copies`] is for
//! these machines.

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
/// the same. The result may contain gates that nothing reads.
///
/// Memory: 160 KiB, plus memory for the wires alive at once, output bits and flip-flops.
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
    /// As `AtInputs`, and in copies that invert a wire for several ANDs, or for wires that are
    /// computed from the inverse.
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
        // A step makes fewer than eight gates, and each waiting sum takes fewer than eight gates
        // too.
        if rewriter.wires() > Wire::MAX as usize - 8 * (WAIT + 2) {
            return Err(CompileError::TooManyWires);
        }
    }
    for wire in circuit.wires().saturating_sub(WAIT)..circuit.wires() {
        rewriter.settle(Wire::new(wire as u32))?;
    }
    Ok(rewriter)
}
