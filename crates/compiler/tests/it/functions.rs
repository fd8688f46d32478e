//! Tests that the order `grouped` of circuits with functions keeps what they compute.

use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::random::{self, Shape};
use halfgate_circuit::structured::{FunctionId, StructuredCircuit, clear, flatten, verify};
use halfgate_circuit::{Bit, Bits, Builder, Gate, Party, int};
use halfgate_compiler::{CompileError, Order, StructuredProgram, compile, compile_structured};
use proptest::prelude::*;

/// The outputs on random inputs.
fn outputs(circuit: &StructuredCircuit, seed: u64) -> Vec<Bits> {
    let input = |(index, input): (usize, &halfgate_circuit::Input)| {
        halfgate_circuit::random::bits(seed ^ (index as u64) << 32, input.width as usize)
    };
    let inputs: Vec<Bits> = circuit.inputs.iter().enumerate().map(input).collect();
    clear::evaluate(circuit, &inputs, 1).unwrap()
}

fn gates_of(circuit: &StructuredCircuit, function: usize) -> Vec<Gate> {
    circuit.functions[function].body.gates.iter().collect()
}

/// The most ANDs in a row of which none reads another.
fn longest_row(gates: &[Gate], first: usize) -> usize {
    let (mut start, mut count, mut most) = (0, 0, 0);
    for (index, gate) in gates.iter().enumerate() {
        let reads_row = gate.operands().any(|wire| wire.index() >= first + start);
        if !gate.is_and() || reads_row {
            (start, count) = (index, 0);
        }
        count += usize::from(gate.is_and());
        most = most.max(count);
    }
    most
}

proptest! {
    #[test]
    fn grouping_keeps_what_functions_compute(seed: u64, calls in 0u32..5, window in 1u32..100) {
        let shape = Shape { calls, gates: 30, ..Shape::default() };
        let circuit = random::circuit(seed, &shape);
        let given = StructuredProgram::new(random::circuit(seed, &shape)).unwrap();
        let grouped = StructuredProgram::grouped(circuit, window).unwrap();
        verify(&grouped.circuit).unwrap();
        let gates = [&grouped, &given].map(|program| (program.size().gates, program.size().ands));
        prop_assert_eq!(gates[0], gates[1]);
        prop_assert_eq!(outputs(&grouped.circuit, seed), outputs(&given.circuit, seed));
        let flat = grouped.flat().unwrap();
        prop_assert_eq!(flat.order, Order::Grouped { window });
        prop_assert_eq!(flat.hash, grouped.hash);
    }
}

/// Sums of pairs of four-bit numbers, one after the other.
fn sums(b: &mut Builder, x: &[Bit]) -> Vec<Bit> {
    x.as_chunks::<8>().0.iter().flat_map(|pair| int::add(b, &pair[..4], &pair[4..])).collect()
}

/// A circuit that calls `sums` of 16 pairs, once or in a map.
fn sums_in(lanes: u64) -> StructuredCircuit {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 128 * lanes as u32);
    let of = b.map("sums", lanes, &[Arg::Sliced(&x)], |b, of| sums(b, &of[0]));
    b.output_array("y", of);
    b.finish_structured().unwrap()
}

#[test]
fn independent_ands_of_a_function_stand_side_by_side() {
    let given = sums_in(1);
    let grouped = StructuredProgram::grouped(sums_in(1), 1 << 17).unwrap();
    let rows = [&given, &grouped.circuit].map(|circuit| longest_row(&gates_of(circuit, 0), 128));
    assert!(rows[0] <= 2 && rows[1] >= 16, "{rows:?}");
}

#[test]
fn a_function_in_many_lanes_stays_as_it_is_written() {
    for (lanes, stays) in [(7, false), (8, true), (100, true)] {
        let grouped = StructuredProgram::grouped(sums_in(lanes), 1 << 17).unwrap();
        let same = gates_of(&grouped.circuit, 0) == gates_of(&sums_in(lanes), 0);
        assert_eq!(same, stays, "{lanes} lanes");
    }
}

/// The map's slices are of gates' wires, which keep their distances.
#[test]
fn gates_that_slices_read_stay_as_they_are_written() {
    let circuit = || {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 128);
        let sums = sums(&mut b, &x);
        let of = b.map("squares", 16, &[Arg::Sliced(&sums)], |b, of| int::mul(b, &of[0], &of[0]));
        b.output_array("y", of);
        b.finish_structured().unwrap()
    };
    let grouped = StructuredProgram::grouped(circuit(), 1 << 17).unwrap();
    let sliced = matches!(
        grouped.circuit.body.calls[0].arguments[..],
        [halfgate_circuit::structured::Argument::Sliced { .. }]
    );
    let [before, after] = [circuit(), grouped.circuit].map(|c| c.body.gates.iter().collect());
    let (before, after): (Vec<Gate>, Vec<Gate>) = (before, after);
    assert_eq!(sliced, before == after);
}

/// A circuit with state runs as its flattening. In the given order its hash covers its functions.
#[test]
fn circuits_with_state_are_flattened() {
    let circuit = || random::circuit(1, &Shape { flip_flops: 3, ..Shape::default() });
    let compiled = |order| compile_structured(circuit(), order).unwrap();
    let (given, grouped) = (compiled(Order::Given), compiled(Order::default()));
    assert!(given.structure.is_none() && grouped.structure.is_none());
    assert_eq!(given.hash, StructuredProgram::new(circuit()).unwrap().hash);
    let flat = compile(flatten(&circuit()).unwrap(), Order::default()).unwrap();
    assert_eq!(grouped.hash, flat.hash);
    assert_ne!(given.hash, compile(flatten(&circuit()).unwrap(), Order::Given).unwrap().hash);
}

/// A function of 4 gates a bit, called once, folded and mapped, and one that calls it.
fn small_and_large(width: u32, steps: u64) -> StructuredCircuit {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, width);
    let y = b.input("y", Party::Evaluator, width * 20);
    let (width, step) = (width as usize, |b: &mut Builder, x: &[Bit], y: &[Bit]| {
        // The first output is an input, and the last is inverted.
        let sum = int::add(b, x, y);
        [&x[..1], &sum[1..sum.len() - 1], &[!sum[sum.len() - 1]]].concat()
    });
    let once = b.function("step", 2 * width, |b, xs| step(b, &xs[..width], &xs[width..]));
    let first = b.call(&once, &[&x[..], &y[..width]].concat());
    let twice = b.function("twice", 2 * width, |b, xs| {
        let sum = b.call(&once, xs);
        b.call(&once, &[&sum[..], &xs[width..]].concat())
    });
    let second = b.call(&twice, &[&first[..], &y[width..2 * width]].concat());
    let elements = &y[..steps as usize * width];
    let folded = b.fold("fold", steps, &second, &[Arg::Sliced(elements)], |b, state, y| {
        let next = step(b, state, &y[0]);
        let last = next[width - 1];
        (next, vec![last, !state[0]])
    });
    let results = [&second[..], &folded.state, &folded.outputs.bits()].concat();
    let mapped =
        b.map("map", 10, &[Arg::Sliced(&y[..10 * width]), Arg::Shared(&first)], |b, xs| {
            step(b, &xs[0], &xs[1])
        });
    b.output("results", &results);
    b.output_array("mapped", mapped);
    b.finish_structured().unwrap()
}

#[test]
fn small_functions_are_written_out() {
    // Bits, steps, and the calls that stay: the map, then the fold, then all.
    for (width, steps, calls) in [(3, 4, 1), (3, 20, 2), (12, 3, 2), (60, 2, 4)] {
        let given = small_and_large(width, steps);
        let grouped = StructuredProgram::grouped(small_and_large(width, steps), 1 << 17).unwrap();
        verify(&grouped.circuit).unwrap();
        for seed in 0..20 {
            assert_eq!(outputs(&grouped.circuit, seed), outputs(&given, seed), "{width} bits");
        }
        assert_eq!(grouped.circuit.body.calls.len(), calls, "{width} bits, {steps} steps");
    }
}

/// A body with very many small calls keeps all of them.
#[test]
fn thousands_of_calls_stay() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 16);
    let sum = b.function("sum", 32, |b, x| int::add(b, &x[..16], &x[16..]));
    let mut total = x.to_vec();
    for _ in 0..1000 {
        total = b.call(&sum, &[&total[..], &x[..]].concat());
    }
    b.output("total", &total);
    let program = compile_structured(b.finish_structured().unwrap(), Order::default()).unwrap();
    assert_eq!(program.structure.unwrap().circuit.body.calls.len(), 1000);
}

/// Functions are written out only once the circuit was found valid.
#[test]
fn an_invalid_circuit_is_refused_in_every_order() {
    for order in [Order::Given, Order::default()] {
        let mut circuit = small_and_large(3, 4);
        circuit.body.calls[0].function = FunctionId(1000);
        assert!(matches!(compile_structured(circuit, order), Err(CompileError::Structure(_))));
    }
}

/// If all functions are small, the program is that of the gates.
#[test]
fn a_circuit_of_small_functions_is_flat() {
    let circuit = || {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 16);
        let sum = b.function("sum", 16, |b, x| int::add(b, &x[..8], &x[8..]));
        let sum = b.call(&sum, &x);
        b.output("sum", &sum);
        b.finish_structured().unwrap()
    };
    let program = compile_structured(circuit(), Order::default()).unwrap();
    assert!(program.structure.is_none());
    let flat = compile(flatten(&circuit()).unwrap(), Order::default()).unwrap();
    assert_eq!(program.hash, flat.hash);
}

#[test]
fn orders_of_gate_engines_write_functions_out() {
    for (order, keeps) in [("given", true), ("grouped:50", true), ("haac:full", false)] {
        let program = compile_structured(sums_in(3), order.parse().unwrap()).unwrap();
        assert_eq!(program.structure.is_some(), keeps, "{order}");
        assert_eq!(program.order.to_string(), order);
    }
}
