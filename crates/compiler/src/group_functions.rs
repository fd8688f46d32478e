//! The order `grouped` of circuits with functions.
//!
//! A body's gates are grouped between its calls, in pieces of at most `window` gates. What calls
//! drive keeps its wires. Nothing is dropped: a piece has the same gates in another order.
//!
//! These stay as they are written:
//!
//! - functions that always run in [`WIDE`] lanes or more, since a vector has the same AND of
//!   several lanes, and more wires alive at once would only cost memory;
//! - pieces that drive a wire of a sliced argument, whose wires must keep their distances.

use crate::group::group;
use crate::lanes::least_lanes;
use crate::renaming::Renaming;
use crate::uses::Uses;
use halfgate_circuit::structured::size::WIDE;
use halfgate_circuit::structured::{Argument, Body, Call, Function, Item, StructuredCircuit};
use halfgate_circuit::{BitRuns, Circuit, Gate, Gates, Input, Output, Party, Wire};
use std::io;

/// Puts the functions and the outermost body of a valid circuit in the order `grouped:window`.
///
/// Memory: that of the circuit, 4 bytes for each of its gates, and 96 bytes for each gate of the
/// window.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn group_functions(
    mut circuit: StructuredCircuit,
    window: u32,
) -> io::Result<StructuredCircuit> {
    let lanes = least_lanes(&circuit);
    let first = circuit.first_item_wire();
    let mut grouped: Vec<Function> = Vec::with_capacity(circuit.functions.len());
    for (function, lanes) in std::mem::take(&mut circuit.functions).into_iter().zip(lanes) {
        grouped.push(match lanes {
            WIDE.. => function,
            _ => {
                let first = function.inputs as usize;
                let (body, names) = group_body(&function.body, first, &grouped, window)?;
                function.with_body(body, |bit| names.bit(bit))
            }
        });
    }
    let (body, names) = group_body(&circuit.body, first, &grouped, window)?;
    Ok(circuit.with_bodies(grouped, body, |bit| names.bit(bit), |bits| names.runs(bits)))
}

/// Groups a body, whose items follow `first` wires. `functions` are those that it may call. Returns
/// the new names of its wires too.
fn group_body(
    body: &Body,
    first: usize,
    functions: &[Function],
    window: u32,
) -> io::Result<(Body, Renaming)> {
    let mut grouping = Grouping {
        window,
        sliced: Intervals::of(body.calls.iter().flat_map(sliced).collect()),
        piece: Gates::new(),
        names: Renaming::default(),
        grouped: Body::default(),
    };
    let mut piece = Wire::new(first as u32);
    for item in body.items(first, functions) {
        match item {
            Item::Gate(wire, gate) => {
                if grouping.piece.len() == window as usize {
                    grouping.end_piece(piece)?;
                }
                if grouping.piece.is_empty() {
                    piece = wire;
                }
                grouping.gate(gate)?;
            }
            Item::Call(_, call) => {
                grouping.end_piece(piece)?;
                let call = grouping.names.call(call);
                grouping.grouped.calls.push(call);
            }
        }
    }
    grouping.end_piece(piece)?;
    Ok((grouping.grouped, grouping.names))
}

/// The intervals of wires that the call's slices are in.
fn sliced(call: &Call) -> impl Iterator<Item = (u32, u32)> {
    let slices = call.arguments.iter().filter(|a| matches!(a, Argument::Sliced { .. }));
    slices.map(|slice| slice.interval(call.form.runs()))
}

/// A body that is being grouped.
struct Grouping {
    window: u32,
    sliced: Intervals,
    /// The gates of the piece so far. Wires of earlier pieces have their new names.
    piece: Gates,
    names: Renaming,
    grouped: Body,
}

impl Grouping {
    fn gate(&mut self, gate: Gate) -> io::Result<()> {
        self.piece.push(gate.map_operands(|wire| self.names.get(wire)))
    }

    /// Groups the piece, whose first gate drives `first`.
    fn end_piece(&mut self, first: Wire) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        let (low, count) = (first.number(), piece.len() as u32);
        if count < 2 || self.sliced.meet(low, low + count - 1) {
            return piece.iter().try_for_each(|gate| self.grouped.gates.push(gate));
        }
        let circuit = as_circuit(piece, first);
        let uses = Uses::of(&circuit)?;
        let circuit = group(circuit, uses, self.window)?;
        circuit.gates.iter().try_for_each(|gate| self.grouped.gates.push(gate))?;
        self.names.bits(first, circuit.outputs[0].bits.to_vec());
        Ok(())
    }
}

/// Intervals of wires, with their ends.
struct Intervals {
    /// By first wire: that, and the highest wire of all intervals up to this one.
    sorted: Vec<(u32, u32)>,
}

impl Intervals {
    fn of(mut intervals: Vec<(u32, u32)>) -> Intervals {
        intervals.sort_unstable();
        let mut highest = 0;
        for (_, last) in &mut intervals {
            highest = highest.max(*last);
            *last = highest;
        }
        Intervals { sorted: intervals }
    }

    /// Whether any of them has a wire from `low` to `high`.
    fn meet(&self, low: u32, high: u32) -> bool {
        let begun = self.sorted.partition_point(|&(first, _)| first <= high);
        self.sorted[..begun].last().is_some_and(|&(_, highest)| highest >= low)
    }
}

/// A piece as a circuit. Its inputs are all wires before it, and its outputs all that it drives.
fn as_circuit(piece: Gates, first: Wire) -> Circuit {
    let input = Input {
        name: String::new(),
        party: Party::Garbler,
        width: first.number(),
        per_cycle: false,
        elements: None,
        is_set: false,
    };
    let output = Output {
        name: String::new(),
        bits: BitRuns::of_wires(first, piece.len() as u32),
        per_cycle: false,
        elements: None,
    };
    Circuit {
        inputs: vec![input],
        flip_flops: Vec::new(),
        gates: piece,
        outputs: vec![output],
        cycles: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn intervals_meet_where_one_of_them_does(
            all in prop::collection::vec((0u32..100, 0u32..20), 0..8),
            low in 0u32..120,
            count in 0u32..10,
        ) {
            let all: Vec<_> = all.into_iter().map(|(first, more)| (first, first + more)).collect();
            let high = low + count;
            let one = all.iter().any(|&(first, last)| first <= high && last >= low);
            prop_assert_eq!(Intervals::of(all).meet(low, high), one);
        }
    }
}
