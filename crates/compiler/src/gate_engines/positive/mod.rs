//! Takes the inversions out of a circuit's gates, for machines that have none.
//!
//! The *polarity* of a wire is what it carries when all inputs and flip-flops are 0. Gates without
//! inversions give 0 there, so they can drive every wire that is 0 itself, and of one that is 1
//! only the inverse: nothing is left to choose but the gates. An inversion moves through an XOR to
//! what the XOR drives; an inverted output of an AND is a matter of polarity. An AND that reads
//! wires a and b of which one or both are inverted becomes one that reads them as they are, and
//! XORs:
//!
//! - ¬a ∧ b = (a ∧ b) ⊕ b
//! - ¬a ∧ ¬b = ¬((a ∧ b) ⊕ a ⊕ b)
//!
//! Where a ⊕ b is there already, ¬a ∧ b is (a ⊕ b) ∧ b and takes no XOR at all, and often the
//! others need not be there either. The carry of a subtraction is (x ∧ y) ⊕ c with x = a ⊕ c and y
//! = b ⊕ c; if x is the inverted one, it is (x ∧ y) ⊕ y ⊕ c, which is (x ∧ y) ⊕ b. So such a sum
//! waits a while for its readers, and where one XORs a wire to it, terms cancel or join into wires
//! that there are ([`Recent`]) before gates are made of it.
//!
//! A machine that has an instruction to invert may do with fewer gates: one such instruction serves
//! all that read the wire inverted, where each took an XOR of its own. [`with_copies`] is for
//! these.

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

/// `circuit`, which has no dead gates and whose uses are `uses`, without copies, and with gates
/// that invert nothing. Outputs and next states of flip-flops may be inverted. There are as many
/// ANDs; a gate that nobody reads may be among the gates.
///
/// Memory: the wires alive at once, output bits and flip-flops; 160 KiB.
///
/// # Errors
/// If a temporary file cannot be written or read, or if there are too many wires.
pub(crate) fn positive(circuit: Circuit, uses: Uses) -> Result<Circuit, CompileError> {
    let rewriter = run(&circuit, uses, Inversions::Rewritten)?;
    Ok(rewriter.into_circuit(circuit))
}

/// As [`positive`], but inputs of ANDs may be inverted, and so may copies, which are for
/// instructions that invert: of two ways to place them the one that takes fewer instructions in
/// all.
///
/// # Errors
/// As for [`positive`].
pub(crate) fn with_copies(circuit: Circuit, uses: Uses) -> Result<Circuit, CompileError> {
    let at_inputs = run(&circuit, Uses::of(&circuit)?, Inversions::AtInputs)?;
    let in_copies = run(&circuit, uses, Inversions::InCopies)?;
    let is_better = in_copies.instructions() < at_inputs.instructions();
    Ok(if is_better { in_copies } else { at_inputs }.into_circuit(circuit))
}

/// Where inversions may stay, other than at outputs and at what flip-flops take next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inversions {
    /// Nowhere.
    Rewritten,
    /// At the inputs of ANDs, where to rewrite them would take an XOR more.
    AtInputs,
    /// There, and in copies that invert a wire for several ANDs, or for what is made of it.
    InCopies,
}

/// Takes all of the circuit's gates through a rewriter.
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
        // A step makes fewer than eight gates, and so does each sum that waits.
        if rewriter.wires() > Wire::MAX as usize - 8 * (WAIT + 2) {
            return Err(CompileError::TooManyWires);
        }
    }
    for wire in circuit.wires().saturating_sub(WAIT)..circuit.wires() {
        rewriter.settle(Wire::new(wire as u32))?;
    }
    Ok(rewriter)
}
