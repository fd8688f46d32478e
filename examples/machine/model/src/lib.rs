//! Cycle model of the toy: one gate engine that executes a circuit's gates one by one, in program
//! order.
//!
//! The model has wires and clock cycles, but no labels. The engine computes the labels: it follows
//! the [`Step`]s that [`Toy::body`] returns.

use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Wire};

/// Clock cycles of an XOR or a copy.
pub const XOR_CYCLES: u64 = 1;

/// Clock cycles of an AND.
pub const AND_CYCLES: u64 = 4;

/// Clock frequency that the model assumes, in MHz.
pub const MHZ: f64 = 100.0;

/// Slots of the machine's label memory. Each wire of the body has its own slot.
pub const SLOTS: usize = 1 << 16;

/// An operation of the gate engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `a ^ b ^ invert`; a copy has no `b`.
    Xor {
        /// First operand.
        a: Wire,
        /// Second operand.
        b: Option<Wire>,
        /// Whether the output is inverted.
        invert: bool,
    },
    /// `(a & b) ^ invert`: one garbled table.
    And {
        /// First operand, perhaps inverted.
        a: Bit,
        /// Second operand, perhaps inverted.
        b: Bit,
        /// Whether the output is inverted.
        invert: bool,
        /// Number of the AND in the run, from 0: the tweak of its hash.
        number: u64,
    },
}

/// One executed gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The executed operation.
    pub operation: Operation,
    /// Wire that the gate drives.
    pub output: Wire,
    /// Clock cycles from the start of the run until the output is in memory.
    pub done: u64,
}

/// A known design fault. Tests inject it and show that they find it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An AND reads its second operand twice.
    SecondOperandTwice,
    /// A copy does not invert.
    CopyKeepsValue,
    /// The AND counter counts XORs too.
    NumberCountsAllGates,
    /// The AND counter restarts in each cycle of a sequential circuit.
    NumberRestarts,
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 4] = [
        Fault::SecondOperandTwice,
        Fault::CopyKeepsValue,
        Fault::NumberCountsAllGates,
        Fault::NumberRestarts,
    ];
}

/// The machine during one run.
#[derive(Debug, Default)]
pub struct Toy {
    clock_cycles: u64,
    next_and: u64,
    fault: Option<Fault>,
}

impl Toy {
    /// The machine at the start of a run.
    pub fn new(fault: Option<Fault>) -> Toy {
        Toy { fault, ..Toy::default() }
    }

    /// Executes the body of `circuit` once, one gate for each item that the iterator yields.
    pub fn body<'t>(&'t mut self, circuit: &'t Circuit) -> impl Iterator<Item = Step> + 't {
        if self.fault == Some(Fault::NumberRestarts) {
            self.next_and = 0;
        }
        let outputs = (circuit.first_gate_wire() as u32..).map(Wire::new);
        circuit.gates.iter().zip(outputs).map(|(gate, output)| self.execute(gate, output))
    }

    /// Clock cycles so far.
    pub fn clock_cycles(&self) -> u64 {
        self.clock_cycles
    }

    fn execute(&mut self, gate: Gate, output: Wire) -> Step {
        let fault = self.fault;
        let operation = match gate.kind() {
            GateKind::Xor { a, b, invert } => Operation::Xor { a, b: Some(b), invert },
            GateKind::Copy { a, invert } => {
                let invert = invert && fault != Some(Fault::CopyKeepsValue);
                Operation::Xor { a, b: None, invert }
            }
            GateKind::And { a, b, invert } => {
                let a = if fault == Some(Fault::SecondOperandTwice) { b } else { a };
                Operation::And { a, b, invert, number: self.next_and }
            }
        };
        let is_and = gate.is_and();
        self.clock_cycles += if is_and { AND_CYCLES } else { XOR_CYCLES };
        self.next_and += u64::from(is_and || fault == Some(Fault::NumberCountsAllGates));
        Step { operation, output, done: self.clock_cycles }
    }
}

/// Clock cycles of a run of `cycles` cycles of `circuit`.
pub fn clock_cycles(circuit: &Circuit, cycles: u64) -> u64 {
    let mut toy = Toy::new(None);
    for _ in 0..cycles {
        toy.body(circuit).for_each(drop);
    }
    toy.clock_cycles()
}
