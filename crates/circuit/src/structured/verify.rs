//! Defines and checks which structured circuits are valid.
//!
//! The ports and flip-flops follow the rules of flat circuits (see [`crate::verify`]), with wires
//! of the outermost body. For every body, of a function or the outermost one:
//!
//! 1. It has at most [`Wire::MAX`] wires.
//! 2. Gates and arguments read only wires below those that they drive.
//! 3. Calls stand in the order of the gates that precede them, and name earlier functions. So
//!    functions do not recurse.
//! 4. Calls are nested at most [`MAX_NESTING`] deep.
//! 5. A call runs at least once. Its arguments cover the function's inputs, each at least one; a
//!    list has bits for every run. Arguments that cover state are shared. State is no more than the
//!    function's inputs and outputs.
//! 6. A function has at least one input and one output; its outputs are wires of its body.
//! 7. No argument and no output of a function is a constant.
//! 8. 64 bits can count the gates of the flattening.

use super::argument::Argument;
use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Function};
use super::size::Sizes;
use crate::circuit::{Circuit, Output};
use crate::gates::Gates;
use crate::id::Wire;
use crate::verify::{VerifyError, verify_ports_of};
use thiserror::Error;

/// Most calls inside each other.
pub const MAX_NESTING: u32 = 32;

/// A broken invariant, and its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StructureError {
    /// The ports or flip-flops are not valid.
    #[error(transparent)]
    Ports(#[from] VerifyError),
    /// A body is not valid.
    #[error("{place}: {problem}")]
    Body {
        /// Which body.
        place: Place,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// Names a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The outermost body.
    Outermost,
    /// That of a function.
    Function {
        /// The function's number.
        number: usize,
        /// The function's name.
        name: String,
    },
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Outermost => f.write_str("outermost body"),
            Place::Function { number, name } => write!(f, "function {number} ({name:?})"),
        }
    }
}

/// A broken invariant of a body. Calls are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "the messages describe the variants")]
pub enum Problem {
    #[error("there are more than {} wires: call a function with fewer outputs", Wire::MAX)]
    TooManyWires,
    #[error("{what} reads wire {read:?}, but only wires below {limit} are driven before it")]
    NotInOrder { what: Reader, read: Wire, limit: usize },
    #[error("call {call} stands after {after} gates, {limit}: order the calls by their places")]
    CallsNotInOrder { call: usize, after: usize, limit: &'static str },
    #[error("call {call} names function {function}: a body calls only functions before its own")]
    NotEarlier { call: usize, function: u32 },
    #[error("call {call} is nested more than {MAX_NESTING} deep: put a function's body in place")]
    TooDeep { call: usize },
    #[error("call {call} runs 0 times: leave it out")]
    NeverRuns { call: usize },
    #[error("call {call} passes {found} bits to a function of {inputs} inputs")]
    Arguments { call: usize, found: usize, inputs: u32 },
    #[error("call {call}: argument {argument} lists {found} bits for {runs} runs of {width}")]
    Listed { call: usize, argument: usize, found: usize, runs: u64, width: u32 },
    #[error("call {call}: argument {argument} has no bits: leave it out")]
    EmptyArgument { call: usize, argument: usize },
    #[error(
        "call {call} folds {state} bits of state through a function of {inputs} inputs and \
         {outputs} outputs"
    )]
    State { call: usize, state: u32, inputs: u32, outputs: usize },
    #[error("call {call}: argument {argument} is state, which is given once: share it")]
    StateNotShared { call: usize, argument: usize },
    #[error("call {call}: argument {argument} has a constant: make a function for that constant")]
    ConstantArgument { call: usize, argument: usize },
    #[error("the function has no inputs: it needs at least one")]
    NoInputs,
    #[error("the function has no outputs: it needs at least one")]
    NoOutputs,
    #[error("output {output} of the function is a constant: leave it out")]
    ConstantOutput { output: usize },
    #[error("64 bits cannot count its gates: call functions fewer times")]
    TooManyGates,
}

/// What reads a wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// The gate of this number in the body.
    Gate(usize),
    /// The call of this number in the body.
    Call(usize),
    /// The output bit of this number of the function.
    Output(usize),
}

impl std::fmt::Display for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reader::Gate(number) => write!(f, "gate {number}"),
            Reader::Call(number) => write!(f, "call {number}"),
            Reader::Output(number) => write!(f, "output bit {number}"),
        }
    }
}

/// Checks a structured circuit.
///
/// # Errors
/// The first broken invariant.
pub fn verify(circuit: &StructuredCircuit) -> Result<(), StructureError> {
    for (number, function) in circuit.functions.iter().enumerate() {
        let place = || Place::Function { number, name: function.name.clone() };
        verify_function(function, &circuit.functions[..number])
            .map_err(|problem| StructureError::Body { place: place(), problem })?;
    }
    let sizes = verify_sizes(circuit)?;
    let outermost = |problem| StructureError::Body { place: Place::Outermost, problem };
    let first = circuit.first_item_wire();
    let wires = verify_body(&circuit.body, first, &circuit.functions).map_err(outermost)?;
    verify_nesting(&circuit.body, &sizes).map_err(outermost)?;
    if sizes.of_body(&circuit.body).is_none() {
        return Err(outermost(Problem::TooManyGates));
    }
    verify_circuit_ports(circuit, wires)
}

/// Checks a function that may call the functions `earlier`.
///
/// # Errors
/// The first broken invariant.
pub fn verify_function(function: &Function, earlier: &[Function]) -> Result<(), Problem> {
    if function.inputs == 0 {
        return Err(Problem::NoInputs);
    }
    if function.outputs.is_empty() {
        return Err(Problem::NoOutputs);
    }
    let wires = verify_body(&function.body, function.inputs as usize, earlier)?;
    for (output, bit) in function.outputs.iter().enumerate() {
        match bit.wire() {
            None => return Err(Problem::ConstantOutput { output }),
            Some(read) if read.index() >= wires => {
                let what = Reader::Output(output);
                return Err(Problem::NotInOrder { what, read, limit: wires });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn verify_sizes(circuit: &StructuredCircuit) -> Result<Sizes, StructureError> {
    let at = |number: usize, problem| {
        let name = circuit.functions[number].name.clone();
        StructureError::Body { place: Place::Function { number, name }, problem }
    };
    let sizes =
        Sizes::of(&circuit.functions).map_err(|number| at(number, Problem::TooManyGates))?;
    for (number, function) in circuit.functions.iter().enumerate() {
        verify_nesting(&function.body, &sizes).map_err(|problem| at(number, problem))?;
    }
    Ok(sizes)
}

fn verify_nesting(body: &Body, sizes: &Sizes) -> Result<(), Problem> {
    let too_deep = |call: &Call| sizes.get(call.function).nesting >= MAX_NESTING;
    match body.calls.iter().position(too_deep) {
        Some(call) => Err(Problem::TooDeep { call }),
        None => Ok(()),
    }
}

/// Checks a body whose items drive the wires from `first` on. Returns the number of its wires.
fn verify_body(body: &Body, first: usize, earlier: &[Function]) -> Result<usize, Problem> {
    verify_places(body)?;
    let mut wires = first;
    let mut calls = body.calls.iter().enumerate().peekable();
    for (number, gate) in body.gates.iter().enumerate() {
        while let Some((call_number, call)) = calls.next_if(|(_, call)| call.after == number) {
            wires = verify_call(call_number, call, wires, earlier)?;
        }
        if let Some(read) = gate.operands().find(|wire| wire.index() >= wires) {
            return Err(Problem::NotInOrder { what: Reader::Gate(number), read, limit: wires });
        }
        wires = within_limit(wires as u64 + 1)?;
    }
    for (number, call) in calls {
        wires = verify_call(number, call, wires, earlier)?;
    }
    within_limit(wires as u64)
}

fn verify_places(body: &Body) -> Result<(), Problem> {
    let mut before = 0;
    for (number, call) in body.calls.iter().enumerate() {
        let limit = match call.after {
            after if after < before => "before the call that precedes it",
            after if after > body.gates.len() => "of which there are fewer",
            _ => {
                before = call.after;
                continue;
            }
        };
        return Err(Problem::CallsNotInOrder { call: number, after: call.after, limit });
    }
    Ok(())
}

/// Checks a call before which `wires` wires are driven. Returns the number of wires driven after
/// it.
fn verify_call(
    number: usize,
    call: &Call,
    wires: usize,
    earlier: &[Function],
) -> Result<usize, Problem> {
    let Some(function) = earlier.get(call.function.index()) else {
        return Err(Problem::NotEarlier { call: number, function: call.function.0 });
    };
    if call.form.runs() == 0 {
        return Err(Problem::NeverRuns { call: number });
    }
    let (inputs, outputs) = (function.inputs, function.outputs.len());
    let state = call.form.state();
    if state > inputs || state as usize > outputs {
        return Err(Problem::State { call: number, state, inputs, outputs });
    }
    let mut found = 0;
    for (index, argument) in call.arguments.iter().enumerate() {
        if found < state as usize && !matches!(argument, Argument::Shared(_)) {
            return Err(Problem::StateNotShared { call: number, argument: index });
        }
        verify_argument((number, index), argument, call.form.runs(), wires)?;
        found += argument.width();
    }
    if found != inputs as usize {
        return Err(Problem::Arguments { call: number, found, inputs });
    }
    let driven = call.wires(outputs).and_then(|driven| driven.checked_add(wires as u64));
    within_limit(driven.unwrap_or(u64::MAX))
}

fn verify_argument(
    (call, index): (usize, usize),
    argument: &Argument,
    runs: u64,
    wires: usize,
) -> Result<(), Problem> {
    if argument.width() == 0 {
        return Err(Problem::EmptyArgument { call, argument: index });
    }
    let too_high = |read: Wire| {
        let above = read.index() >= wires;
        above.then_some(Problem::NotInOrder { what: Reader::Call(call), read, limit: wires })
    };
    let bits = match argument {
        Argument::Sliced { width, first, run_stride, bit_stride } => {
            let along = |count: u64, stride: u32| u128::from(count - 1) * u128::from(stride);
            let last = u128::from(first.number())
                + along(runs, *run_stride)
                + along(u64::from(*width), *bit_stride);
            let read = Wire::new(last.min(u128::from(Wire::MAX - 1)) as u32);
            return too_high(read).map_or(Ok(()), Err);
        }
        Argument::Listed { width, bits } => {
            if u128::from(runs) * u128::from(*width) != bits.len() as u128 {
                let (found, width) = (bits.len(), *width);
                return Err(Problem::Listed { call, argument: index, found, runs, width });
            }
            bits
        }
        Argument::Shared(bits) => bits,
    };
    for bit in bits {
        match bit.wire() {
            None => return Err(Problem::ConstantArgument { call, argument: index }),
            Some(read) => too_high(read).map_or(Ok(()), Err)?,
        }
    }
    Ok(())
}

fn within_limit(wires: u64) -> Result<usize, Problem> {
    if wires <= u64::from(Wire::MAX) { Ok(wires as usize) } else { Err(Problem::TooManyWires) }
}

/// Checks the ports and flip-flops as those of a flat circuit with as many wires.
fn verify_circuit_ports(circuit: &StructuredCircuit, wires: usize) -> Result<(), StructureError> {
    let outline =
        |output: &Output| output.with_bits(output.bits.runs().map(|(first, _)| first).collect());
    for output in &circuit.outputs {
        if let Some(wire) = output.bits.highest().filter(|wire| wire.index() >= wires) {
            let bit = output.bits.iter().position(|bit| bit.wire() == Some(wire)).unwrap_or(0);
            let name = output.name.clone();
            return Err(VerifyError::NoSuchOutputWire { name, bit, wire, wires }.into());
        }
    }
    let outline = Circuit {
        inputs: circuit.inputs.clone(),
        flip_flops: circuit.flip_flops.clone(),
        gates: Gates::new(),
        outputs: circuit.outputs.iter().map(outline).collect(),
        cycles: circuit.cycles,
    };
    verify_ports_of(&outline, wires as u64).map_err(StructureError::Ports)
}
