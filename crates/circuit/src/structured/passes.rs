//! A function may return one of its inputs, unchanged or inverted: it *passes* this bit *through*.
//! This file rewrites a structured circuit so that nothing reads the wire of such an output. The
//! bit that the caller passed in is read instead, inverted if needed. The flattening stays the
//! same.
//!
//! The label of an input bit is fetched when a gate of the flattening first reads it. A call that
//! passes the bit through may run before that, when the label is not there yet.

use super::argument::Argument;
use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Form, Function, Item};
use crate::circuit::{FlipFlop, Output};
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
        let outputs = function.outputs.iter().map(|&bit| rewritten.bit(bit)).collect();
        functions.push(Function {
            name: function.name.clone(),
            inputs: function.inputs,
            body: rewritten.body,
            outputs,
        });
    }
    let first = circuit.first_item_wire();
    let rewritten = Rewritten::of(&circuit.body, first, &circuit.functions, &functions)?;
    let output = |output: &Output| output.with_bits(output.bits.map(|bit| rewritten.bit(bit)));
    let next = |found: &FlipFlop| FlipFlop { next: rewritten.bit(found.next), ..*found };
    let outputs = circuit.outputs.iter().map(output).collect();
    let flip_flops = circuit.flip_flops.iter().map(next).collect();
    Ok(Some(StructuredCircuit {
        inputs: circuit.inputs.clone(),
        flip_flops,
        functions,
        body: rewritten.body,
        outputs,
        cycles: circuit.cycles,
    }))
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
                    let call = result.call(call);
                    result.drive(&call, wire, &rewritten[call.function.index()]);
                    result.body.calls.push(call);
                }
            }
        }
        Ok(result)
    }

    fn bit(&self, bit: Bit) -> Bit {
        match bit.wire() {
            Some(wire) => self.sources[wire.index()].invert_if(bit.is_inverted()),
            None => bit,
        }
    }

    fn call(&self, call: &Call) -> Call {
        let bits = |bits: &[Bit]| bits.iter().map(|&bit| self.bit(bit)).collect();
        let argument = |argument: &Argument| match argument {
            Argument::Shared(shared) => Argument::Shared(bits(shared)),
            Argument::Listed { width, bits: listed } => Argument::of_runs(*width, bits(listed)),
            Argument::Sliced { width, run_stride: 0, .. } => {
                let bits = (0..*width as usize).map(|j| argument.bit(0, j));
                match bits.clone().all(|bit| self.bit(bit) == bit) {
                    true => argument.clone(),
                    false => Argument::Shared(bits.map(|bit| self.bit(bit)).collect()),
                }
            }
            Argument::Sliced { width, .. } => {
                let runs = 0..call.form.runs();
                let all = runs.flat_map(|run| (0..*width as usize).map(move |j| (run, j)));
                let is_same = |(run, j)| self.bit(argument.bit(run, j)) == argument.bit(run, j);
                match all.clone().all(is_same) {
                    true => argument.clone(),
                    false => {
                        let bits = all.map(|(run, j)| self.bit(argument.bit(run, j))).collect();
                        Argument::of_runs(*width, bits)
                    }
                }
            }
        };
        Call { arguments: call.arguments.iter().map(argument).collect(), ..call.clone() }
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
