use super::flatten::for_each_gate;
use super::*;
use crate::bit_runs::BitRuns;
use crate::bits::Bits;
use crate::circuit::{Circuit, Input, Output, Party};
use crate::gate::Gate;
use crate::gates::Gates;
use crate::id::{Bit, Wire};
use crate::stats::Stats;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// The input bits that are read, block after block.
fn first_uses(circuit: &StructuredCircuit) -> std::io::Result<Vec<Wire>> {
    let plan = blocks::Plan::new(circuit)?;
    let (mut blocks, mut wires) = (plan.blocks(circuit), Vec::new());
    while blocks.next(&mut wires).is_some() {}
    Ok(wires)
}

fn wire(number: u32) -> Bit {
    Wire::new(number).bit()
}

/// `out = (x & y) ^ !x`, as a function of two inputs.
fn small_function() -> Function {
    let gates: Gates = [Gate::and(wire(0), wire(1), false), Gate::xor(wire(2), !wire(0), false)]
        .into_iter()
        .collect();
    let body = Body { gates, calls: Vec::new() };
    Function { name: "small".to_owned(), inputs: 2, body, outputs: vec![wire(3)] }
}

/// A circuit of one input of `width` bits whose body is one call of [`small_function`].
fn one_call(width: u32, form: Form, arguments: Vec<Argument>) -> StructuredCircuit {
    let party = Party::Evaluator;
    let name = "x".to_owned();
    let call = Call { after: 0, function: FunctionId(0), form, arguments };
    let mut circuit = StructuredCircuit {
        inputs: vec![Input { name, party, width, per_cycle: false, elements: None, is_set: false }],
        functions: vec![small_function()],
        body: Body { gates: Gates::new(), calls: vec![call] },
        cycles: 1,
        ..StructuredCircuit::default()
    };
    let driven = circuit.body.wires(&circuit.functions) as u32;
    circuit.outputs.push(Output {
        name: "y".to_owned(),
        bits: BitRuns::of_wires(Wire::new(width), driven),
        per_cycle: false,
        elements: None,
    });
    circuit
}

#[test]
fn a_cancelled_evaluation_has_no_outputs() {
    let shared = [0, 1].map(|input| Argument::Shared(vec![wire(input)]));
    let circuit = one_call(2, Form::Map { lanes: 3 }, shared.into());
    let values = [Bits::from_bools(&[true, false])];
    let evaluate = |cancel| clear::evaluate_until(&circuit, &values, 1, &AtomicBool::new(cancel));
    assert_eq!(evaluate(false).unwrap(), Some(vec![Bits::from_bools(&[false; 3])]));
    assert_eq!(evaluate(true).unwrap(), None);
}

/// Examples 1 and 2 of `spec/functions.md`.
#[test]
fn examples_flatten_as_specified() {
    let shared = Argument::Shared(vec![wire(0)]);
    let sliced = Argument::Sliced { width: 1, first: Wire::new(1), run_stride: 1, bit_stride: 0 };
    let map = one_call(4, Form::Map { lanes: 3 }, vec![shared, sliced.clone()]);
    let flat = flatten(&map).unwrap();
    let expected = [
        Gate::and(wire(0), wire(1), false),
        Gate::and(wire(0), wire(2), false),
        Gate::and(wire(0), wire(3), false),
        Gate::xor(wire(4), wire(0), true),
        Gate::xor(wire(5), wire(0), true),
        Gate::xor(wire(6), wire(0), true),
    ];
    assert!(flat.gates.iter().eq(expected));
    assert_eq!(flat.outputs[0].bits, BitRuns::of_wires(Wire::new(7), 3));

    let state = Argument::Shared(vec![!wire(0)]);
    let fold = one_call(4, Form::Fold { steps: 2, state: 1 }, vec![state, sliced]);
    let flat = flatten(&fold).unwrap();
    let expected = [
        Gate::and(!wire(0), wire(1), false),
        Gate::xor(wire(4), wire(0), false),
        Gate::and(wire(5), wire(2), false),
        Gate::xor(wire(6), wire(5), true),
    ];
    assert!(flat.gates.iter().eq(expected));
    assert_eq!(flat.outputs[0].bits, BitRuns::of_wires(Wire::new(7), 1));
}

/// A function of three inputs that calls [`small_function`] in two runs, on wire 0 and, one after
/// the other, on the wires 1 and 2; mapped over two lanes of three inputs.
fn two_levels(form: Form) -> StructuredCircuit {
    let sliced = |width, first, run_stride| Argument::Sliced {
        width,
        first: Wire::new(first),
        run_stride,
        bit_stride: 1,
    };
    let mut circuit = one_call_unchecked(6, Form::Map { lanes: 2 }, vec![sliced(3, 0, 3)]);
    let arguments = vec![Argument::Shared(vec![wire(0)]), sliced(1, 1, 1)];
    let call = Call { after: 0, function: FunctionId(0), form, arguments };
    let driven = call.wires(1).unwrap() as u32;
    circuit.functions.push(Function {
        name: "caller".to_owned(),
        inputs: 3,
        body: Body { gates: Gates::new(), calls: vec![call] },
        outputs: (3..3 + driven).map(wire).collect(),
    });
    circuit.body.calls[0].function = FunctionId(1);
    circuit
}

fn collect(gates: &mut Vec<Gate>) -> impl FnMut(Gate) -> std::io::Result<()> {
    |gate| {
        gates.push(gate);
        Ok(())
    }
}

/// Examples 3 and 4 of `spec/functions.md`.
#[test]
fn nested_examples_flatten_as_specified() {
    let and = |a, b| Gate::and(wire(a), wire(b), false);
    let xor = |a, b| Gate::xor(wire(a), wire(b), true);
    let map = two_levels(Form::Map { lanes: 2 });
    let mut gates = Vec::new();
    let driven = for_each_gate(&map, collect(&mut gates)).unwrap();
    let inner = [and(0, 1), and(3, 4), and(0, 2), and(3, 5)];
    assert_eq!(gates, [&inner[..], &[xor(6, 0), xor(7, 3), xor(8, 0), xor(9, 3)]].concat());
    assert_eq!(driven[6..], [wire(10), wire(12), wire(11), wire(13)]);

    let fold = two_levels(Form::Fold { steps: 2, state: 1 });
    let mut gates = Vec::new();
    let driven = for_each_gate(&fold, collect(&mut gates)).unwrap();
    let step_0 = [and(0, 1), and(3, 4), xor(6, 0), xor(7, 3)];
    let step_1 = [and(8, 2), and(9, 5), xor(10, 8), xor(11, 9)];
    assert_eq!(gates, [step_0, step_1].concat());
    assert_eq!(driven[6..], [wire(12), wire(13)]);
}

/// Runs both on random values.
fn check_equal(structured: &StructuredCircuit, flat: &Circuit, seed: u64) {
    for run in 0..3 {
        let cycles = structured.cycles;
        let values: Vec<Bits> = crate::random::inputs_for(flat, seed * 7 + run, cycles);
        let expected = crate::clear::evaluate(flat, &values, cycles).unwrap();
        assert_eq!(clear::evaluate(structured, &values, cycles).unwrap(), expected, "seed {seed}");
    }
}

#[test]
fn random_circuits_compute_what_their_flattenings_compute() {
    let mut seen = HashSet::new();
    for seed in 0..120 {
        let flip_flops = if seed % 4 == 0 { 3 } else { 0 };
        let circuit = random::circuit(seed, &random::Shape { flip_flops, ..Default::default() });
        verify(&circuit).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let flat = flatten(&circuit).unwrap();
        crate::verify::verify(&flat).unwrap();
        check_equal(&circuit, &flat, seed);
        assert_eq!(first_uses(&circuit).unwrap(), crate::first_uses(&flat), "seed {seed}");
        let sizes = Sizes::of(&circuit.functions).unwrap();
        let size = circuit.size();
        assert_eq!((size.gates, size.ands), (flat.gates.len() as u64, flat.gates.ands()));
        let (stats, depth) = (Stats::of(&flat), depth::depth(&circuit));
        assert_eq!(depth::depth_within(&circuit, 1 << 20), Some(depth));
        let flat_depth = (u64::from(stats.and_depth), u64::from(stats.depth));
        assert_eq!((depth.ands, depth.gates), flat_depth, "seed {seed}");
        for call in circuit.functions.iter().flat_map(|f| &f.body.calls).chain(&circuit.body.calls)
        {
            let form = match call.form {
                Form::Once => "once",
                Form::Fold { state: 0, .. } => "fold without state",
                Form::Fold { .. } => "fold",
                Form::Map { lanes } if lanes > sizes.block(call) => "map of blocks",
                Form::Map { .. } => "map",
            };
            let inner = sizes.get(call.function);
            seen.insert((form, inner.nesting.min(2), inner.lanes > 1));
        }
    }
    for form in ["once", "fold without state", "fold", "map of blocks", "map"] {
        for (nesting, lanes) in [(0, false), (1, true), (2, true)] {
            assert!(seen.contains(&(form, nesting, lanes)), "{form} {nesting} {lanes}: {seen:?}");
        }
    }
}

#[test]
fn a_flat_circuit_stays_itself() {
    let flat =
        || crate::random::circuit(5, &crate::random::Shape { flip_flops: 2, ..Default::default() });
    let structured = StructuredCircuit::from(flat());
    verify(&structured).unwrap();
    for back in [flatten(&structured).unwrap(), structured.into_circuit().unwrap()] {
        assert!(back.gates.iter().eq(flat().gates.iter()));
        assert_eq!(back.outputs, flat().outputs);
        assert_eq!(back.flip_flops, flat().flip_flops);
    }
}

/// Each broken invariant has its error.
#[test]
fn invalid_structure_is_refused() {
    let sliced = |width, first, run_stride| Argument::Sliced {
        width,
        first: Wire::new(first),
        run_stride,
        bit_stride: 1,
    };
    let map = |lanes| Form::Map { lanes };
    let refused = |form, arguments: Vec<Argument>, part: &str| {
        let circuit = one_call_unchecked(4, form, arguments);
        let error = verify(&circuit).expect_err(part).to_string();
        assert!(error.contains(part), "{error:?} does not contain {part:?}");
    };
    refused(map(0), vec![sliced(2, 0, 1)], "runs 0 times");
    refused(map(4), vec![sliced(2, 0, 1)], "reads wire w4, but only wires below 4");
    refused(map(u64::MAX), vec![sliced(2, 0, 1)], "only wires below 4");
    refused(map(1 << 40), vec![sliced(2, 0, 0)], "more than 1073741824 wires");
    refused(map(2), vec![sliced(1, 0, 1)], "passes 1 bits to a function of 2 inputs");
    refused(map(2), vec![Argument::Listed { width: 2, bits: vec![wire(0); 3] }], "lists 3 bits");
    refused(map(2), vec![Argument::Shared(vec![Bit::TRUE, wire(1)])], "has a constant");
    refused(map(2), vec![Argument::Shared(Vec::new()), sliced(2, 0, 1)], "has no bits");
    refused(Form::Fold { steps: 2, state: 2 }, vec![sliced(2, 0, 1)], "folds 2 bits of state");
    refused(Form::Fold { steps: 2, state: 1 }, vec![sliced(2, 0, 1)], "share it");

    let valid = || one_call(4, Form::Map { lanes: 3 }, vec![sliced(2, 0, 1)]);
    let refused = |change: &dyn Fn(&mut StructuredCircuit), part: &str| {
        let mut circuit = valid();
        verify(&circuit).unwrap();
        change(&mut circuit);
        let error = verify(&circuit).expect_err(part).to_string();
        assert!(error.contains(part), "{error:?} does not contain {part:?}");
    };
    refused(&|c| c.body.calls[0].function = FunctionId(1), "names function 1");
    refused(&|c| c.body.calls[0].after = 1, "of which there are fewer");
    refused(&|c| c.functions[0].outputs[0] = Bit::TRUE, "output 0 of the function is a constant");
    refused(&|c| c.functions[0].outputs[0] = wire(4), "output bit 0 reads wire w4");
    refused(&|c| c.functions[0].outputs.clear(), "has no outputs");
    refused(&|c| c.functions[0].inputs = 0, "has no inputs");
    refused(&|c| c.outputs[0].bits.push(wire(7)), "there are only 7 wires");
    refused(&|c| c.outputs[0].name.clear(), "has no name");
    let recursion = |c: &mut StructuredCircuit| {
        let call = Call { form: Form::Once, ..c.body.calls[0].clone() };
        c.functions[0].body.calls.push(call);
    };
    refused(&recursion, "function 0 (\"small\"): call 0 names function 0");
}

fn one_call_unchecked(width: u32, form: Form, arguments: Vec<Argument>) -> StructuredCircuit {
    let once = vec![Argument::Shared(vec![wire(0), wire(1)])];
    let mut circuit = one_call(width, Form::Once, once);
    circuit.body.calls[0].form = form;
    circuit.body.calls[0].arguments = arguments;
    circuit.outputs.clear();
    circuit
}

/// A chain of functions, each of which calls the one before it `runs` times.
fn nested(depth: u32, steps: u64) -> StructuredCircuit {
    let mut circuit = one_call(2, Form::Once, vec![Argument::Shared(vec![wire(0), wire(1)])]);
    for number in 1..=depth {
        let call = Call {
            after: 0,
            function: FunctionId(number - 1),
            form: Form::Fold { steps, state: 1 },
            arguments: vec![Argument::Shared(vec![wire(0)]), Argument::Shared(vec![wire(1)])],
        };
        let body = Body { gates: Gates::new(), calls: vec![call] };
        let name = format!("level {number}");
        circuit.functions.push(Function { name, inputs: 2, body, outputs: vec![wire(2)] });
        circuit.body.calls[0].function = FunctionId(number);
    }
    circuit
}

#[test]
fn nesting_and_counts_are_bounded() {
    verify(&nested(31, 1)).unwrap();
    let error = verify(&nested(33, 1)).unwrap_err().to_string();
    assert!(error.contains("nested more than 32 deep"), "{error}");
    let error = verify(&nested(8, 1 << 10)).unwrap_err().to_string();
    assert!(error.contains("function 7") && error.contains("64 bits cannot count"), "{error}");
    let large = nested(5, 1 << 10);
    verify(&large).unwrap();
    assert_eq!(large.size().gates, 2 << 50);
    assert!(matches!(flatten(&large), Err(FlattenError::TooManyWires { .. })));
    assert_eq!(depth::depth_within(&large, 1 << 16), None);
    let mut empty = nested(1, u64::MAX);
    empty.functions[0].body.gates = Gates::new();
    empty.functions[0].outputs = vec![wire(0)];
    verify(&empty).unwrap();
    assert!(matches!(flatten(&empty), Err(FlattenError::TooManySteps { .. })));
}

#[test]
fn blocks_follow_the_function() {
    let block = |functions: &[Function], number: usize| {
        Sizes::of(functions).unwrap().get(FunctionId(number as u32)).block
    };
    let mut functions = vec![small_function()];
    assert_eq!(block(&functions, 0), size::BLOCK);
    let pair = || vec![Argument::Shared(vec![wire(0), wire(1)])];
    let caller = |form, ands: usize| {
        let gates = std::iter::repeat_n(Gate::and(wire(0), wire(1), false), ands).collect();
        let call = Call { after: ands, function: FunctionId(0), form, arguments: pair() };
        let body = Body { gates, calls: vec![call] };
        Function { name: "caller".to_owned(), inputs: 2, body, outputs: vec![wire(0)] }
    };
    let cases = [
        (Form::Once, 0, size::BLOCK),
        (Form::Fold { steps: 30, state: 1 }, 0, size::BLOCK),
        (Form::Map { lanes: 30 }, 0, 1),
        (Form::Map { lanes: 30 }, 10, 1),
        (Form::Map { lanes: 30 }, 11, size::BLOCK),
        (Form::Map { lanes: 7 }, 0, size::BLOCK),
        (Form::Map { lanes: 8 }, 0, 1),
    ];
    for (form, ands, expected) in cases {
        functions.truncate(1);
        functions.push(caller(form, ands));
        assert_eq!(block(&functions, 1), expected, "{form:?} and {ands} ANDs");
    }
}

/// The order of inputs takes the time of the text, not of the steps.
#[test]
fn the_order_of_inputs_of_endless_folds_is_found() {
    let slice = |width, first| Argument::Sliced {
        width,
        first: Wire::new(first),
        run_stride: 0,
        bit_stride: 1,
    };
    let state = Argument::Shared(vec![wire(0)]);
    let form = Form::Fold { steps: 1 << 60, state: 1 };
    let mut circuit = one_call(4, form, vec![state.clone(), slice(1, 1)]);
    assert_eq!(first_uses(&circuit).unwrap(), [0, 1].map(Wire::new));
    // The other input is not read, and is passed through.
    circuit.functions[0] = Function {
        name: "pass".to_owned(),
        inputs: 2,
        body: Body {
            gates: [Gate::and(wire(0), wire(0), false)].into_iter().collect(),
            calls: vec![],
        },
        outputs: vec![wire(2), wire(1)],
    };
    circuit.body.calls[0].form = Form::Fold { steps: 1 << 60, state: 2 };
    circuit.body.calls[0].arguments = vec![state, Argument::Shared(vec![wire(3)])];
    circuit.outputs[0].bits = BitRuns::of_wires(Wire::new(4), 2);
    assert_eq!(first_uses(&circuit).unwrap(), [0, 3].map(Wire::new));
}
