//! A function may return one of its inputs, unchanged or inverted: it *passes* this bit *through*.
//! This file rewrites a structured circuit so that nothing reads the wire of such an output. The
//! bit that the caller passed in is read instead, inverted if needed. The flattening stays the
//! same.
//!
//! The label of an input bit is fetched when a gate of the flattening first reads it. A call that
//! passes the bit through may run before that, when the label is not there yet.

use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Form, Function, Item};
use crate::gate::Gate;
use crate::gates::Gates;
use crate::id::{Bit, Wire};
use std::io;

/// For each output of a function: the input that it returns, perhaps inverted; `None` if the output
/// is not an input.
pub fn passes(function: &Function) -> Vec<Option<Bit>> {
    let is_input = |bit: &&Bit| bit.wire().is_some_and(|wire| wire.number() < function.inputs);
    function.outputs.iter().map(|bit| Some(bit).filter(is_input).copied()).collect()
}

/// Returns the rewritten circuit, or `None` if no call passes a bit through.
///
/// Memory: that of the circuit, and 4 bytes for each wire of a body.
///
/// # Errors
/// If the temporary file for gates that do not fit in memory cannot be written.
pub fn without_passes(circuit: &StructuredCircuit) -> io::Result<Option<StructuredCircuit>> {
    if !circuit.functions.iter().any(|function| passes(function).iter().any(Option::is_some)) {
        // If a function passes a bit through by means of calls, some function that it calls returns
        // an input directly. So the test above finds it.
        return Ok(None);
    }
    let mut functions: Vec<Function> = Vec::with_capacity(circuit.functions.len());
    for function in &circuit.functions {
        let first = function.inputs as usize;
        let rewritten = Rewritten::of(&function.body, first, &circuit.functions, &functions)?;
        let Rewritten { body, sources } = rewritten;
        functions.push(function.with_body(body, |bit| source_of(&sources, bit)));
    }
    let first = circuit.first_item_wire();
    let rewritten = Rewritten::of(&circuit.body, first, &circuit.functions, &functions)?;
    let Rewritten { body, sources } = rewritten;
    let bit = |bit| source_of(&sources, bit);
    Ok(Some(circuit.with_bodies(functions, body, bit, |bits| bits.map(bit))))
}

/// A rewritten body.
struct Rewritten {
    body: Body,
    /// For each wire of the body so far, the bit to read in its place: the wire itself, unless a
    /// call passes a bit through to it.
    sources: Vec<Bit>,
}

impl Rewritten {
    /// Rewrites `body`, whose items follow `first` wires. `functions` are all functions of the
    /// circuit. `rewritten` are those that the body may call, already rewritten.
    fn of(
        body: &Body,
        first: usize,
        functions: &[Function],
        rewritten: &[Function],
    ) -> io::Result<Rewritten> {
        let sources = (0..first as u32).map(|number| Wire::new(number).bit()).collect();
        let mut result =
            Rewritten { body: Body { gates: Gates::new(), calls: Vec::new() }, sources };
        for item in body.items(first, functions) {
            match item {
                Item::Gate(wire, gate) => {
                    let gate: Gate = gate.map_operands(|wire| result.sources[wire.index()]);
                    result.body.gates.push(gate)?;
                    result.sources.push(wire.bit());
                }
                Item::Call(wire, call) => {
                    let call = call.with_bits(|bit| source_of(&result.sources, bit));
                    result.drive(&call, wire, &rewritten[call.function.index()]);
                    result.body.calls.push(call);
                }
            }
        }
        Ok(result)
    }

    /// Adds the sources of the wires that a rewritten call of `function` drives.
    fn drive(&mut self, call: &Call, first: Wire, function: &Function) {
        let outputs = &function.outputs;
        let count = call.wires(outputs.len()).expect("a valid call") as u32;
        let state = call.form.state() as usize;
        let each = outputs.len() - state;
        let passes = passes(function);
        for index in 0..count as usize {
            let (run, output) = match call.form {
                Form::Fold { steps, .. } if index < state => (steps - 1, index),
                _ => {
                    let index = index - state;
                    ((index / each) as u64, state + index % each)
                }
            };
            let own = Wire::new(first.number() + index as u32).bit();
            self.sources.push(source(call, &passes, run, output).unwrap_or(own));
        }
    }
}

/// The bit to read in place of `bit`.
fn source_of(sources: &[Bit], bit: Bit) -> Bit {
    match bit.wire() {
        Some(wire) => sources[wire.index()].invert_if(bit.is_inverted()),
        None => bit,
    }
}

/// The caller's bit that a call passes through to this output in this run; `None` if the function
/// computes the output. The argument `passes` is what [`passes`] returns for the function.
pub fn source(call: &Call, passes: &[Option<Bit>], run: u64, output: usize) -> Option<Bit> {
    let (run, input, inverted) = source_input(call.form.state(), passes, run, output)?;
    Some(call.passed(run, input as usize).invert_if(inverted))
}

/// Follows an output of a run back to the input that it comes from. `passes` are as for [`source`].
/// With `state` bits of state, this may be an input of an earlier run. Returns that run, the input,
/// and whether the bit is inverted; `None` if the output is computed.
pub fn source_input(
    state: u32,
    passes: &[Option<Bit>],
    mut run: u64,
    mut output: usize,
) -> Option<(u64, u32, bool)> {
    let mut inverted = false;
    // The state bits may only be exchanged among each other. After at most `state` runs, the search
    // is then at a bit to which it returns again and again. Whole periods are skipped.
    let mut period = 0;
    let mut begin = None;
    loop {
        let bit = passes[output]?;
        let input = bit.wire().expect("an input is a wire").number();
        inverted ^= bit.is_inverted();
        if run == 0 || input >= state {
            return Some((run, input, inverted));
        }
        (run, output) = (run - 1, input as usize);
        period += 1;
        match begin {
            None if period > u64::from(state) => {
                begin = Some((output, inverted));
                period = 0;
            }
            Some(at) if at == (output, inverted) => run %= period,
            _ => {}
        }
    }
}
