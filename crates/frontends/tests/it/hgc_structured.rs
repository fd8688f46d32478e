//! Tests that structured circuits stay the same when they are written as HGC and read back.

use crate::common::testdata;
use crate::fuzz_seeds::hgc::assert_same;
use halfgate_circuit::structured::random::{self, Shape};
use halfgate_circuit::structured::{
    Argument, Body, Call, Form, Function, FunctionId, StructuredCircuit, clear, flatten, verify,
};
use halfgate_circuit::{Bit, BitRuns, Bits, Gate, Gates, Input, Output, Party, Wire};
use halfgate_frontends::hgc::{self, WriteError};
use halfgate_frontends::{Options, ReadError};

fn write(circuit: &StructuredCircuit) -> String {
    let mut text = Vec::new();
    hgc::write_structured(circuit, &mut text).expect("the circuit can be written");
    String::from_utf8(text).expect("HGC is text")
}

fn read(text: &str) -> StructuredCircuit {
    let read = hgc::read_structured(text.as_bytes(), "test.hgc");
    let circuit = read.unwrap_or_else(|error| panic!("{error}"));
    verify(&circuit).expect("the reader gives valid circuits");
    circuit
}

fn sample(name: &str) -> StructuredCircuit {
    read(&std::fs::read_to_string(testdata(name)).expect("a sample"))
}

#[test]
fn random_circuits_are_read_back_as_they_were() {
    let mut calls = 0;
    for seed in 0..300 {
        let flip_flops = if seed % 3 == 0 { 3 } else { 0 };
        let mut circuit = random::circuit(seed, &Shape { flip_flops, ..Shape::default() });
        // Some functions have the same name, or none. Calls then name them by their numbers.
        for (index, function) in circuit.functions.iter_mut().enumerate().skip(seed as usize % 5) {
            function.name = ["same", "", "1", "two words"][index % 4].to_owned();
        }
        let text = write(&circuit);
        let back = read(&text);
        assert_same(&circuit, &back);
        assert_eq!(write(&back), text, "seed {seed}");
        calls += circuit.body.calls.len();
    }
    assert!(calls > 300, "{calls} calls");
}

/// The writer chooses version 1 for a circuit without calls, as for a flat circuit.
#[test]
fn circuits_without_calls_are_written_in_version_1() {
    for name in ["adder.hgc", "every-word.hgc"] {
        let text = std::fs::read(testdata(name)).expect("a sample");
        let mut flat = Vec::new();
        hgc::write(&hgc::read(&text[..], name).expect("a circuit"), &mut flat).expect("written");
        assert!(flat.starts_with(b"halfgate-circuit 1\n"));
        let mut structured = sample(name);
        assert_eq!(write(&structured).as_bytes(), flat);
        // Functions that nothing calls are dropped.
        structured.functions.push(identity("unused", 2));
        assert_eq!(write(&structured).as_bytes(), flat);
    }
    let with_function = "halfgate-circuit 2\nfunction f inputs 1 outputs 1\nreturn 0\n\
                         end-function\ninput x garbler 2\noutput y 4\nbits 0..1 false*2\nend\n";
    let circuit = hgc::read(with_function.as_bytes(), "x.hgc").expect("nothing is called");
    let expected = [Wire::new(0).bit(), Wire::new(1).bit(), Bit::FALSE, Bit::FALSE];
    assert_eq!(circuit.outputs[0].bits.to_vec(), expected);
}

#[test]
fn the_sample_adds() {
    let circuit = sample("sums.hgc");
    let bits = |numbers: [u64; 4]| -> Bits {
        numbers.iter().flat_map(|&number| (0..8).map(move |bit| number >> bit & 1 == 1)).collect()
    };
    let inputs = [bits([1, 2, 100, 255]), bits([10, 20, 55, 2])];
    let sums = clear::evaluate(&circuit, &inputs, 1).expect("the values fit");
    assert_eq!(sums, [bits([11, 22, 155, 1])]);
    let flat = flatten(&circuit).expect("small");
    assert_eq!(halfgate_circuit::clear::evaluate(&flat, &inputs, 1).expect("as before"), sums);
}

#[test]
fn every_word_of_functions_and_calls_is_read() {
    let circuit = sample("every-call.hgc");
    let names: Vec<&str> = circuit.functions.iter().map(|function| &function.name[..]).collect();
    assert_eq!(names, ["two words", "same", "same", ""]);
    let w = |number| Wire::new(number).bit();
    assert_eq!(circuit.functions[0].outputs, [w(4), w(5), !w(0)]);
    let sources = circuit.functions[0].body.gates.sources().expect("a line");
    assert_eq!(sources.line(1), Some("a.v:1"));
    // The line of a source ends with its body.
    assert!(circuit.body.gates.sources().is_none());
    let fold = &circuit.functions[3].body.calls[0];
    assert_eq!((fold.form, fold.function.0), (Form::Fold { steps: 3, state: 3 }, 0));
    let listed = Argument::Listed { width: 1, bits: vec![w(3), !w(4), w(3)] };
    assert_eq!(fold.arguments, [Argument::Shared(vec![w(0), w(1), w(2)]), listed]);

    let [map, second, last] = &circuit.body.calls[..] else { panic!("three calls") };
    assert_eq!((map.after, map.form), (1, Form::Map { lanes: 3 }));
    let bits = vec![w(0), w(1), !w(2), !w(3), w(4), w(14)];
    let sliced = Argument::Sliced { width: 2, first: Wire::new(0), run_stride: 2, bit_stride: 3 };
    let shared = Argument::Shared(vec![w(13)]);
    assert_eq!(map.arguments, [Argument::Listed { width: 2, bits }, sliced, shared]);
    assert_eq!(second.after, 1);
    assert_eq!(last.form, Form::Fold { steps: u64::MAX, state: 1 });
    assert_eq!(circuit.outputs[0].bits, BitRuns::of_wires(Wire::new(0), 31));
    let runs: Vec<(Bit, u32)> = circuit.outputs[1].bits.runs().collect();
    let some = [(Bit::FALSE, 3), (!w(4), 5), (Bit::TRUE, 2), (w(9), 1), (Bit::TRUE, 1)];
    assert_eq!(runs[..5], some);
}

fn identity(name: &str, bits: u32) -> Function {
    let outputs = (0..bits).map(|number| Wire::new(number).bit()).collect();
    Function { name: name.to_owned(), inputs: bits, body: Body::default(), outputs }
}

/// A circuit that maps an AND over `lanes` bits of each party.
fn wide(lanes: u32) -> StructuredCircuit {
    let wire = |number| Wire::new(number).bit();
    let gates: Gates = [Gate::and(wire(0), wire(1), false)].into_iter().collect();
    let body = Body { gates, calls: Vec::new() };
    let and = Function { name: "and".to_owned(), inputs: 2, body, outputs: vec![wire(2)] };
    let input = |name: &str, party| Input {
        name: name.to_owned(),
        party,
        width: lanes,
        per_cycle: false,
        elements: None,
        is_set: false,
    };
    let sliced = |first| Argument::Sliced {
        width: 1,
        first: Wire::new(first),
        run_stride: 1,
        bit_stride: 0,
    };
    let call = Call {
        after: 0,
        function: FunctionId(0),
        form: Form::Map { lanes: lanes.into() },
        arguments: vec![sliced(0), sliced(lanes)],
    };
    let bits = BitRuns::of_wires(Wire::new(2 * lanes), lanes);
    StructuredCircuit {
        inputs: vec![input("x", Party::Garbler), input("y", Party::Evaluator)],
        functions: vec![and],
        body: Body { gates: Gates::new(), calls: vec![call] },
        outputs: vec![Output { name: "z".to_owned(), bits, per_cycle: false, elements: None }],
        cycles: 1,
        ..StructuredCircuit::default()
    }
}

#[test]
fn a_map_over_many_lanes_is_a_short_file() {
    let text = write(&wide(1 << 20));
    assert!(text.len() < 500, "{text}");
    assert_same(&read(&text), &wide(1 << 20));
}

/// The limit on output bits is one for readers, not for circuits.
#[test]
fn outputs_may_repeat_as_many_bits_as_the_file_has_bytes() {
    let mut circuit = wide(8);
    for bit in [Bit::TRUE, Wire::new(3).bit()] {
        let mut bits = BitRuns::new();
        bits.push_run(Bit::FALSE, 1 << 20);
        (0..1 << 10).for_each(|_| bits.push(bit));
        circuit.outputs[0].bits = bits;
        assert_same(&read(&write(&circuit)), &circuit);
    }
}

#[test]
fn circuits_that_readers_reject_are_not_written() {
    let mut sink = Vec::new();
    let mut long = wide(2);
    long.functions[0].name = "n".repeat(hgc::MAX_NAME_BYTES + 1);
    let error = hgc::write_structured(&long, &mut sink).unwrap_err();
    assert!(matches!(error, WriteError::NameTooLong { .. }), "{error}");
    let mut invalid = wide(2);
    invalid.body.calls[0].function = FunctionId(1);
    let error = hgc::write_structured(&invalid, &mut sink).unwrap_err();
    assert!(matches!(error, WriteError::Invalid(_)), "{error}");
    assert!(sink.is_empty());
}

/// A file is opened with its functions, or flattened if that is not too large.
#[test]
fn files_are_opened_with_and_without_functions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.hgc");
    let open = |text: &str| {
        std::fs::write(&path, text).unwrap();
        halfgate_frontends::open(&path, &Options::default())
    };
    let sums = sample("sums.hgc");
    let flat = open(&write(&sums)).expect("small");
    assert!(flat.gates.iter().eq(flatten(&sums).unwrap().gates.iter()));

    let function = "function f inputs 2 outputs 1\n2 = and 0 1\nreturn 2\nend-function\n";
    let large = format!(
        "halfgate-circuit 2\n{function}input x garbler 2\n2 = call f fold 9999999999 state 1\n\
         shared 0\nshared 1\noutput y 1\nbits 2\nend\n"
    );
    let error = open(&large).expect_err("too large");
    assert!(matches!(error, ReadError::Flatten { .. }), "{error}");
    assert!(error.to_string().contains("x.hgc: with all functions written out"), "{error}");
    let reading = &mut halfgate_frontends::verilog::Reading { store: None, progress: &mut |_| {} };
    let options = Options::default();
    let kept = halfgate_frontends::open_structured_with(&path, &options, reading).expect("valid");
    assert_eq!(kept.functions.len(), 1);
}
