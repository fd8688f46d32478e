//! Writes small functions out where they are called, in the order `grouped`.
//!
//! Entering and leaving a function takes as long as some dozens of ANDs, and gates are not grouped
//! across a call. So a call once or a fold is written out if all its gates are at most
//! [`MOST_GATES`], in a body that runs in few lanes, and if the function has no calls of its own
//! left. Maps stay, since they fill vectors.
//!
//! A gate takes the compiler ten to fifty times as long as a run of it, so a body whose small calls
//! have more than [`MOST_IN_BODY`] gates together keeps them all.

use crate::lanes::least_lanes;
use crate::renaming::Renaming;
use halfgate_circuit::structured::size::WIDE;
use halfgate_circuit::structured::{Body, Call, Form, Function, Item, StructuredCircuit};
use halfgate_circuit::{Bit, Gates, Wire};
use std::io;

/// The most gates that are written out in place of a call.
pub(crate) const MOST_GATES: u64 = 128;
/// The most gates that are written out in a body; they take some 10 ms.
const MOST_IN_BODY: u64 = 1 << 16;

/// Writes out the calls of small functions in a valid circuit.
///
/// Memory: that of the circuit, and of [`MOST_IN_BODY`] gates for each body.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn inline_small(mut circuit: StructuredCircuit) -> io::Result<StructuredCircuit> {
    let lanes = least_lanes(&circuit);
    let first = circuit.first_item_wire();
    let mut done: Vec<Function> = Vec::with_capacity(circuit.functions.len());
    for (function, lanes) in std::mem::take(&mut circuit.functions).into_iter().zip(lanes) {
        let is_rewritten = lanes < WIDE && has_small(&function.body, function.inputs, &done);
        done.push(match is_rewritten {
            false => function,
            true => {
                let (body, names) = inline_in(&function.body, function.inputs as usize, &done)?;
                function.with_body(body, |bit| names.bit(bit))
            }
        });
    }
    if !has_small(&circuit.body, first as u32, &done) {
        circuit.functions = done;
        return Ok(circuit);
    }
    let (body, names) = inline_in(&circuit.body, first, &done)?;
    Ok(circuit.with_bodies(done, body, |bit| names.bit(bit), |bits| names.runs(bits)))
}

/// Whether a body, whose items follow `first` wires, has calls to write out. None are if they have
/// too many gates together, or if the body would then have too many wires.
fn has_small(body: &Body, first: u32, functions: &[Function]) -> bool {
    let small = body.calls.iter().filter(|call| is_small(call, functions));
    let (mut count, mut gates) = (0_u64, 0_u64);
    for call in small {
        count += 1;
        gates += call.form.runs() * functions[call.function.index()].body.gates.len() as u64;
    }
    let wires = u64::from(first) + body.wires(functions) as u64;
    count > 0 && gates <= MOST_IN_BODY && wires + gates <= u64::from(Wire::MAX)
}

fn is_small(call: &Call, functions: &[Function]) -> bool {
    let body = &functions[call.function.index()].body;
    let gates = (body.gates.len() as u64).checked_mul(call.form.runs());
    let is_map = matches!(call.form, Form::Map { .. });
    // The number of steps matters too if a step has no gates.
    let is_short = gates.is_some_and(|gates| gates.max(call.form.runs()) <= MOST_GATES);
    !is_map && body.calls.is_empty() && is_short
}

/// Writes the small calls of a body out. Returns the new names of its wires too.
fn inline_in(body: &Body, first: usize, functions: &[Function]) -> io::Result<(Body, Renaming)> {
    let mut inlining = Inlining {
        gates: Gates::new(),
        calls: Vec::new(),
        names: Renaming::default(),
        next: first as u32,
    };
    for item in body.items(first, functions) {
        match item {
            Item::Gate(wire, gate) => {
                let new = inlining.next;
                let gate = gate.map_operands(|wire| inlining.names.get(wire));
                inlining.gates.push(gate)?;
                inlining.next += 1;
                inlining.names.wires(wire, 1, Wire::new(new));
            }
            Item::Call(wire, call) => {
                let new = inlining.names.call(call);
                let callee = &functions[call.function.index()];
                match is_small(call, functions) {
                    true => {
                        let bits = inlining.write_out(&new, callee)?;
                        inlining.names.bits(wire, bits);
                    }
                    false => inlining.keep(new, callee, wire),
                }
            }
        }
    }
    let Inlining { gates, calls, names, .. } = inlining;
    Ok((Body { gates, calls }, names))
}

/// A body that is being written.
struct Inlining {
    gates: Gates,
    calls: Vec<Call>,
    names: Renaming,
    /// The next wire.
    next: u32,
}

impl Inlining {
    /// Keeps a call, which drove wires from `wire` on.
    fn keep(&mut self, call: Call, callee: &Function, wire: Wire) {
        let count = call.wires(callee.outputs.len()).expect("a valid call") as u32;
        self.names.wires(wire, count, Wire::new(self.next));
        self.next += count;
        self.calls.push(Call { after: self.gates.len(), ..call });
    }

    /// Writes a call's runs one after the other. Returns the bits that it gives.
    fn write_out(&mut self, call: &Call, callee: &Function) -> io::Result<Vec<Bit>> {
        let state = call.form.state() as usize;
        let mut now: Vec<Bit> = (0..state).map(|input| call.passed(0, input)).collect();
        let mut given = Vec::new();
        for run in 0..call.form.runs() {
            let others = (state..callee.inputs as usize).map(|input| call.passed(run, input));
            let mut bits: Vec<Bit> = now.iter().copied().chain(others).collect();
            for gate in callee.body.gates.iter() {
                let bit = |wire: Wire| bits[wire.index()];
                self.gates.push(gate.map_operands(bit))?;
                bits.push(Wire::new(self.next).bit());
                self.next += 1;
            }
            let output = |bit: &Bit| {
                let wire = bit.wire().expect("outputs of functions are wires");
                bits[wire.index()].invert_if(bit.is_inverted())
            };
            now = callee.outputs[..state].iter().map(output).collect();
            given.extend(callee.outputs[state..].iter().map(output));
        }
        now.extend(given);
        Ok(now)
    }
}
