//! The flattening: the flat circuit that a structured circuit stands for. AND numbers, tables,
//! labels and outputs of a structured program are those of its flattening.
//!
//! Inner calls are flattened first. Then the gates of a fold are written step after step, and those
//! of a map block after block. In a block, each gate is written once for each lane before the next
//! gate follows. So the flattening of a body in `w` lanes is defined by three rules, where slot `s`
//! of lane `l` is a wire of the flattening:
//!
//! - a gate is written for the lanes 0 to `w - 1`;
//! - a call of a function once, or a step of a fold, is the function's body in `w` lanes;
//! - a block of `b` lanes of a map is the function's body in `b * w` lanes: lane `i` of the block
//!   and lane `l` of the caller are lane `i * w + l`.

use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Form, Function, Item};
use super::size::Sizes;
use super::verify::{StructureError, verify};
use crate::circuit::{Circuit, FlipFlop, Output};
use crate::gate::Gate;
use crate::gates::Gates;
use crate::id::{Bit, Wire};
use std::io;
use thiserror::Error;

/// Most steps of a flattening: see [`steps`].
pub const MAX_STEPS: u64 = 1 << 34;

/// Errors in flattening.
#[derive(Debug, Error)]
pub enum FlattenError {
    /// The circuit is not valid.
    #[error(transparent)]
    Invalid(#[from] StructureError),
    /// The flattening has more wires than a [`Wire`] can number.
    #[error(
        "with all functions written out, the circuit has {wires} wires, more than {max}: run it \
         on an engine that runs functions",
        max = Wire::MAX
    )]
    TooManyWires {
        /// Number of wires.
        wires: u64,
    },
    /// Writing it out takes too long. Functions without gates add no wires, so the number of wires
    /// does not bound the work.
    #[error(
        "writing out all functions takes {steps} steps, more than {max}: call those with few gates \
         fewer times, or on fewer bits",
        max = MAX_STEPS
    )]
    TooManySteps {
        /// Number of steps; [`u64::MAX`] if there are more.
        steps: u64,
    },
    /// The temporary file for gates could not be written.
    #[error("cannot write the gates to a temporary file (in TMPDIR): {0}")]
    Spool(#[from] io::Error),
}

/// Returns the flattening of `circuit`, with the same ports.
///
/// Memory: that of the flat [`Circuit`]; and four bytes for each wire of the bodies of one nest of
/// calls, times the lanes of a block.
///
/// # Errors
/// If the circuit is not valid, its flattening has too many wires, or the temporary file for gates
/// cannot be written.
pub fn flatten(circuit: &StructuredCircuit) -> Result<Circuit, FlattenError> {
    let mut gates = Gates::new();
    let wires = for_each_gate(circuit, |gate| gates.push(gate))?;
    let bit = |bit: Bit| of_body(&wires, bit);
    let output = |output: &Output| output.with_bits(output.bits.map(bit));
    let flip_flops = circuit.flip_flops.iter();
    Ok(Circuit {
        inputs: circuit.inputs.clone(),
        flip_flops: flip_flops.map(|found| FlipFlop { next: bit(found.next), ..*found }).collect(),
        gates,
        outputs: circuit.outputs.iter().map(output).collect(),
        cycles: circuit.cycles,
    })
}

impl StructuredCircuit {
    /// The flat circuit with the same ports: the same gates if the outermost body has no calls, or
    /// else the flattening.
    ///
    /// # Errors
    /// As for [`flatten`].
    pub fn into_circuit(self) -> Result<Circuit, FlattenError> {
        if !self.body.calls.is_empty() {
            return flatten(&self);
        }
        Ok(Circuit {
            inputs: self.inputs,
            flip_flops: self.flip_flops,
            gates: self.body.gates,
            outputs: self.outputs,
            cycles: self.cycles,
        })
    }
}

/// Calls `emit` with each gate of the flattening, in order. Returns the wire of the flattening,
/// perhaps inverted, for each wire of the outermost body.
///
/// # Errors
/// As for [`flatten`], and those of `emit`.
pub fn for_each_gate(
    circuit: &StructuredCircuit,
    emit: impl FnMut(Gate) -> io::Result<()>,
) -> Result<Vec<Bit>, FlattenError> {
    verify(circuit)?;
    let sizes = Sizes::of(&circuit.functions).expect("a valid circuit's gates can be counted");
    let gates = sizes.of_body(&circuit.body).expect("as above").gates;
    let first = circuit.first_item_wire();
    let wires = gates.saturating_add(first as u64);
    if wires > u64::from(Wire::MAX) {
        return Err(FlattenError::TooManyWires { wires });
    }
    let steps = steps(circuit);
    if steps > MAX_STEPS {
        return Err(FlattenError::TooManySteps { steps });
    }
    let mut flattener =
        Flattener { functions: &circuit.functions, sizes: &sizes, next: first as u32, emit };
    let mut wires: Vec<Bit> = (0..first as u32).map(|number| Wire::new(number).bit()).collect();
    flattener.body(&circuit.body, &mut wires, first, 1)?;
    Ok(wires)
}

/// The steps that the flattening of a valid circuit takes: one for each wire of a body, each time
/// that the body runs. [`u64::MAX`] if 64 bits cannot count them.
pub fn steps(circuit: &StructuredCircuit) -> u64 {
    let mut of: Vec<u64> = Vec::with_capacity(circuit.functions.len());
    let of_body = |body: &Body, wires: usize, of: &[u64]| {
        let calls = body.calls.iter();
        let calls = calls.map(|call| of[call.function.index()].saturating_mul(call.form.runs()));
        calls.fold(wires as u64, u64::saturating_add)
    };
    for function in &circuit.functions {
        let wires = function.inputs as usize + function.body.wires(&circuit.functions);
        of.push(of_body(&function.body, wires, &of));
    }
    of_body(&circuit.body, circuit.wires(), &of)
}

/// The bit of the flattening for a bit of the outermost body.
fn of_body(wires: &[Bit], bit: Bit) -> Bit {
    match bit.wire() {
        Some(wire) => wires[wire.index()].invert_if(bit.is_inverted()),
        None => bit,
    }
}

struct Flattener<'a, E> {
    functions: &'a [Function],
    sizes: &'a Sizes,
    /// The wire that the next gate of the flattening drives.
    next: u32,
    emit: E,
}

impl<E: FnMut(Gate) -> io::Result<()>> Flattener<'_, E> {
    /// Writes a body in `lanes` lanes. `wires` has the wire of the flattening for each wire of the
    /// body before its first item, and gets those that the items drive: all lanes of a wire side by
    /// side.
    fn body(
        &mut self,
        body: &Body,
        wires: &mut Vec<Bit>,
        first: usize,
        lanes: usize,
    ) -> io::Result<()> {
        let functions = self.functions;
        for item in body.items(first, functions) {
            match item {
                Item::Gate(_, gate) => {
                    for lane in 0..lanes {
                        let operand = |wire: Wire| wires[wire.index() * lanes + lane];
                        (self.emit)(gate.map_operands(operand))?;
                        wires.push(Wire::new(self.next).bit());
                        self.next += 1;
                    }
                }
                Item::Call(_, call) => self.call(call, wires, lanes)?,
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &Call, wires: &mut Vec<Bit>, lanes: usize) -> io::Result<()> {
        match call.form {
            Form::Once => {
                let outputs = self.runs(call, wires, lanes, 0..1, &[])?;
                wires.extend(outputs);
            }
            Form::Map { lanes: all } => {
                let block = self.sizes.block(call);
                let mut start = 0;
                while start < all {
                    let end = all.min(start + block);
                    let outputs = self.runs(call, wires, lanes, start..end, &[])?;
                    let (in_block, side_by_side) = ((end - start) as usize, outputs.len());
                    let width = side_by_side / (in_block * lanes);
                    for i in 0..in_block {
                        for output in 0..width {
                            let at = (output * in_block + i) * lanes;
                            wires.extend_from_slice(&outputs[at..at + lanes]);
                        }
                    }
                    start = end;
                }
            }
            Form::Fold { steps, state } => {
                let state = state as usize;
                let mut carried: Vec<Bit> = Vec::with_capacity(state * lanes);
                for j in 0..state {
                    let bit = call.passed(0, j);
                    carried.extend((0..lanes).map(|lane| in_lane(wires, bit, lanes, lane)));
                }
                let mut others = Vec::new();
                for step in 0..steps {
                    let mut outputs = self.runs(call, wires, lanes, step..step + 1, &carried)?;
                    others.extend(outputs.drain(state * lanes..));
                    carried = outputs;
                }
                wires.extend(carried);
                wires.extend(others);
            }
        }
        Ok(())
    }

    /// Writes the runs `runs` of a call side by side. `state` are the first inputs, if they do not
    /// come from the arguments. Returns the outputs, all lanes of one side by side.
    fn runs(
        &mut self,
        call: &Call,
        wires: &[Bit],
        lanes: usize,
        runs: std::ops::Range<u64>,
        state: &[Bit],
    ) -> io::Result<Vec<Bit>> {
        let functions = self.functions;
        let function = &functions[call.function.index()];
        let all = lanes * (runs.end - runs.start) as usize;
        let mut inner: Vec<Bit> = state.to_vec();
        for j in state.len() / lanes..function.inputs as usize {
            for run in runs.clone() {
                let bit = call.passed(run, j);
                inner.extend((0..lanes).map(|lane| in_lane(wires, bit, lanes, lane)));
            }
        }
        self.body(&function.body, &mut inner, function.inputs as usize, all)?;
        let outputs = function.outputs.iter();
        Ok(outputs
            .flat_map(|&bit| (0..all).map(move |lane| (bit, lane)))
            .map(|(bit, lane)| in_lane(&inner, bit, all, lane))
            .collect())
    }
}

/// The wire of the flattening for bit `bit` of a body in lane `lane` of `lanes`.
fn in_lane(wires: &[Bit], bit: Bit, lanes: usize, lane: usize) -> Bit {
    let wire = bit.wire().expect("arguments and outputs are wires");
    wires[wire.index() * lanes + lane].invert_if(bit.is_inverted())
}
