//! Gate orders for machines of gate engines: the software half of section 4.1 of Mo, Gopinath and
//! Reagen (ISCA 2023), one pass a file.
//!
//! A garbled-circuit program has no control flow, so an order that is good for the machine is all
//! the scheduling that there is. `baseline` is what every order starts from; `full` and
//! `segment` are the paper's two, which trade gates side by side against wires that leave the
//! window; `best` schedules for the machine that its [`BestParams`] describe.
//!
//! These passes give *programs*: what a machine then does with one (addresses in the window, live
//! bits, queues) is each party's own.

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

/// The order `haac:baseline`, which the paper's others reorder, with the uses of its gates.
///
/// The paper's baseline is depth first: a producer stands right before its consumers. Circuits are
/// written that way, value by value, so the given order is kept, without dead gates, copies and
/// inversions.
///
/// Memory: the wires alive at once, output bits and flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read, or if there are too many wires.
pub(crate) fn baseline(circuit: Circuit) -> Result<(Circuit, Uses), CompileError> {
    let (circuit, uses) = drop_dead(circuit, Copies::Drop)?;
    // A wire that was only there to be cancelled is dead now.
    Ok(drop_dead(positive(circuit, uses)?, Copies::Drop)?)
}

/// As [`baseline`], for a machine with an instruction that inverts: where that takes fewer gates,
/// inputs of ANDs are inverted, and copies, which stand where such an instruction should.
///
/// # Errors
/// As for [`baseline`].
pub(crate) fn baseline_with_copies(circuit: Circuit) -> Result<(Circuit, Uses), CompileError> {
    let (circuit, uses) = drop_dead(circuit, Copies::Drop)?;
    Ok(drop_dead(with_copies(circuit, uses)?, Copies::Keep)?)
}
