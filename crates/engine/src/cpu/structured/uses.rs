//! The order in which the gates of a function's flattening first read its inputs.
//!
//! In a block of several lanes each gate is written for all lanes before the next. So for each gate
//! that reads an input first, its inputs are requested lane after lane. The order of the flattening
//! follows from a function's list without flattening it.

use super::code::{BodyCode, NO_INPUT};
use super::passes::source;
use halfgate_circuit::structured::{Argument, Body, Call, Function, Item, Sizes};
use halfgate_circuit::{Bit, Wire};

/// Returns [`BodyCode::uses`] of a body with `inputs` inputs. `callees` are the functions that it
/// may call.
pub(super) fn first_uses(
    body: &Body,
    inputs: u32,
    functions: &[Function],
    sizes: &Sizes,
    callees: &[BodyCode],
) -> Vec<[u32; 2]> {
    let mut seen = Seen { seen: vec![false; inputs as usize], left: inputs, uses: Vec::new() };
    for item in body.items(inputs as usize, functions) {
        if seen.left == 0 {
            break;
        }
        match item {
            Item::Gate(_, gate) => {
                let mut operands = gate.operands();
                seen.see([operands.next(), operands.next()]);
            }
            Item::Call(_, call) => {
                if reads_below(call, inputs) {
                    seen.see_call(call, sizes.block(call), &callees[call.function.index()]);
                }
            }
        }
    }
    seen.uses
}

/// Whether a call may read a wire below `inputs`.
pub(super) fn reads_below(call: &Call, inputs: u32) -> bool {
    call.arguments.iter().any(|argument| match argument {
        Argument::Shared(bits) | Argument::Listed { bits, .. } => {
            bits.iter().filter_map(|bit| bit.wire()).any(|wire| wire.number() < inputs)
        }
        Argument::Sliced { first, .. } => first.number() < inputs,
    })
}

/// Calls `see` with the inputs of a function that its gates read first, for the runs `start..end`
/// side by side: the input, the run, and the wire that the call passes. After its first step, a
/// fold's state is such a wire only if the steps before pass one through.
pub(super) fn of_runs(
    call: &Call,
    (uses, passes): (&[[u32; 2]], &[Option<Bit>]),
    (start, end): (u64, u64),
    mut see: impl FnMut(u32, u64, Wire),
) {
    let state = if start == 0 { 0 } else { call.form.state() };
    for inputs in uses {
        for run in start..end {
            for &input in inputs {
                let bit = match input {
                    NO_INPUT => None,
                    _ if input < state => source(call, passes, run - 1, input as usize),
                    _ => Some(call.passed(run, input as usize)),
                };
                if let Some(bit) = bit {
                    see(input, run, bit.wire().expect("arguments are wires"));
                }
            }
        }
    }
}

struct Seen {
    seen: Vec<bool>,
    left: u32,
    uses: Vec<[u32; 2]>,
}

impl Seen {
    fn see(&mut self, wires: [Option<Wire>; 2]) {
        let new = wires.map(|wire| wire.map_or(NO_INPUT, |wire| self.take(wire)));
        match new {
            [NO_INPUT, NO_INPUT] => {}
            [NO_INPUT, second] => self.uses.push([second, NO_INPUT]),
            both => self.uses.push(both),
        }
    }

    /// The input of a wire that is read first, or [`NO_INPUT`].
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

    fn see_call(&mut self, call: &Call, block: u64, callee: &BodyCode) {
        let runs = call.form.runs();
        let varies = call.arguments.iter().any(|argument| match argument {
            Argument::Shared(_) => false,
            Argument::Sliced { first, .. } => first.index() < self.seen.len(),
            Argument::Listed { .. } => true,
        });
        // What is shared is read in the first block, or once it has passed through all state.
        let most = block.max(u64::from(call.form.state()) + 1);
        let runs = if varies { runs } else { runs.min(most) };
        let mut start = 0;
        while start < runs && self.left > 0 {
            let end = runs.min(start + block);
            self.see_runs(call, (&callee.uses, &callee.passes), (start, end));
            start = end;
        }
    }

    /// Like [`of_runs`], with what one gate reads kept together.
    fn see_runs(
        &mut self,
        call: &Call,
        (uses, passes): (&[[u32; 2]], &[Option<Bit>]),
        (start, end): (u64, u64),
    ) {
        for inputs in uses {
            let mut wires = [None; 2];
            let mut found = 0;
            let mut run_of_found = start;
            let inputs = std::slice::from_ref(inputs);
            of_runs(call, (inputs, passes), (start, end), |_, run, wire| {
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
