//! When it is each gate's turn: what bounds the program, and how much time there is.

use super::super::params::BestParams;
use super::heights::Heights;
use halfgate_circuit::Circuit;

/// Tenths of bytes, as [`BestParams::memory`] counts: a table, a label, an out-of-range word.
pub(super) const TABLE: u64 = 320;
pub(super) const LABEL: u64 = 160;
pub(super) const OOR_WORD: u64 = 40;

/// Tenths of bytes of an instruction: an operation, two operands and a live bit.
pub(super) fn instruction(params: &BestParams) -> u64 {
    u64::from(3 + 2 * params.window.ilog2()) * 10 / 8
}

/// The most cycles that a result is left alone before it is read.
const MOST_SPARE: u64 = 16;

/// A long path that takes one over this of the plan's cycles, or less, leaves so much room that
/// the order alone keeps memory busy.
const FAR: u128 = 4;

/// The program's time, as it should be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Cycles that the program takes at least.
    pub(super) cycles: u64,
    /// The greatest height.
    path: u64,
    /// Cycles of the plan for each gate of the baseline order, and for each cycle of the path; in
    /// units of 2^-32.
    pace: u64,
    stretch: u64,
    /// Cycles that may pass between a result and its first reader without making the program
    /// longer. In-order engines that are a little late then stop nobody.
    pub(super) spare: u32,
    /// Whether gates are issued no faster than memory moves their bytes.
    pub(super) paced: bool,
}

impl Plan {
    pub(super) fn new(circuit: &Circuit, heights: &Heights, params: &BestParams) -> Plan {
        let gates = circuit.gates.len() as u64;
        let labels = (circuit.first_gate_wire() + circuit.output_bits()) as u64;
        let tenths = TABLE * circuit.gates.ands() + instruction(params) * gates + LABEL * labels;
        let memory = tenths / u64::from(params.memory);
        let path = u64::from(heights.highest);
        let cycles = heights.least_cycles(|part| {
            let moved = u128::from(memory) * u128::from(part) / u128::from(gates.max(1));
            (part / u64::from(params.engines)).max(moved as u64)
        });
        let cycles = cycles.max(path);
        // No path has more gates than cycles.
        let spare = (cycles * 3 / 4 / path.max(1)).saturating_sub(1);
        // While a path that is shorter than the window passes, nothing leaves the window: it gets
        // the time that it needs, and the rest is for going on in the baseline order. If all of a
        // long path went that way, engines would wait at its beginning and end, where little is
        // beside it, and results for gates that are far off in the baseline order would wait until
        // the window has left them: it gets all the time that there is.
        let long =
            u128::from(path) * u128::from(gates) >= u128::from(cycles) * u128::from(params.window);
        let one = 1u128 << 32;
        let times = u128::from(cycles) * one / u128::from(path.max(1));
        let stretch = if long { times } else { one };
        let left = u128::from(cycles) * one - u128::from(path) * stretch;
        Plan {
            cycles,
            path,
            pace: (left / u128::from(gates.max(1))) as u64,
            stretch: stretch as u64,
            spare: spare.min(MOST_SPARE) as u32,
            paced: !long || times < one * FAR,
        }
    }

    /// The cycle in which it is the turn of the gate that is `position`-th in the baseline order
    /// and `height` cycles from the end: its place on the path, and what the gates before it take
    /// of the time that the path leaves. A gate's turn comes after those of its operands by their
    /// latency.
    pub(super) fn turn(&self, position: u64, height: u32) -> u32 {
        let before = self.path.saturating_sub(u64::from(height));
        let cycles = u128::from(position) * u128::from(self.pace)
            + u128::from(before) * u128::from(self.stretch);
        (cycles >> 32).min(u128::from(u32::MAX)) as u32
    }
}
