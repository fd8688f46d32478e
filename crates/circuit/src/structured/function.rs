//! Functions, bodies, and calls.

use super::argument::Argument;
use crate::gate::Gate;
use crate::gates::{self, Gates};
use crate::id::{Bit, Wire};

/// The number of a function in its circuit's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct FunctionId(pub u32);

impl FunctionId {
    /// The function's number, for indexing.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function of input bits. It has no state and no ports.
#[derive(Debug)]
pub struct Function {
    /// A name for messages. Not part of the program hash.
    pub name: String,
    /// Number of input bits, which are the first wires of the body; at least 1.
    pub inputs: u32,
    /// The body.
    pub body: Body,
    /// The output bits: wires, perhaps inverted, never constants; at least one.
    pub outputs: Vec<Bit>,
}

impl Function {
    /// The function with another body, in which `bit` returns what stands for a bit of this one.
    pub fn with_body(&self, body: Body, bit: impl Fn(Bit) -> Bit) -> Function {
        let outputs = self.outputs.iter().map(|&output| bit(output)).collect();
        Function { name: self.name.clone(), inputs: self.inputs, body, outputs }
    }
}

/// A list of gates and calls. Wires are numbered in this order: inputs, flip-flops (in the
/// outermost body), then what each item drives: a gate drives one wire, a call as many as
/// [`Call::wires`] states.
///
/// Memory: that of [`Gates`], and that of each call's [`Argument`]s.
#[derive(Debug, Default)]
pub struct Body {
    /// The gates, without those of the functions called.
    pub gates: Gates,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

/// A call of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// How many of the body's gates precede the call.
    pub after: usize,
    /// The function, which must be earlier in the list than the one that calls it.
    pub function: FunctionId,
    /// How often it runs, and on what.
    pub form: Form,
    /// What its inputs are, in order.
    pub arguments: Vec<Argument>,
}

/// The form of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Form {
    /// Runs once. Drives a wire for each output.
    Once,
    /// Runs once for each lane, all independent. Drives the outputs of lane 0, then those of lane
    /// 1, and so on.
    Map {
        /// Number of lanes, at least 1.
        lanes: u64,
    },
    /// Runs step after step. The first inputs are the state; the first outputs are the state for
    /// the next step. Drives the final state, then the other outputs of step 0, those of step 1,
    /// and so on.
    Fold {
        /// Number of steps, at least 1.
        steps: u64,
        /// Number of inputs and outputs that are state.
        state: u32,
    },
}

impl Form {
    /// How often the function runs.
    pub fn runs(self) -> u64 {
        match self {
            Form::Once => 1,
            Form::Map { lanes } => lanes,
            Form::Fold { steps, .. } => steps,
        }
    }

    /// The number of inputs and outputs that are state: 0 unless the form is a fold.
    pub fn state(self) -> u32 {
        match self {
            Form::Fold { state, .. } => state,
            Form::Once | Form::Map { .. } => 0,
        }
    }
}

impl Call {
    /// The number of wires that the call drives, for a function with this many outputs. `None` if
    /// it does not fit in 64 bits, or a fold has more state than the function has outputs.
    pub fn wires(&self, outputs: usize) -> Option<u64> {
        let state = u64::from(self.form.state());
        let each = (outputs as u64).checked_sub(state)?;
        self.form.runs().checked_mul(each)?.checked_add(state)
    }
}

impl Call {
    /// The bit that the call passes as input `input` in run `run`, of a valid call. In a fold, the
    /// state comes from here in step 0 only.
    pub fn passed(&self, run: u64, input: usize) -> Bit {
        let (argument, j) = self.argument_of(input);
        argument.bit(run, j)
    }

    /// The call with arguments that pass what `change` returns for each bit.
    pub fn with_bits(&self, change: impl Fn(Bit) -> Bit) -> Call {
        let argument = |argument: &Argument| argument.with_bits(self.form.runs(), &change);
        Call { arguments: self.arguments.iter().map(argument).collect(), ..*self }
    }

    /// The wires that the arguments of a valid call can read, as the lowest and the highest of each
    /// interval.
    pub fn intervals(&self) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        for argument in &self.arguments {
            match argument {
                Argument::Shared(bits) | Argument::Listed { bits, .. } => {
                    let wires = bits.iter().filter_map(|bit| bit.wire());
                    all.extend(wires.map(|wire| (wire.number(), wire.number())));
                }
                Argument::Sliced { .. } => all.push(argument.interval(self.form.runs())),
            }
        }
        all
    }

    /// The argument that covers input `input` of a valid call, and the input's number in it.
    pub fn argument_of(&self, mut input: usize) -> (&Argument, usize) {
        for argument in &self.arguments {
            if input < argument.width() {
                return (argument, input);
            }
            input -= argument.width();
        }
        unreachable!("a valid call's arguments cover the inputs")
    }
}

/// A part of a body.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A gate, and the wire that it drives.
    Gate(Wire, Gate),
    /// A call, and the first wire that it drives.
    Call(Wire, &'a Call),
}

impl Body {
    /// The items in order. `first` is the number of wires before the first item; `functions` are
    /// those that the body may call. The body must be valid (see [`verify`](fn@super::verify)).
    pub fn items<'a>(&'a self, first: usize, functions: &'a [Function]) -> Items<'a> {
        Items { gates: self.gates.iter(), done: 0, calls: &self.calls, wire: first, functions }
    }

    /// Number of wires that the items drive, for a valid body.
    pub fn wires(&self, functions: &[Function]) -> usize {
        let calls = self.calls.iter().map(|call| driven(call, functions));
        self.gates.len() + calls.sum::<usize>()
    }
}

/// Number of wires that a call of a valid body drives.
fn driven(call: &Call, functions: &[Function]) -> usize {
    let outputs = functions[call.function.index()].outputs.len();
    call.wires(outputs).expect("a valid call's wires can be numbered") as usize
}

/// See [`Body::items`].
pub struct Items<'a> {
    gates: gates::Iter<'a>,
    /// Number of gates returned.
    done: usize,
    /// The calls not returned yet.
    calls: &'a [Call],
    /// The next wire.
    wire: usize,
    functions: &'a [Function],
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let wire = Wire::new(self.wire as u32);
        if let [call, rest @ ..] = self.calls
            && call.after == self.done
        {
            self.calls = rest;
            self.wire += driven(call, self.functions);
            return Some(Item::Call(wire, call));
        }
        let gate = self.gates.next()?;
        self.done += 1;
        self.wire += 1;
        Some(Item::Gate(wire, gate))
    }
}
