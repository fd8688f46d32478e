//! The plan of a program: the bound on its time, and each gate's turn within that time.

use super::super::params::BestParams;
use super::heights::Heights;
use halfgate_circuit::Circuit;

/// Sizes of a table, a label and an out-of-range word, in tenths of bytes like
/// [`BestParams::memory`].
pub(super) const TABLE: u64 = 320;
pub(super) const LABEL: u64 = 160;
pub(super) const OOR_WORD: u64 = 40;

/// Size of an instruction in tenths of bytes: an operation, two operands and a live bit.
pub(super) fn instruction(params: &BestParams) -> u64 {
    u64::from(3 + 2 * params.window.ilog2()) * 10 / 8
}

/// The largest number of clock cycles for which a result is left unread on purpose.
const MOST_SPARE: u64 = 16;

/// If a long path takes at most a fraction 1 / `FAR` of the plan's cycles, the order of gates alone
/// keeps memory busy, and gates are not paced.
const FAR: u128 = 4;

/// The planned time of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The fewest clock cycles that the program can take.
    pub(super) cycles: u64,
    /// The greatest height: the length of the longest path in clock cycles.
    path: u64,
    /// `pace`: planned cycles for each gate of the baseline order. `stretch`: planned cycles for
    /// each cycle of the path. Both are in units of 2^-32.
    pace: u64,
    stretch: u64,
    /// Cycles that may pass between a result and its first reader without making the program
    /// longer. With such a pause, an engine that is a little late stalls no other engine.
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
        // The pause occurs at each gate of a path, and a path has at most as many gates as cycles.
        let spare = (cycles * 3 / 4 / path.max(1)).saturating_sub(1);
        // A path is short if nothing leaves the window while it runs. A short path gets exactly the
        // time that it needs, and all other time advances the baseline order. If a long path were
        // treated like this, engines would idle at its beginning and its end, where few other gates
        // can run. Its results would also leave the window before distant gates of the baseline
        // order read them. So a long path is stretched over the whole plan.
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

    /// Returns the planned cycle of the gate at index `position` of the baseline order and `height`
    /// cycles from the end. It is the length of the stretched path before the gate plus the time
    /// for the gates before it. A gate's turn is later than the turns of its operands, by at least
    /// their latency.
    pub(super) fn turn(&self, position: u64, height: u32) -> u32 {
        let before = self.path.saturating_sub(u64::from(height));
        let cycles = u128::from(position) * u128::from(self.pace)
            + u128::from(before) * u128::from(self.stretch);
        (cycles >> 32).min(u128::from(u32::MAX)) as u32
    }
}
