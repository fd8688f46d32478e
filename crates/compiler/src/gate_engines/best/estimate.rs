//! Estimates how long a program with a given order takes on the machine. The estimate is good
//! enough to choose between two orders.

use super::super::params::BestParams;
use super::addresses::Addresses;
use super::heights::latency;
use super::plan::{LABEL, OOR_WORD, TABLE, instruction};
use halfgate_circuit::{Circuit, Wire};

/// An estimate. It ignores banks, queues and interlocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Estimate {
    /// Clock cycles: those of the engines or those of the memory, whichever are more.
    pub(super) cycles: u64,
    /// Number of out-of-range reads, plus one for each of them whose label was made by a gate,
    /// because such a label must also be written.
    pub(super) spilled: u64,
}

impl Estimate {
    /// Estimates `circuit` in its present order; `inputs` of its inputs and flip-flops are used.
    /// Each engine issues in order and waits for its operands. A gate's label that is read out of
    /// range is written once per read.
    ///
    /// Memory: 8 bytes for each label of the window, and 4 bytes for each input bit and flip-flop.
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

    /// Whether this estimate is close to `cycles`, the fewest clock cycles that the program can
    /// take.
    pub(super) fn is_close_to(&self, cycles: u64) -> bool {
        self.cycles <= cycles + cycles / CLOSE
    }

    /// Whether this estimate is better than `other`: clearly faster, or about as fast with fewer
    /// spills.
    pub(super) fn beats(&self, other: &Estimate) -> bool {
        let clearly = |a: u64, b: u64| a + a / CLOSE < b;
        clearly(self.cycles, other.cycles)
            || (!clearly(other.cycles, self.cycles) && self.spilled < other.spilled)
    }
}

/// Estimates that differ by less than one part in `CLOSE` count as equal.
const CLOSE: u64 = 16;
