//! Evaluates a circuit on public values. Garbled runs are tested against this evaluation.

use crate::bits::Bits;
use crate::circuit::{Circuit, Init, Input};
use crate::gate::{Gate, GateKind};
use crate::id::Bit;
use crate::verify::{VerifyError, verify};
use thiserror::Error;

/// Errors in evaluating a circuit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ClearError {
    /// The circuit is not valid.
    #[error(transparent)]
    Invalid(#[from] VerifyError),
    /// The number of values differs from the number of inputs.
    #[error("{found} values for {expected} inputs: give one for each input of both parties")]
    Inputs {
        /// Number of inputs.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// A value has the wrong length.
    #[error("the value of input {name:?} has {found} bits, not {expected}, for {cycles} cycles")]
    Width {
        /// The input's name.
        name: String,
        /// Width of the input, times the number of cycles for a per-cycle input.
        expected: u128,
        /// Number of bits given.
        found: usize,
        /// Number of cycles.
        cycles: u64,
    },
    /// A run of zero cycles has no outputs.
    #[error("cannot run for 0 cycles: give at least 1")]
    NoCycles,
}

/// Runs `circuit` for `cycles` cycles on one value for each input, and returns one value for each
/// output. A per-run value has the port's width. A per-cycle value has that width for each cycle,
/// the first cycle's bits first.
///
/// Memory: a byte for each wire, and the values.
///
/// # Errors
/// If the circuit is not valid or the values do not fit it.
pub fn evaluate(circuit: &Circuit, inputs: &[Bits], cycles: u64) -> Result<Vec<Bits>, ClearError> {
    verify(circuit)?;
    check(&circuit.inputs, inputs.iter().map(Bits::len), cycles)?;
    let mut outputs: Vec<Bits> = circuit.outputs.iter().map(|_| Bits::new()).collect();
    run(
        circuit,
        cycles,
        &mut Vec::new(),
        |port, index| inputs[port].get(index),
        |port, value: bool| outputs[port].push(value),
    );
    Ok(outputs)
}

/// Runs `circuit` on `64 * L` sets of values at once, each in its own lane: lane `64i + j` is bit
/// `j` of word `i`. Inputs and outputs are as in [`evaluate`], with `L` words of lanes in place of
/// each bit.
///
/// Memory: `8 * L` bytes for each wire, and the values.
///
/// # Errors
/// If the circuit is not valid or the values do not fit it.
pub fn evaluate_lanes<const L: usize>(
    circuit: &Circuit,
    inputs: &[Vec<[u64; L]>],
    cycles: u64,
) -> Result<Vec<Vec<[u64; L]>>, ClearError> {
    let mut outputs = Vec::new();
    LanesEvaluator::new(circuit)?.evaluate(inputs, cycles, &mut outputs)?;
    Ok(outputs)
}

/// Runs [`evaluate_lanes`] repeatedly: verifies the circuit once, and keeps the memory.
///
/// Memory: `8 * L` bytes for each wire.
pub struct LanesEvaluator<'a, const L: usize> {
    circuit: &'a Circuit,
    wires: Vec<[u64; L]>,
}

impl<'a, const L: usize> LanesEvaluator<'a, L> {
    /// Creates an evaluator of `circuit`.
    ///
    /// # Errors
    /// If the circuit is not valid.
    pub fn new(circuit: &'a Circuit) -> Result<LanesEvaluator<'a, L>, ClearError> {
        verify(circuit)?;
        Ok(LanesEvaluator { circuit, wires: Vec::new() })
    }

    /// Like [`evaluate_lanes`], but writes to `outputs`, whose memory is reused.
    ///
    /// # Errors
    /// If the values do not fit the circuit.
    pub fn evaluate(
        &mut self,
        inputs: &[Vec<[u64; L]>],
        cycles: u64,
        outputs: &mut Vec<Vec<[u64; L]>>,
    ) -> Result<(), ClearError> {
        check(&self.circuit.inputs, inputs.iter().map(Vec::len), cycles)?;
        outputs.resize(self.circuit.outputs.len(), Vec::new());
        outputs.iter_mut().for_each(Vec::clear);
        run(
            self.circuit,
            cycles,
            &mut self.wires,
            |port, index| inputs[port][index],
            |port, value| outputs[port].push(value),
        );
        Ok(())
    }
}

/// Checks that there is a value of the right length for each port.
pub(crate) fn check(
    ports: &[Input],
    lengths: impl ExactSizeIterator<Item = usize>,
    cycles: u64,
) -> Result<(), ClearError> {
    if cycles == 0 {
        return Err(ClearError::NoCycles);
    }
    if lengths.len() != ports.len() {
        return Err(ClearError::Inputs { expected: ports.len(), found: lengths.len() });
    }
    for (input, found) in ports.iter().zip(lengths) {
        let times = if input.per_cycle { u128::from(cycles) } else { 1 };
        let expected = u128::from(input.width) * times;
        if expected != found as u128 {
            return Err(ClearError::Width { name: input.name.clone(), expected, found, cycles });
        }
    }
    Ok(())
}

/// The value of a wire: a bit for each lane.
pub(crate) trait Value: Copy {
    /// Returns `value` in every lane.
    fn constant(value: bool) -> Self;
    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;

    fn invert_if(self, invert: bool) -> Self {
        self.xor(Self::constant(invert))
    }
}

impl Value for bool {
    fn constant(value: bool) -> bool {
        value
    }
    fn xor(self, other: bool) -> bool {
        self ^ other
    }
    fn and(self, other: bool) -> bool {
        self & other
    }
}

impl<const L: usize> Value for [u64; L] {
    fn constant(value: bool) -> [u64; L] {
        [if value { !0 } else { 0 }; L]
    }
    fn xor(self, other: [u64; L]) -> [u64; L] {
        std::array::from_fn(|i| self[i] ^ other[i])
    }
    fn and(self, other: [u64; L]) -> [u64; L] {
        std::array::from_fn(|i| self[i] & other[i])
    }
}

/// Runs a valid circuit. `input(port, index)` returns bit `index` of a port's value, counted over
/// all cycles. `output(port, value)` receives an output's bits in order. Previous contents of
/// `wires` are dropped.
fn run<V: Value>(
    circuit: &Circuit,
    cycles: u64,
    wires: &mut Vec<V>,
    input: impl Fn(usize, usize) -> V,
    mut output: impl FnMut(usize, V),
) {
    wires.reserve(circuit.wires().saturating_sub(wires.len()));
    let mut state: Vec<V> = Vec::new();
    for cycle in 0..cycles {
        wires.clear();
        for (port, declared) in circuit.inputs.iter().enumerate() {
            let width = declared.width as usize;
            let first = if declared.per_cycle { cycle as usize * width } else { 0 };
            wires.extend((first..first + width).map(|index| input(port, index)));
        }
        if cycle == 0 {
            let initial = circuit.flip_flops.iter().map(|flip_flop| match flip_flop.init {
                Init::Constant(value) => V::constant(value),
                Init::Input(wire) => wires[wire.index()],
            });
            state.extend(initial);
        }
        wires.extend_from_slice(&state);
        run_gates(circuit, wires);
        for (port, declared) in circuit.outputs.iter().enumerate() {
            if declared.per_cycle || cycle + 1 == cycles {
                declared.bits.iter().for_each(|bit| output(port, value_of(wires, bit)));
            }
        }
        state.clear();
        state.extend(circuit.flip_flops.iter().map(|f| value_of(wires, f.next)));
    }
}

/// Appends the value of each gate's wire.
fn run_gates<V: Value>(circuit: &Circuit, wires: &mut Vec<V>) {
    for gate in circuit.gates.iter() {
        wires.push(value_of_gate(wires, gate));
    }
}

/// The value of the wire that `gate` drives.
#[inline]
pub(crate) fn value_of_gate<V: Value>(wires: &[V], gate: Gate) -> V {
    match gate.kind() {
        GateKind::Xor { a, b, invert } => wires[a.index()].xor(wires[b.index()]).invert_if(invert),
        GateKind::And { a, b, invert } => {
            value_of(wires, a).and(value_of(wires, b)).invert_if(invert)
        }
        GateKind::Copy { a, invert } => wires[a.index()].invert_if(invert),
    }
}

#[inline]
pub(crate) fn value_of<V: Value>(wires: &[V], bit: Bit) -> V {
    match bit.wire() {
        Some(wire) => wires[wire.index()].invert_if(bit.is_inverted()),
        None => V::constant(bit.is_inverted()),
    }
}

#[cfg(test)]
mod tests;
