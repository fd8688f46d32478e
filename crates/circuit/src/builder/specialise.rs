//! Functions made for constants among their inputs.

use super::Builder;
use super::functions::{Defined, Defines, Outputs, Passing};
use crate::gate::GateKind;
use crate::id::{Bit, Wire};
use crate::structured::{Argument, Call, Form, Function};
use std::sync::Arc;

impl Builder {
    /// Returns the function in which the inputs that are known are constants.
    pub(super) fn specialise(
        &mut self,
        defined: &Defined,
        known: &[Option<bool>],
        form: Form,
    ) -> Defined {
        let Some(id) = defined.function else { return defined.clone() };
        let function = Arc::clone(&self.functions[id.index()]);
        let left = known.iter().filter(|known| known.is_none()).count();
        let outputs = match form {
            Form::Once => Outputs::Fold,
            Form::Map { .. } | Form::Fold { .. } => Outputs::Wires,
        };
        let special = self.define(&function.name, left, outputs, |b, bits| {
            let mut bits = bits.iter();
            let input = |known: &Option<bool>| match known {
                Some(value) => Bit::constant(*value),
                None => *bits.next().expect("a bit for each unknown input"),
            };
            b.replay(&function, known.iter().map(input).collect())
        });
        // The outputs of the given function may have been constants already.
        let output = |defines: &Defines| match *defines {
            Defines::Output(index) => special.outputs[index],
            constant @ Defines::Constant(_) => constant,
        };
        let outputs = defined.outputs.iter().map(output).collect();
        Defined { outputs, ..special }
    }

    /// The outputs of a call whose arguments are all constant, or `None` if one is not. The body is
    /// written in place: a function has inputs.
    pub(super) fn of_constants(
        &mut self,
        defined: &Defined,
        arguments: &[Bit],
    ) -> Option<Vec<Bit>> {
        if arguments.iter().any(|bit| bit.as_constant().is_none()) {
            return None;
        }
        let function = defined.function.map(|id| Arc::clone(&self.functions[id.index()]));
        let driven = function.map_or_else(Vec::new, |f| self.replay(&f, arguments.to_vec()));
        let output = |defines: &Defines| match *defines {
            Defines::Constant(value) => Bit::constant(value),
            Defines::Output(index) => driven[index],
        };
        Some(defined.outputs.iter().map(output).collect())
    }

    /// Returns the function whose constant outputs are wires; the same one if it has none.
    pub(super) fn with_wires(&mut self, defined: &Defined) -> Defined {
        if defined.outputs.iter().all(|output| matches!(output, Defines::Output(_))) {
            return defined.clone();
        }
        let function = defined.function.map(|id| Arc::clone(&self.functions[id.index()]));
        let name = function.as_ref().map_or("constant", |function| &function.name).to_owned();
        self.define(&name, defined.inputs, Outputs::Wires, |b, bits| {
            let driven = function.map_or_else(Vec::new, |f| b.replay(&f, bits.to_vec()));
            let output = |defines: &Defines| match *defines {
                Defines::Constant(value) => Bit::constant(value),
                Defines::Output(index) => driven[index],
            };
            defined.outputs.iter().map(output).collect()
        })
    }

    /// Writes a function's body in place, on these bits.
    fn replay(&mut self, function: &Function, mut wires: Vec<Bit>) -> Vec<Bit> {
        let functions = self.functions.clone();
        let of = |wires: &[Bit], bit: Bit| match bit.wire() {
            Some(wire) => wires[wire.index()].invert_if(bit.is_inverted()),
            None => bit,
        };
        let mut calls = function.body.calls.iter().peekable();
        let mut gates = function.body.gates.iter().enumerate();
        loop {
            let next = gates.next();
            let place = next.map_or(function.body.gates.len(), |(place, _)| place);
            while let Some(call) = calls.next_if(|call| call.after == place) {
                let driven = self.replay_call(call, &functions, |bit| of(&wires, bit));
                wires.extend(driven);
            }
            let Some((_, gate)) = next else { break };
            let bit = match gate.kind() {
                GateKind::Xor { a, b, invert } => {
                    self.xor(wires[a.index()], wires[b.index()]).invert_if(invert)
                }
                GateKind::And { a, b, invert } => {
                    self.and(of(&wires, a), of(&wires, b)).invert_if(invert)
                }
                GateKind::Copy { a, invert } => wires[a.index()].invert_if(invert),
            };
            wires.push(bit);
        }
        function.outputs.iter().map(|&bit| of(&wires, bit)).collect()
    }

    /// Adds a call of a body that is replayed. Returns the bits that it drives.
    fn replay_call(
        &mut self,
        call: &Call,
        functions: &[Arc<Function>],
        of: impl Fn(Bit) -> Bit,
    ) -> Vec<Bit> {
        let callee = &functions[call.function.index()];
        let outputs = callee.outputs.len();
        let defined = Defined {
            inputs: callee.inputs as usize,
            function: Some(call.function),
            outputs: (0..outputs).map(Defines::Output).collect(),
        };
        let state = call.form.state() as usize;
        let mut covered = 0;
        let mut passing = Vec::new();
        for argument in &call.arguments {
            let width = argument.width();
            let runs = if matches!(argument, Argument::Shared(_)) { 1 } else { call.form.runs() };
            let bits = (0..runs).flat_map(|run| (0..width).map(move |j| (run, j)));
            let bits: Vec<Bit> = bits.map(|(run, j)| of(argument.bit(run, j))).collect();
            let is_shared = matches!(argument, Argument::Shared(_)) && covered >= state;
            covered += width;
            passing.push(match is_shared {
                true => Passing::Shared(bits),
                false => Passing::Runs { width, bits },
            });
        }
        passing = join_state(passing, state);
        if let Form::Once = call.form {
            let bits = passing.iter().flat_map(|passed| match passed {
                Passing::Shared(bits) | Passing::Runs { bits, .. } => bits.as_slice(),
                Passing::Stored(_) => &[],
            });
            if let Some(outputs) = self.of_constants(&defined, &bits.copied().collect::<Vec<_>>()) {
                return outputs;
            }
        }
        let driven = call.wires(outputs).expect("a stored call is valid") as u32;
        let (defined, first) = self.apply(&defined, call.form, passing);
        if let Form::Once = call.form {
            let output = |defines: &Defines| match *defines {
                Defines::Constant(value) => Bit::constant(value),
                Defines::Output(index) => Wire::new(first.number() + index as u32).bit(),
            };
            return defined.outputs.iter().map(output).collect();
        }
        (0..driven).map(|index| Wire::new(first.number() + index).bit()).collect()
    }
}

/// Joins the arguments that are state into one.
fn join_state(passing: Vec<Passing>, state: usize) -> Vec<Passing> {
    let mut joined = Vec::new();
    let mut initial = Vec::new();
    for passed in passing {
        match passed {
            Passing::Runs { bits, .. } if initial.len() < state => initial.extend(bits),
            other => joined.push(other),
        }
    }
    if state > 0 {
        joined.insert(0, Passing::Runs { width: state, bits: initial });
    }
    joined
}
