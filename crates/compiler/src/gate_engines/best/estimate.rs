//! What an order costs on the machine, roughly: enough to choose between two.

use super::super::params::BestParams;
use super::addresses::Addresses;
use super::heights::latency;
use super::plan::{LABEL, OOR_WORD, TABLE, instruction};
use halfgate_circuit::{Circuit, Wire};

/// An estimate. Banks, queues and interlocks are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Estimate {
    /// Cycles: those of the engines or those of memory, whichever are more.
    pub(super) cycles: u64,
    /// Labels that are read out of range, and those of them that gates made.
    pub(super) spilled: u64,
}

impl Estimate {
    /// Of `circuit` in the order that it is in, `inputs` of whose inputs and flip-flops are used.
    /// Each engine issues in order and waits for its operands; each label of a gate that is read
    /// out of range is written once a read.
    ///
    /// Memory: 8 bytes for each label of the window, 4 for each input bit and flip-flop.
    pub(super) fn of(circuit: &Circuit, inputs: usize, params: &BestParams) -> Estimate {
        let first = circuit.first_gate_wire();
        let mut addresses = Addresses::new(first, inputs, params.window);
        let mut free = vec![0u64; params.engines as usize];
        let mut known = vec![0u64; params.window as usize];
        let slot = |address: u64| address as usize & (params.window as usize - 1);
        let (mut end, mut tenths, mut spilled) = (0, 0, 0);
        let mut engine = 0;
        for (wire, gate) in (first as u32..).zip(circuit.gates.iter()) {
            let mut issued = free[engine];
            for operand in gate.operands().map(Wire::number) {
                addresses.read(operand);
                if addresses.in_window(operand, wire) {
                    issued = issued.max(known[slot(addresses.of(operand))]);
                } else {
                    let written = u64::from(operand >= first as u32);
                    spilled += 1 + written;
                    tenths += OOR_WORD + LABEL * (1 + written);
                }
            }
            let done = issued + u64::from(latency(gate, params));
            known[slot(addresses.of(wire))] = done;
            free[engine] = issued + 1;
            engine = (engine + 1) % params.engines as usize;
            end = end.max(done);
            tenths += instruction(params) + if gate.is_and() { TABLE } else { 0 };
        }
        tenths += LABEL * (inputs + circuit.output_bits()) as u64;
        Estimate { cycles: end.max(tenths / u64::from(params.memory)), spilled }
    }

    /// Whether there is little to gain over this one where at least `cycles` are needed.
    pub(super) fn is_close_to(&self, cycles: u64) -> bool {
        self.cycles <= cycles + cycles / CLOSE
    }

    /// Whether this one is to be preferred to `other`: clearly faster, or as fast with less
    /// spilled.
    pub(super) fn beats(&self, other: &Estimate) -> bool {
        let clearly = |a: u64, b: u64| a + a / CLOSE < b;
        clearly(self.cycles, other.cycles)
            || (!clearly(other.cycles, self.cycles) && self.spilled < other.spilled)
    }
}

/// One over the part of the cycles that estimates may be wrong by.
const CLOSE: u64 = 16;
