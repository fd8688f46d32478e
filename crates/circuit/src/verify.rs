//! Defines and checks which circuits are valid.
//!
//! 1. There are at most [`Wire::MAX`] wires.
//! 2. Each gate reads only wires below its own: input bits, flip-flops and earlier gates.
//! 3. Each input has a name, different from other inputs' names, and at least one bit. The same
//!    holds for outputs.
//! 4. Each output bit is a constant or a wire that exists, perhaps inverted.
//! 5. Each flip-flop starts from a constant or from a bit of a per-run input: a per-cycle input
//!    has no value before the first cycle.
//! 6. Each flip-flop's next state is a constant or a wire that exists, perhaps inverted.
//! 7. The body runs at least once. It runs more than once only if that makes a difference: with
//!    flip-flops or a per-cycle port.
//!
//! Code that takes a circuit from a file or another crate may rely on these invariants after
//! [`verify`] has passed.

use crate::circuit::{Circuit, Init};
use crate::id::{Bit, Wire};
use std::collections::HashSet;
use thiserror::Error;

/// A broken invariant, and its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum VerifyError {
    /// Invariant 1.
    #[error(
        "the circuit has {wires} wires, more than {max}: repeat a smaller body over cycles",
        max = Wire::MAX
    )]
    TooManyWires {
        /// Number of wires.
        wires: u64,
    },
    /// Invariant 2.
    #[error(
        "gate {gate} reads wire {operand:?}, but drives wire {output}: \
         order the gates so that each reads lower wires only"
    )]
    NotInOrder {
        /// Index of the gate.
        gate: usize,
        /// The wire that it reads.
        operand: Wire,
        /// Number of the wire that it drives.
        output: usize,
    },
    /// Invariant 3.
    #[error("{direction} {index} has no name: give it one")]
    NoName {
        /// Kind of port.
        direction: Direction,
        /// Index of the port.
        index: usize,
    },
    /// Invariant 3.
    #[error("two {direction}s are named {name:?}: rename one")]
    SameName {
        /// Kind of port.
        direction: Direction,
        /// The shared name.
        name: String,
    },
    /// Invariant 3.
    #[error("{direction} {name:?} has no bits: leave it out, or give it a width")]
    NoBits {
        /// Kind of port.
        direction: Direction,
        /// Name of the port.
        name: String,
    },
    /// Invariant 4.
    #[error("bit {bit} of output {name:?} is {wire:?}, but there are only {wires} wires")]
    NoSuchOutputWire {
        /// Name of the output.
        name: String,
        /// Index of the bit.
        bit: usize,
        /// The wire that it names.
        wire: Wire,
        /// Number of wires.
        wires: usize,
    },
    /// Invariant 5.
    #[error(
        "flip-flop {flip_flop} starts from {wire:?}, which is no bit of a per-run input: \
         start it from such a bit, or from a constant"
    )]
    NotAnInitialValue {
        /// Index of the flip-flop.
        flip_flop: usize,
        /// The wire that it names.
        wire: Wire,
    },
    /// Invariant 6.
    #[error(
        "the next state of flip-flop {flip_flop} is {wire:?}, but there are only {wires} wires"
    )]
    NoSuchNextWire {
        /// Index of the flip-flop.
        flip_flop: usize,
        /// The wire that it names.
        wire: Wire,
        /// Number of wires.
        wires: usize,
    },
    /// Invariant 7.
    #[error("the circuit runs for 0 cycles: set at least 1")]
    NoCycles,
    /// Invariant 7.
    #[error(
        "the circuit runs for {cycles} cycles, which are all the same, because it has neither \
         flip-flops nor per-cycle ports: set 1 cycle"
    )]
    IdleCycles {
        /// Number of cycles.
        cycles: u64,
    },
}

/// The kind of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// An input port.
    Input,
    /// An output port.
    Output,
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Direction::Input => "input",
            Direction::Output => "output",
        })
    }
}

/// Checks all invariants, in one pass over the gates.
///
/// # Errors
/// The first invariant that does not hold.
pub fn verify(circuit: &Circuit) -> Result<(), VerifyError> {
    verify_ports(circuit)?;
    for (gate, output) in circuit.gates.iter().zip(circuit.first_gate_wire()..) {
        if let Some(operand) = gate.operands().find(|operand| operand.index() >= output) {
            let gate = output - circuit.first_gate_wire();
            return Err(VerifyError::NotInOrder { gate, operand, output });
        }
    }
    Ok(())
}

/// Checks all invariants except the second: those that do not concern single gates.
pub(crate) fn verify_ports(circuit: &Circuit) -> Result<(), VerifyError> {
    let widths = circuit.inputs.iter().map(|input| u64::from(input.width));
    let wires = widths.sum::<u64>() + (circuit.flip_flops.len() + circuit.gates.len()) as u64;
    verify_ports_of(circuit, wires)
}

/// Like [`verify_ports`], for a circuit that has this many wires, whatever its list of gates says.
pub(crate) fn verify_ports_of(circuit: &Circuit, wires: u64) -> Result<(), VerifyError> {
    if wires > u64::from(Wire::MAX) {
        return Err(VerifyError::TooManyWires { wires });
    }
    let inputs = circuit.inputs.iter().map(|i| (i.name.as_str(), i.width as usize));
    verify_names(Direction::Input, inputs)?;
    let outputs = circuit.outputs.iter().map(|o| (o.name.as_str(), o.bits.len()));
    verify_names(Direction::Output, outputs)?;
    let wires = wires as usize;
    verify_outputs(circuit, wires)?;
    verify_flip_flops(circuit, wires)?;
    verify_cycles(circuit)
}

fn verify_names<'a>(
    direction: Direction,
    ports: impl Iterator<Item = (&'a str, usize)>,
) -> Result<(), VerifyError> {
    let mut names = HashSet::new();
    for (index, (name, width)) in ports.enumerate() {
        if name.is_empty() {
            return Err(VerifyError::NoName { direction, index });
        }
        if !names.insert(name) {
            return Err(VerifyError::SameName { direction, name: name.to_owned() });
        }
        if width == 0 {
            return Err(VerifyError::NoBits { direction, name: name.to_owned() });
        }
    }
    Ok(())
}

fn verify_outputs(circuit: &Circuit, wires: usize) -> Result<(), VerifyError> {
    for output in &circuit.outputs {
        for (bit, value) in output.bits.iter().enumerate() {
            if let Some(wire) = missing_wire(value, wires) {
                let name = output.name.clone();
                return Err(VerifyError::NoSuchOutputWire { name, bit, wire, wires });
            }
        }
    }
    Ok(())
}

fn verify_flip_flops(circuit: &Circuit, wires: usize) -> Result<(), VerifyError> {
    if circuit.flip_flops.is_empty() {
        return Ok(());
    }
    let ports: Vec<_> = circuit.inputs_with_wires().collect();
    let is_per_run = |wire: Wire| {
        let port = ports.partition_point(|&(first, _)| first <= wire).checked_sub(1);
        port.is_some_and(|port| !ports[port].1.per_cycle) && wire.index() < circuit.input_bits()
    };
    for (flip_flop, state) in circuit.flip_flops.iter().enumerate() {
        if let Init::Input(wire) = state.init
            && !is_per_run(wire)
        {
            return Err(VerifyError::NotAnInitialValue { flip_flop, wire });
        }
        if let Some(wire) = missing_wire(state.next, wires) {
            return Err(VerifyError::NoSuchNextWire { flip_flop, wire, wires });
        }
    }
    Ok(())
}

fn verify_cycles(circuit: &Circuit) -> Result<(), VerifyError> {
    let per_cycle = circuit.inputs.iter().any(|input| input.per_cycle)
        || circuit.outputs.iter().any(|output| output.per_cycle);
    match circuit.cycles {
        0 => Err(VerifyError::NoCycles),
        1 => Ok(()),
        _ if circuit.is_sequential() || per_cycle => Ok(()),
        cycles => Err(VerifyError::IdleCycles { cycles }),
    }
}

/// Returns the wire of `bit` if it is not one of the first `wires`.
fn missing_wire(bit: Bit, wires: usize) -> Option<Wire> {
    bit.wire().filter(|wire| wire.index() >= wires)
}

#[cfg(test)]
mod tests;
