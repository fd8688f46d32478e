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

/// The program's time, as it should be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Cycles that the program takes at least.
    pub(super) cycles: u64,
    gates: u64,
    /// Cycles that may pass between a result and its first reader without making the program
    /// longer. In-order engines that are a little late then stop nobody.
    pub(super) spare: u32,
}

impl Plan {
    pub(super) fn new(circuit: &Circuit, heights: &Heights, params: &BestParams) -> Plan {
        let gates = circuit.gates.len() as u64;
        let labels = (circuit.first_gate_wire() + circuit.output_bits()) as u64;
        let tenths = TABLE * circuit.gates.ands() + instruction(params) * gates + LABEL * labels;
        let memory = tenths / u64::from(params.memory);
        let cycles = heights.least_cycles(|part| {
            let moved = u128::from(memory) * u128::from(part) / u128::from(gates.max(1));
            (part / u64::from(params.engines)).max(moved as u64)
        });
        // No path has more gates than cycles.
        let spare = (cycles * 3 / 4 / u64::from(heights.highest.max(1))).saturating_sub(1);
        Plan { cycles, gates, spare: spare.min(MOST_SPARE) as u32 }
    }

    /// The cycle in which it is the turn of the gate that is `position`-th in the baseline order and
    /// `height` cycles from the end: when it would be if the baseline ran at full speed, or
    /// earlier if the gates after it need more time than is left then.
    pub(super) fn turn(&self, position: u64, height: u32) -> u32 {
        let in_turn =
            u128::from(position) * u128::from(self.cycles) / u128::from(self.gates.max(1));
        let latest = self.cycles.saturating_sub(u64::from(height));
        (in_turn as u64).min(latest).min(u64::from(u32::MAX)) as u32
    }
}
