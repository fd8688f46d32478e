//! Functions, calls, maps and folds on the builder.

use super::array::Array;
use super::{BuildError, Builder};
use crate::bit_runs::BitRuns;
use crate::circuit::{Input, Party};
use crate::gate::Gate;
use crate::id::{Bit, Wire};
use crate::structured::{
    Argument, Body, Call, Form, Function, FunctionId, StructuredCircuit, verify,
};
use std::sync::Arc;

/// An argument of a map or a fold.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// The same bits in each lane or step.
    Shared(&'a [Bit]),
    /// Different bits in each lane or step: those of run 0, then those of run 1, and so on.
    Sliced(&'a [Bit]),
    /// An element in each lane or step.
    Array(Array),
}

/// A function of the circuit being built: see [`Builder::function`].
#[derive(Clone, Debug)]
pub struct Defined {
    pub(super) inputs: usize,
    /// None if all outputs are constants.
    pub(super) function: Option<FunctionId>,
    /// Constants, and numbers of the function's outputs.
    pub(super) outputs: Vec<Defines>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Defines {
    Constant(bool),
    Output(usize),
}

/// The result of a fold: see [`Builder::fold`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folded {
    /// The state after the last step.
    pub state: Vec<Bit>,
    /// The other outputs of each step; empty if there are none.
    pub outputs: Array,
}

/// An argument before it is stored.
pub(super) enum Passing {
    Shared(Vec<Bit>),
    Runs { width: usize, bits: Vec<Bit> },
    Stored(Argument),
}

impl Builder {
    /// Declares an input of `len` elements of `width` bits, the same in every cycle.
    ///
    /// # Panics
    /// As for [`input`](Builder::input).
    pub fn input_array(
        &mut self,
        name: impl Into<String>,
        party: Party,
        width: u32,
        len: u32,
    ) -> Array {
        let bits = width.saturating_mul(len);
        let first = self.declare_input(Input {
            name: name.into(),
            party,
            width: bits,
            per_cycle: false,
            elements: None,
            is_set: false,
        });
        Array { first: first.unwrap_or(Wire::new(0)), width, len }
    }

    /// Declares an output of all elements of `array`.
    pub fn output_array(&mut self, name: impl Into<String>, array: Array) {
        let bits = BitRuns::of_wires(array.first, array.width.saturating_mul(array.len));
        self.declare_output(name.into(), bits, false);
    }

    /// Defines a function of `inputs` bits. `build` gets a builder of its body and the input bits,
    /// and returns the output bits. A function equal to an earlier one is stored once.
    pub fn function(
        &mut self,
        name: &str,
        inputs: usize,
        build: impl FnOnce(&mut Builder, &[Bit]) -> Vec<Bit>,
    ) -> Defined {
        self.define(name, inputs, Outputs::Fold, build)
    }

    /// Calls a function once. Constants among the arguments are folded: the circuit then calls a
    /// variant of the function that is made for these constants.
    ///
    /// # Panics
    /// If the number of bits is not the function's number of inputs.
    pub fn call(&mut self, defined: &Defined, arguments: &[Bit]) -> Vec<Bit> {
        assert_eq!(arguments.len(), defined.inputs, "arguments and inputs of the function");
        if let Some(outputs) = self.of_constants(defined, arguments) {
            return outputs;
        }
        let passing = vec![Passing::Shared(arguments.to_vec())];
        let (defined, first) = self.apply(defined, Form::Once, passing);
        let output = |defines: &Defines| match *defines {
            Defines::Constant(value) => Bit::constant(value),
            Defines::Output(index) => Wire::new(first.number() + index as u32).bit(),
        };
        defined.outputs.iter().map(output).collect()
    }

    /// Runs a function on `lanes` lanes, all independent. `build` gets a builder of the function's
    /// body and the bits of each argument, and returns the output bits. The result has an element
    /// for each lane.
    ///
    /// ```
    /// use halfgate_circuit::builder::Arg;
    /// use halfgate_circuit::{Builder, Party, int};
    /// let mut b = Builder::new();
    /// let limit = b.input("limit", Party::Garbler, 32);
    /// let rows = b.input_array("rows", Party::Evaluator, 32, 1000);
    /// let above = b.map("above", 1000, &[Arg::Shared(&limit), Arg::Array(rows)], |b, x| {
    ///     vec![int::lt_unsigned(b, &x[0], &x[1])]
    /// });
    /// b.output_array("above", above);
    /// let circuit = b.finish_structured()?;
    /// assert_eq!(circuit.functions[0].body.gates.ands(), 32);
    /// # Ok::<(), halfgate_circuit::builder::BuildError>(())
    /// ```
    ///
    /// # Panics
    /// If there are no lanes, or an argument does not have bits for each lane.
    pub fn map(
        &mut self,
        name: &str,
        lanes: u64,
        arguments: &[Arg<'_>],
        build: impl FnOnce(&mut Builder, &[Vec<Bit>]) -> Vec<Bit>,
    ) -> Array {
        let widths = widths_of(lanes, arguments);
        let defined = self.define(name, widths.iter().sum(), Outputs::Wires, |b, bits| {
            build(b, &split(bits, &widths))
        });
        self.map_defined(&defined, lanes, arguments)
    }

    /// As [`map`](Builder::map), of a function defined before. Its constant outputs become wires.
    ///
    /// # Panics
    /// As for `map`, and if the arguments have not as many bits as the function has inputs.
    pub fn map_defined(&mut self, defined: &Defined, lanes: u64, arguments: &[Arg<'_>]) -> Array {
        let inputs: usize = widths_of(lanes, arguments).iter().sum();
        assert_eq!(inputs, defined.inputs, "arguments and inputs of the function");
        let defined = self.with_wires(defined);
        let passing = arguments.iter().map(|argument| passing(lanes, argument)).collect();
        let (defined, first) = self.apply(&defined, Form::Map { lanes }, passing);
        Array { first, width: defined.outputs.len() as u32, len: lanes as u32 }
    }

    /// Runs a function `steps` times, each on the state that the step before returned. `build` gets
    /// a builder of the function's body, the bits of the state and those of each argument, and
    /// returns the next state and the step's other outputs.
    ///
    /// # Panics
    /// If there are no steps, an argument does not have bits for each step, or the next state has
    /// another length.
    pub fn fold(
        &mut self,
        name: &str,
        steps: u64,
        state: &[Bit],
        arguments: &[Arg<'_>],
        build: impl FnOnce(&mut Builder, &[Bit], &[Vec<Bit>]) -> (Vec<Bit>, Vec<Bit>),
    ) -> Folded {
        let widths = widths_of(steps, arguments);
        let bits = state.len();
        let inputs = bits + widths.iter().sum::<usize>();
        let defined = self.define(name, inputs, Outputs::Wires, |b, inputs| {
            let (state, others) = inputs.split_at(bits);
            let (mut next, outputs) = build(b, state, &split(others, &widths));
            assert_eq!(next.len(), bits, "bits of the state and of the next state");
            next.extend(outputs);
            next
        });
        self.fold_defined(&defined, steps, state, arguments)
    }

    /// As [`fold`](Builder::fold), of a function defined before: its first inputs and outputs are
    /// the state. Its constant outputs become wires.
    ///
    /// # Panics
    /// As for `fold`, if the state and the arguments have not as many bits as the function has
    /// inputs, or if it has fewer outputs than state.
    pub fn fold_defined(
        &mut self,
        defined: &Defined,
        steps: u64,
        state: &[Bit],
        arguments: &[Arg<'_>],
    ) -> Folded {
        let bits = state.len();
        let inputs = bits + widths_of(steps, arguments).iter().sum::<usize>();
        assert_eq!(inputs, defined.inputs, "state, arguments and inputs of the function");
        assert!(bits <= defined.outputs.len(), "bits of the state and outputs of the function");
        let defined = self.with_wires(defined);
        let mut passed = vec![Passing::Runs { width: bits, bits: state.to_vec() }];
        passed.extend(arguments.iter().map(|argument| passing(steps, argument)));
        let form = Form::Fold { steps, state: bits as u32 };
        let (defined, first) = self.apply(&defined, form, passed);
        let after = first.number() + bits as u32;
        Folded {
            state: (first.number()..after).map(|number| Wire::new(number).bit()).collect(),
            outputs: Array {
                first: Wire::new(after),
                width: (defined.outputs.len() - bits) as u32,
                len: steps.min(u64::from(u32::MAX)) as u32,
            },
        }
    }

    /// Whether the body calls functions.
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Returns the finished circuit, with its functions.
    ///
    /// # Errors
    /// As for [`finish`](Builder::finish).
    pub fn finish_structured(mut self) -> Result<StructuredCircuit, BuildError> {
        self.finish_flip_flops()?;
        let functions = std::mem::take(&mut self.functions);
        let alone = |function| Arc::try_unwrap(function).expect("only the builder has it");
        let circuit = StructuredCircuit {
            inputs: self.circuit.inputs,
            flip_flops: self.circuit.flip_flops,
            functions: functions.into_iter().map(alone).collect(),
            body: Body { gates: self.circuit.gates, calls: self.calls },
            outputs: self.circuit.outputs,
            cycles: self.circuit.cycles,
        };
        verify(&circuit)?;
        Ok(circuit)
    }

    pub(super) fn define(
        &mut self,
        name: &str,
        inputs: usize,
        outputs: Outputs,
        build: impl FnOnce(&mut Builder, &[Bit]) -> Vec<Bit>,
    ) -> Defined {
        let mut inner = Builder::new();
        inner.short_paths = self.short_paths;
        inner.functions = std::mem::take(&mut self.functions);
        let _ = inner.new_wires(inputs as u32);
        inner.is_function = true;
        let bits: Vec<Bit> = (0..inputs as u32).map(|number| Wire::new(number).bit()).collect();
        let mut results = build(&mut inner, &bits);
        if matches!(outputs, Outputs::Wires) {
            results.iter_mut().for_each(|bit| *bit = inner.as_wire(*bit));
        }
        self.functions = std::mem::take(&mut inner.functions);
        if let Some(error) = inner.error {
            self.fail(error);
        }
        let mut outputs = Vec::new();
        let define = |bit: Bit| match bit.as_constant() {
            Some(value) => Defines::Constant(value),
            None => {
                outputs.push(bit);
                Defines::Output(outputs.len() - 1)
            }
        };
        let defines = results.into_iter().map(define).collect();
        let body = Body { gates: inner.circuit.gates, calls: inner.calls };
        let function = (!outputs.is_empty()).then(|| {
            self.store(Function { name: name.to_owned(), inputs: inputs as u32, body, outputs })
        });
        Defined { inputs, function, outputs: defines }
    }

    /// Stores a function, or finds an equal one.
    fn store(&mut self, function: Function) -> FunctionId {
        let same = |other: &Arc<Function>| is_same(&function, other);
        let number = self.functions.iter().position(same).unwrap_or_else(|| {
            self.functions.push(Arc::new(function));
            self.functions.len() - 1
        });
        FunctionId(number as u32)
    }

    /// Adds a call. Returns the function called, which may be one made for the constants among the
    /// shared bits, and the first wire that the call drives.
    pub(super) fn apply(
        &mut self,
        defined: &Defined,
        form: Form,
        mut passing: Vec<Passing>,
    ) -> (Defined, Wire) {
        let mut defined = defined.clone();
        let known = known_inputs(&passing);
        if known.iter().all(Option::is_some) {
            // A function of no inputs would have no wire to make constants from.
            for passed in &mut passing {
                if let Passing::Shared(bits) = passed {
                    bits.iter_mut().for_each(|bit| *bit = self.as_wire(*bit));
                }
            }
        } else if known.iter().any(Option::is_some) {
            defined = self.specialise(&defined, &known, form);
            for passed in &mut passing {
                if let Passing::Shared(bits) = passed {
                    bits.retain(|bit| bit.as_constant().is_none());
                }
            }
        }
        let Some(function) = defined.function else { return (defined, Wire::new(0)) };
        let state = form.state() as usize;
        let mut arguments = Vec::new();
        for (index, passed) in passing.into_iter().enumerate() {
            arguments.push(match passed {
                Passing::Shared(bits) => Argument::Shared(bits),
                Passing::Runs { width, mut bits } => {
                    bits.iter_mut().for_each(|bit| *bit = self.as_wire(*bit));
                    match index == 0 && state > 0 {
                        true => Argument::Shared(bits),
                        false => Argument::of_runs(width as u32, bits),
                    }
                }
                Passing::Stored(argument) => argument,
            });
        }
        arguments.retain(|argument| argument.width() > 0);
        let outputs = self.functions[function.index()].outputs.len();
        let call = Call { after: self.circuit.gates.len(), function, form, arguments };
        let driven = call.wires(outputs).and_then(|driven| u32::try_from(driven).ok());
        let first = match driven {
            Some(driven) => self.new_wires(driven),
            None => {
                self.fail(BuildError::TooManyWires);
                None
            }
        };
        if first.is_some() {
            self.calls.push(call);
        }
        (defined, first.unwrap_or(Wire::new(0)))
    }

    /// The bit, or a wire with its value if it is a constant: `w ^ w` is 0.
    fn as_wire(&mut self, bit: Bit) -> Bit {
        let Some(value) = bit.as_constant() else { return bit };
        let zero = match self.zero {
            Some(zero) => zero,
            None if self.wires == 0 => {
                self.fail(BuildError::NoWires);
                return Bit::FALSE;
            }
            None => {
                let first = Wire::new(0).bit();
                let zero = self.add_gate(Gate::xor(first, first, false));
                self.zero = Some(zero);
                zero
            }
        };
        zero.invert_if(value)
    }
}

/// What becomes of a function's constant outputs.
#[derive(Clone, Copy)]
pub(super) enum Outputs {
    /// They are left out, and the caller gets the constants.
    Fold,
    /// They become wires, so that each run drives as many.
    Wires,
}

/// The width of each argument.
fn widths_of(runs: u64, arguments: &[Arg<'_>]) -> Vec<usize> {
    assert!(runs > 0, "a map needs a lane, and a fold a step");
    let width = |argument: &Arg<'_>| match *argument {
        Arg::Shared(bits) => bits.len(),
        Arg::Sliced(bits) => {
            let len = bits.len();
            assert!((len as u64).is_multiple_of(runs), "{len} bits for {runs} lanes or steps");
            len / runs as usize
        }
        Arg::Array(array) => {
            assert_eq!(u64::from(array.len), runs, "elements, and lanes or steps");
            array.width()
        }
    };
    arguments.iter().map(width).collect()
}

/// An argument of a map or fold of `runs` lanes or steps, as it is stored.
fn passing(runs: u64, argument: &Arg<'_>) -> Passing {
    match *argument {
        Arg::Shared(bits) => Passing::Shared(bits.to_vec()),
        Arg::Sliced(bits) => {
            Passing::Runs { width: bits.len() / runs as usize, bits: bits.to_vec() }
        }
        Arg::Array(Array { first, width, .. }) => {
            let slice = Argument::Sliced { width, first, run_stride: width, bit_stride: 1 };
            Passing::Stored(slice)
        }
    }
}

/// For each input, its value if a shared bit is a constant.
fn known_inputs(passing: &[Passing]) -> Vec<Option<bool>> {
    let of = |passed: &Passing| match passed {
        Passing::Shared(bits) => bits.iter().map(|bit| bit.as_constant()).collect(),
        Passing::Runs { width, .. } => vec![None; *width],
        Passing::Stored(argument) => vec![None; argument.width()],
    };
    passing.iter().flat_map(of).collect()
}

fn split(bits: &[Bit], widths: &[usize]) -> Vec<Vec<Bit>> {
    let mut left = bits;
    let mut part = |&width: &usize| {
        let (part, rest) = left.split_at(width);
        left = rest;
        part.to_vec()
    };
    widths.iter().map(&mut part).collect()
}

/// Whether two functions differ at most in their names.
fn is_same(a: &Function, b: &Function) -> bool {
    let shape = |f: &Function| (f.inputs, f.body.gates.len(), f.body.gates.ands());
    shape(a) == shape(b)
        && a.outputs == b.outputs
        && a.body.calls == b.body.calls
        && a.body.gates.iter().eq(b.body.gates.iter())
}

#[cfg(test)]
mod tests;
