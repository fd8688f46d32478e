//! Removes gates, calls and functions that no output depends on.

use super::argument::Argument;
use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Function, FunctionId, Item};
use crate::id::{Bit, Wire};
use crate::source_map::SourceMap;
use std::io;

/// Returns the circuit without gates and calls that no output and no flip-flop depends on, and
/// without functions that are not called. All inputs and flip-flops stay, and so do the inputs and
/// outputs of functions. Source lines stay with their gates.
///
/// Memory: that of the circuit, and 50 bytes for each wire of a body.
///
/// # Errors
/// If the temporary file for gates that do not fit in memory cannot be written.
pub fn without_unused(circuit: &StructuredCircuit) -> io::Result<StructuredCircuit> {
    let mut functions = Vec::with_capacity(circuit.functions.len());
    for function in &circuit.functions {
        let (inputs, outputs) = (function.inputs as usize, function.outputs.iter().copied());
        let pruned = Pruned::of(&function.body, inputs, &circuit.functions, outputs)?;
        let Pruned { body, wires } = pruned;
        functions.push(function.with_body(body, |bit| kept(&wires, bit)));
    }
    let outputs = circuit.outputs.iter().flat_map(|output| output.bits.iter());
    let wanted = outputs.chain(circuit.flip_flops.iter().map(|found| found.next));
    let first = circuit.first_item_wire();
    let pruned = Pruned::of(&circuit.body, first, &circuit.functions, wanted)?;
    let Pruned { mut body, wires } = pruned;
    keep_called(&mut functions, &mut body);
    let bit = |bit| kept(&wires, bit);
    Ok(circuit.with_bodies(functions, body, bit, |bits| bits.map(bit)))
}

/// Removes the functions that are not called from `body`, directly or not.
fn keep_called(functions: &mut Vec<Function>, body: &mut Body) {
    let mut is_called = vec![false; functions.len()];
    let mark = |body: &Body, is_called: &mut Vec<bool>| {
        body.calls.iter().for_each(|call| is_called[call.function.index()] = true);
    };
    mark(body, &mut is_called);
    // The callers of a function come after it.
    for (number, function) in functions.iter().enumerate().rev() {
        if is_called[number] {
            mark(&function.body, &mut is_called);
        }
    }
    let mut kept = 0;
    let numbers: Vec<FunctionId> = is_called
        .iter()
        .map(|&is_called| {
            kept += u32::from(is_called);
            FunctionId(kept.saturating_sub(1))
        })
        .collect();
    let mut is_called = is_called.into_iter();
    functions.retain(|_| is_called.next().unwrap_or(false));
    let bodies = functions.iter_mut().map(|function| &mut function.body).chain([body]);
    for call in bodies.flat_map(|body| &mut body.calls) {
        call.function = numbers[call.function.index()];
    }
}

/// A body without unused gates and calls.
struct Pruned {
    body: Body,
    /// The wire of each wire of the given body, if it is still there.
    wires: Vec<Option<Wire>>,
}

impl Pruned {
    /// Prunes `body`, whose items follow `first` wires.
    fn of(
        body: &Body,
        first: usize,
        functions: &[Function],
        wanted: impl Iterator<Item = Bit>,
    ) -> io::Result<Pruned> {
        let is_used = used(body, first, functions, wanted);
        let mut pruned = Pruned { body: Body::default(), wires: Vec::with_capacity(is_used.len()) };
        let mut next = 0;
        let mut lines = body.gates.sources().into_iter().flat_map(SourceMap::runs).peekable();
        for _ in 0..first {
            pruned.take(&mut next);
        }
        let mut number = 0;
        for item in body.items(first, functions) {
            match item {
                Item::Gate(wire, gate) => {
                    if let Some((_, line)) = lines.next_if(|&(start, _)| start == number) {
                        pruned.body.gates.begin_line(line);
                    }
                    number += 1;
                    if is_used[wire.index()] {
                        let gate = gate.map_operands(|wire| kept(&pruned.wires, wire.bit()));
                        pruned.body.gates.push(gate)?;
                        pruned.take(&mut next);
                    } else {
                        pruned.wires.push(None);
                    }
                }
                Item::Call(wire, call) => {
                    let outputs = functions[call.function.index()].outputs.len();
                    let driven = call.wires(outputs).expect("a valid call") as usize;
                    if is_used[wire.index()..wire.index() + driven].contains(&true) {
                        let after = pruned.body.gates.len();
                        let call = call.with_bits(|bit| kept(&pruned.wires, bit));
                        pruned.body.calls.push(Call { after, ..call });
                        (0..driven).for_each(|_| pruned.take(&mut next));
                    } else {
                        pruned.wires.extend((0..driven).map(|_| None));
                    }
                }
            }
        }
        Ok(pruned)
    }

    /// Gives the next wire of the given body the number `next`.
    fn take(&mut self, next: &mut u32) {
        self.wires.push(Some(Wire::new(*next)));
        *next += 1;
    }
}

/// The bit that `bit` is if the used wires are `wires`.
fn kept(wires: &[Option<Wire>], bit: Bit) -> Bit {
    let Some(wire) = bit.wire() else { return bit };
    let kept = wires[wire.index()].expect("a wire that is read is used");
    kept.bit().invert_if(bit.is_inverted())
}

/// For each wire of a body: whether a bit of `wanted` depends on it. Of a call, all wires are used
/// or none.
fn used(
    body: &Body,
    first: usize,
    functions: &[Function],
    wanted: impl Iterator<Item = Bit>,
) -> Vec<bool> {
    let mut is_used = vec![false; first + body.wires(functions)];
    let mark = |bit: Bit, is_used: &mut Vec<bool>| {
        if let Some(wire) = bit.wire() {
            is_used[wire.index()] = true;
        }
    };
    wanted.for_each(|bit| mark(bit, &mut is_used));
    let items: Vec<Item<'_>> = body.items(first, functions).collect();
    for item in items.into_iter().rev() {
        match item {
            Item::Gate(wire, gate) if is_used[wire.index()] => {
                gate.operands().for_each(|wire| is_used[wire.index()] = true);
            }
            Item::Call(wire, call) => {
                let outputs = functions[call.function.index()].outputs.len();
                let driven = call.wires(outputs).expect("a valid call") as usize;
                if !is_used[wire.index()..wire.index() + driven].contains(&true) {
                    continue;
                }
                for argument in &call.arguments {
                    let runs =
                        if let Argument::Shared(_) = argument { 1 } else { call.form.runs() };
                    for run in 0..runs {
                        (0..argument.width())
                            .for_each(|j| mark(argument.bit(run, j), &mut is_used));
                    }
                }
            }
            Item::Gate(..) => {}
        }
    }
    is_used
}

#[cfg(test)]
mod tests {
    use super::super::random::{self, Shape};
    use super::super::{clear, flatten, verify};
    use super::*;
    use crate::random::inputs_for;

    #[test]
    fn a_pruned_circuit_computes_the_same_and_has_nothing_unused() {
        let mut smaller = 0;
        for seed in 0..60 {
            let flip_flops = if seed % 3 == 0 { 4 } else { 0 };
            let shape = Shape { flip_flops, ..Shape::default() };
            let circuit = random::circuit(seed, &shape);
            let pruned = without_unused(&circuit).unwrap();
            verify(&pruned).unwrap();
            let inputs = inputs_for(&flatten(&circuit).unwrap(), seed, 3);
            let expected = clear::evaluate(&circuit, &inputs, 3).unwrap();
            assert_eq!(clear::evaluate(&pruned, &inputs, 3).unwrap(), expected, "seed {seed}");
            let ands = |circuit: &StructuredCircuit| circuit.size().ands;
            assert!(ands(&pruned) <= ands(&circuit));
            smaller += u32::from(ands(&pruned) < ands(&circuit));
            for function in &pruned.functions {
                let wanted = function.outputs.iter().copied();
                let inputs = function.inputs as usize;
                let is_used = used(&function.body, inputs, &pruned.functions, wanted);
                for item in pruned.items_of(function) {
                    if let Item::Gate(wire, _) = item {
                        assert!(is_used[wire.index()], "seed {seed}: {}", function.name);
                    }
                }
            }
            let again = without_unused(&pruned).unwrap();
            assert_eq!(ands(&again), ands(&pruned));
            assert_eq!(again.functions.len(), pruned.functions.len());
        }
        assert!(smaller > 30, "{smaller} of 60 circuits became smaller");
    }
}
