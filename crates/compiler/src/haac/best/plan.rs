//! When it is each gate's turn.

use super::super::params::BestParams;
use super::heights::Heights;
use halfgate_circuit::Circuit;

#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Cycles that the program takes at least.
    cycles: u64,
    gates: u64,
}

impl Plan {
    pub(super) fn new(circuit: &Circuit, heights: &Heights, params: &BestParams) -> Plan {
        let gates = circuit.gates.len() as u64;
        let instruction = u64::from(3 + 2 * params.window.ilog2());
        // Tenths of bytes, as memory moves so many of them in a cycle.
        let ports = (circuit.first_gate_wire() + circuit.output_bits()) as u64;
        let bytes = 320 * circuit.gates.ands() + gates * instruction * 10 / 8 + 160 * ports;
        let memory = bytes / u64::from(params.memory);
        let issue = |gates: u64| gates / u64::from(params.engines);
        let moved =
            |part: u64| (u128::from(memory) * u128::from(part) / u128::from(gates.max(1))) as u64;
        let cycles = heights.least_cycles(|gates| issue(gates).max(moved(gates)));
        Plan { cycles, gates }
    }

    pub(super) fn key(&self, position: u64, height: u32) -> u32 {
        let turn = u128::from(position) * u128::from(self.cycles) / u128::from(self.gates);
        let latest = self.cycles.saturating_sub(u64::from(height));
        (turn as u64).min(latest).min(u64::from(u32::MAX)) as u32
    }
}
