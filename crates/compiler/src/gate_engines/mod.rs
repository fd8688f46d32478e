//! Gate orders for machines with gate engines: the software part of section 4.1 of Mo, Gopinath and
//! Reagen (ISCA 2023). Each file has one pass.
//!
//! A garbled-circuit program has no control flow, so scheduling is only the choice of a good gate
//! order. Every order starts from `baseline`. `full` and `segment` are the paper's two orders; more
//! parallel gates mean that more wires leave the window. `best` schedules for the machine that its
//! [`BestParams`] describe.
//!
//! These passes produce *programs*. Each party chooses how its machine encodes a program (addresses
//! in the window, live bits, queues).

mod best;
mod full;
mod inverted;
mod params;
mod positive;
mod segment;

pub use inverted::{InvertedInputs, inverted_inputs};
pub use params::BestParams;

pub(crate) use best::best;
pub(crate) use full::full;
use positive::{positive, with_copies};
pub(crate) use segment::segment;

use crate::dead::{Copies, drop_dead};
use crate::error::CompileError;
use crate::uses::Uses;
use halfgate_circuit::Circuit;

/// Builds the order `haac:baseline`, which all other orders start from, with the uses of its gates.
///
/// The paper's baseline is depth first: a producer stands right before its consumers. Circuits are
/// already written value by value, that is, nearly depth first. So the pass keeps the given order,
/// and only removes dead gates, copies and inversions.
///
/// Memory grows with the wires alive at once, the output bits and the flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read, or if there are too many wires.
pub(crate) fn baseline(circuit: Circuit) -> Result<(Circuit, Uses), CompileError> {
    let (circuit, uses) = drop_dead(circuit, Copies::Drop)?;
    // Gates whose terms were cancelled are dead now.
    Ok(drop_dead(positive(circuit, uses)?, Copies::Drop)?)
}

/// Like [`baseline`], for a machine with an inverting instruction. AND inputs stay inverted where
/// that takes fewer gates, and copy gates stand for inverting instructions.
///
/// # Errors
/// As for [`baseline`].
pub(crate) fn baseline_with_copies(circuit: Circuit) -> Result<(Circuit, Uses), CompileError> {
    let (circuit, uses) = drop_dead(circuit, Copies::Drop)?;
    Ok(drop_dead(with_copies(circuit, uses)?, Copies::Keep)?)
}
