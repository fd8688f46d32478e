//! The order `haac:best`.

mod clock;
mod heights;
mod invert;
mod plan;
mod schedule;

use super::params::BestParams;
use crate::dead::rename_ports;
use crate::uses::Uses;
use halfgate_circuit::Circuit;
use heights::Heights;
use std::io;

/// Gates that are looked at, in windows of the machine.
const LOOKAHEAD: usize = 32;

/// `circuit`, which is in the baseline order and whose uses are `uses`, in an order for the machine
/// that `params` describe.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn best(circuit: Circuit, uses: Uses, params: &BestParams) -> io::Result<Circuit> {
    let circuit = invert::explicit(circuit, uses, params.window as usize / 4)?;
    let heights = Heights::of(&circuit, params)?;
    let lookahead = params.window as usize * LOOKAHEAD;
    let (gates, renamed) = schedule::schedule(&circuit, heights, params, lookahead)?;
    let first = circuit.first_gate_wire();
    Ok(rename_ports(circuit, gates, |wire| schedule::name(&renamed, first, wire).bit()))
}
