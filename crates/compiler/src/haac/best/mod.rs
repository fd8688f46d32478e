//! The order `haac:best`.

use super::params::BestParams;
use super::segment::segment;
use crate::uses::Uses;
use halfgate_circuit::Circuit;
use std::io;

/// `circuit`, which is in the baseline order and whose uses are `uses`, in an order for the machine
/// that `params` describe: pieces of half its window, each by levels.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn best(circuit: Circuit, uses: Uses, params: &BestParams) -> io::Result<Circuit> {
    segment(circuit, uses, params.window / 2)
}
