//! Evaluates a structured circuit on public values, without flattening it.

use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Form, Item};
use super::verify::{StructureError, verify};
use crate::bits::Bits;
use crate::circuit::{Init, Input};
use crate::clear::{check, value_of, value_of_gate};
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Errors in evaluating a structured circuit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ClearError {
    /// The circuit is not valid.
    #[error(transparent)]
    Invalid(#[from] StructureError),
    /// The values do not fit the ports.
    #[error(transparent)]
    Values(#[from] crate::clear::ClearError),
}

/// Runs `circuit` for `cycles` cycles, with inputs and outputs as for
/// [`clear::evaluate`](crate::clear::evaluate).
///
/// Memory: a byte for each wire of the outermost body and of one nest of calls, and the values.
///
/// # Errors
/// If the circuit is not valid or the values do not fit it.
pub fn evaluate(
    circuit: &StructuredCircuit,
    inputs: &[Bits],
    cycles: u64,
) -> Result<Vec<Bits>, ClearError> {
    let outputs = evaluate_until(circuit, inputs, cycles, &AtomicBool::new(false))?;
    Ok(outputs.expect("nothing sets the cancel flag"))
}

/// As [`evaluate`]. Returns `None` soon after `cancel` is set.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_until(
    circuit: &StructuredCircuit,
    inputs: &[Bits],
    cycles: u64,
    cancel: &AtomicBool,
) -> Result<Option<Vec<Bits>>, ClearError> {
    verify(circuit)?;
    check(&circuit.inputs, inputs.iter().map(Bits::len), cycles)?;
    let mut outputs: Vec<Bits> = circuit.outputs.iter().map(|_| Bits::new()).collect();
    let mut state: Vec<bool> = Vec::new();
    for cycle in 0..cycles {
        let mut wires = input_values(&circuit.inputs, inputs, cycle);
        if cycle == 0 {
            state.extend(circuit.flip_flops.iter().map(|flip_flop| match flip_flop.init {
                Init::Constant(value) => value,
                Init::Input(wire) => wires[wire.index()],
            }));
        }
        wires.append(&mut state);
        let first = circuit.first_item_wire();
        if body(circuit, &circuit.body, first, &mut wires, cancel).is_none() {
            return Ok(None);
        }
        for (output, values) in circuit.outputs.iter().zip(&mut outputs) {
            if output.per_cycle || cycle + 1 == cycles {
                output.bits.iter().for_each(|bit| values.push(value_of(&wires, bit)));
            }
        }
        state.extend(circuit.flip_flops.iter().map(|found| value_of(&wires, found.next)));
    }
    Ok(Some(outputs))
}

/// The values of the input bits in a cycle.
fn input_values(ports: &[Input], values: &[Bits], cycle: u64) -> Vec<bool> {
    let bits = |(port, values): (&Input, &Bits)| {
        let width = port.width as usize;
        let first = if port.per_cycle { cycle as usize * width } else { 0 };
        (first..first + width).map(|index| values.get(index)).collect::<Vec<bool>>()
    };
    ports.iter().zip(values).flat_map(bits).collect()
}

/// Appends the value of each wire that the body's items drive. Returns `None` if cancelled.
fn body(
    circuit: &StructuredCircuit,
    body: &Body,
    first: usize,
    wires: &mut Vec<bool>,
    cancel: &AtomicBool,
) -> Option<()> {
    if cancel.load(Ordering::Relaxed) {
        return None;
    }
    for item in body.items(first, &circuit.functions) {
        match item {
            Item::Gate(_, gate) => wires.push(value_of_gate(wires, gate)),
            Item::Call(_, call) => run_call(circuit, call, wires, cancel)?,
        }
    }
    Some(())
}

fn run_call(
    circuit: &StructuredCircuit,
    call: &Call,
    wires: &mut Vec<bool>,
    cancel: &AtomicBool,
) -> Option<()> {
    let function = &circuit.functions[call.function.index()];
    let (inputs, state) = (function.inputs as usize, call.form.state() as usize);
    let mut carried: Vec<bool> =
        (0..state).map(|input| value_of(wires, call.passed(0, input))).collect();
    let mut driven = Vec::new();
    for run in 0..call.form.runs() {
        let mut inner = std::mem::take(&mut carried);
        inner.extend((state..inputs).map(|input| value_of(wires, call.passed(run, input))));
        body(circuit, &function.body, inputs, &mut inner, cancel)?;
        let outputs = function.outputs.iter().map(|&bit| value_of(&inner, bit));
        let (next, others) = (outputs.clone().take(state), outputs.skip(state));
        carried.extend(next);
        driven.extend(others);
    }
    if let Form::Fold { .. } = call.form {
        wires.extend(carried);
    }
    wires.extend(driven);
    Some(())
}
