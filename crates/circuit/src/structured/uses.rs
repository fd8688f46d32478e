//! Finds the order in which the gates of a flattening first read inputs, without flattening.
//!
//! In a block of several lanes, the flattening has each gate for all lanes before it has the next
//! gate. So the inputs of one gate are requested for lane after lane, before those of the next
//! gate.

use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Function, Item};
use super::passes::{passes, source};
use super::size::Sizes;
use super::{Argument, FunctionId};
use crate::id::{Bit, Wire};

/// Marks the absence of an input in [`FunctionUses::first`].
pub const NO_INPUT: u32 = u32::MAX;

/// How a function uses its inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionUses {
    /// The inputs in the order in which gates first read them. Each entry has one or two inputs
    /// that the same gate is the first to read. If it has one, the second is [`NO_INPUT`].
    pub first: Vec<[u32; 2]>,
    /// For each output: the input that the function returns there, perhaps inverted. See
    /// [`passes`].
    pub passes: Vec<Option<Bit>>,
}

/// How each function uses its inputs, in a valid circuit [without
/// passes](super::passes::without_passes).
pub fn uses_of_functions(circuit: &StructuredCircuit, sizes: &Sizes) -> Vec<FunctionUses> {
    let mut uses: Vec<FunctionUses> = Vec::with_capacity(circuit.functions.len());
    for function in &circuit.functions {
        let mut seen = Seen::new(function.inputs);
        let first = function.inputs as usize;
        seen.see_body(&function.body, first, &circuit.functions, sizes, &uses);
        uses.push(FunctionUses { first: seen.uses, passes: passes(function) });
    }
    uses
}

/// How many runs of a call may read wires below `inputs` that no run before reads. `block` is the
/// number of lanes in a block.
pub fn runs_that_read_first(call: &Call, inputs: u32, block: u64) -> u64 {
    let runs = call.form.runs();
    let varies = call.arguments.iter().any(|argument| match argument {
        Argument::Shared(_) => false,
        Argument::Sliced { first, run_stride, .. } => *run_stride > 0 && first.number() < inputs,
        Argument::Listed { .. } => true,
    });
    match reads_below(call, inputs) {
        false => 0,
        true if varies => runs,
        // Shared bits are read in the first block. A fold may also pass a bit of its first state
        // from state bit to state bit, and read it in step `state` at the latest.
        true => runs.min(block.max(u64::from(call.form.state()) + 1)),
    }
}

/// Whether a call may read a wire with a number below `inputs`.
fn reads_below(call: &Call, inputs: u32) -> bool {
    call.arguments.iter().any(|argument| match argument {
        Argument::Shared(bits) | Argument::Listed { bits, .. } => {
            bits.iter().filter_map(|bit| bit.wire()).any(|wire| wire.number() < inputs)
        }
        Argument::Sliced { first, .. } => first.number() < inputs,
    })
}

/// The part of a callee's [`FunctionUses::first`] that may be of the caller's first `bits` wires.
/// If `later`, it is the part for blocks or steps after the first one. Shared arguments were read
/// before those.
pub fn input_uses(call: &Call, callee: &FunctionUses, bits: u32, later: bool) -> Vec<[u32; 2]> {
    let is_below = |bit: &Bit| bit.wire().is_some_and(|wire| wire.number() < bits);
    let state = call.form.state();
    let is_passed = callee.passes[..state as usize].iter().any(Option::is_some);
    let mut may_be: Vec<bool> = Vec::new();
    for argument in &call.arguments {
        match argument {
            Argument::Shared(bits) => may_be.extend(bits.iter().map(|bit| !later && is_below(bit))),
            Argument::Listed { width, bits } => {
                let of_input = |j: usize| bits[j..].iter().step_by(*width as usize);
                may_be.extend((0..*width as usize).map(|j| of_input(j).any(is_below)));
            }
            Argument::Sliced { width, first, .. } => {
                may_be.extend(std::iter::repeat_n(first.number() < bits, *width as usize));
            }
        }
    }
    if later {
        may_be[..state as usize].fill(is_passed);
    }
    let kept = |input: u32| match input != NO_INPUT && may_be[input as usize] {
        true => input,
        false => NO_INPUT,
    };
    let uses = callee.first.iter().map(|inputs| inputs.map(kept));
    uses.filter(|inputs| *inputs != [NO_INPUT; 2]).collect()
}

/// Calls `see` for each input in `first`, a part of the callee's [`FunctionUses::first`], in the
/// runs `start..end` side by side. It gets the input, the run, and the caller's wire that the call
/// passes. After a fold's first step, a state bit is such a wire only if the steps before pass one
/// through.
pub fn of_runs(
    call: &Call,
    (first, passes): (&[[u32; 2]], &[Option<Bit>]),
    (start, end): (u64, u64),
    mut see: impl FnMut(u32, u64, Wire),
) {
    let state = if start == 0 { 0 } else { call.form.state() };
    for inputs in first {
        let sources = inputs.map(|input| match input {
            NO_INPUT => Source::None,
            _ if input < state => Source::State,
            _ => {
                let (argument, j) = call.argument_of(input as usize);
                Source::Argument(argument, j)
            }
        });
        for run in start..end {
            for (&input, source_of_input) in inputs.iter().zip(&sources) {
                let bit = match *source_of_input {
                    Source::None => None,
                    Source::State => source(call, passes, run - 1, input as usize),
                    Source::Argument(argument, j) => Some(argument.bit(run, j)),
                };
                if let Some(bit) = bit {
                    see(input, run, bit.wire().expect("arguments are wires"));
                }
            }
        }
    }
}

/// Where an input of a call comes from.
#[derive(Clone, Copy)]
enum Source<'a> {
    None,
    /// From the run before.
    State,
    /// From a bit of an argument.
    Argument(&'a Argument, usize),
}

/// The inputs of a body that were read, and their order.
struct Seen {
    seen: Vec<bool>,
    left: u32,
    uses: Vec<[u32; 2]>,
}

impl Seen {
    fn new(inputs: u32) -> Seen {
        Seen { seen: vec![false; inputs as usize], left: inputs, uses: Vec::new() }
    }

    /// Records what the items of a body read. The items follow `first` wires.
    fn see_body(
        &mut self,
        body: &Body,
        first: usize,
        functions: &[Function],
        sizes: &Sizes,
        uses: &[FunctionUses],
    ) {
        for item in body.items(first, functions) {
            if self.left == 0 {
                return;
            }
            match item {
                Item::Gate(_, gate) => {
                    let mut operands = gate.operands();
                    self.see([operands.next(), operands.next()]);
                }
                Item::Call(_, call) => {
                    let FunctionId(callee) = call.function;
                    self.see_call(call, sizes.block(call), &uses[callee as usize]);
                }
            }
        }
    }

    /// Records up to two wires that one gate reads.
    fn see(&mut self, wires: [Option<Wire>; 2]) {
        let new = wires.map(|wire| wire.map_or(NO_INPUT, |wire| self.take(wire)));
        match new {
            [NO_INPUT, NO_INPUT] => {}
            [NO_INPUT, second] => self.uses.push([second, NO_INPUT]),
            both => self.uses.push(both),
        }
    }

    /// Records that a wire is read. Returns the input if no gate before read it, otherwise
    /// [`NO_INPUT`].
    fn take(&mut self, wire: Wire) -> u32 {
        match self.seen.get_mut(wire.index()) {
            Some(seen @ false) => {
                *seen = true;
                self.left -= 1;
                wire.number()
            }
            _ => NO_INPUT,
        }
    }

    fn see_call(&mut self, call: &Call, block: u64, callee: &FunctionUses) {
        let runs = runs_that_read_first(call, self.seen.len() as u32, block);
        let mut start = 0;
        while start < runs && self.left > 0 {
            let end = runs.min(start + block);
            self.see_runs(call, callee, (start, end));
            start = end;
        }
    }

    /// Records what a call reads in the runs `start..end` side by side, as [`of_runs`] finds it.
    /// What one gate reads is recorded together.
    fn see_runs(&mut self, call: &Call, callee: &FunctionUses, (start, end): (u64, u64)) {
        for inputs in &callee.first {
            let mut wires = [None; 2];
            let mut found = 0;
            let mut run_of_found = start;
            let first = (std::slice::from_ref(inputs), &callee.passes[..]);
            of_runs(call, first, (start, end), |_, run, wire| {
                if run != run_of_found {
                    self.see(std::mem::take(&mut wires));
                    (found, run_of_found) = (0, run);
                }
                wires[found] = Some(wire);
                found += 1;
            });
            self.see(wires);
        }
    }
}
