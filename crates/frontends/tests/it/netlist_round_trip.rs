//! Tests that random circuits compute the same after they are written as SCD and HSCD and read
//! back, and that circuits that do not fit the format are rejected.

use crate::common::netlist::{FOLDED, GIVEN, LAST, assert_same_netlist, read, write};
use crate::common::{Rng, testdata};
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Bit, Circuit, Gate, Gates, Input, Output, Party, Wire};
use halfgate_frontends::scd::{self, Options, WriteError};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_circuits_survive_both_formats(
        seed in 1u64..,
        gates in 0u32..200,
        input_bits in 1u32..20,
        flip_flops in 0u32..12,
        output_bits in 1u32..20,
        last: bool,
    ) {
        let shape = Shape { input_bits, flip_flops, gates, and_percent: 50, output_bits };
        let mut circuit = random::circuit(seed, &shape);
        // In a file, either all outputs are per-run outputs, or all are per-cycle outputs.
        let last = last || flip_flops == 0;
        let bits = circuit.outputs.drain(..).flat_map(|output| output.bits.to_vec()).collect();
        circuit.outputs.push(Output { name: "out".into(), bits, per_cycle: !last, elements: None });
        let mut rng = Rng(seed);
        for as_given in [false, true] {
            let options = if last { LAST } else { FOLDED };
            let options = Options { as_given, ..options };
            for hex in [false, true] {
                let text = write(&circuit, hex);
                let back = read(&text, hex, &options).unwrap();
                assert_same_netlist(&circuit, &back, circuit.cycles, &mut rng);
                prop_assert!(back.gates.ands() <= circuit.gates.ands());
                if as_given {
                    let given = back.gates.iter().map(Gate::is_and).take(circuit.gates.len());
                    prop_assert!(given.eq(circuit.gates.iter().map(Gate::is_and)));
                    let again = write(&back, hex);
                    prop_assert_eq!(again, text, "as given, what was read is what is written");
                }
            }
        }
    }
}

fn input(name: &str, party: Party, width: u32, per_cycle: bool) -> Input {
    Input { name: name.into(), party, width, per_cycle, elements: None, is_set: false }
}

/// Builds a circuit with these inputs and outputs, without gates.
fn wires_only(inputs: Vec<Input>, bits: Vec<Bit>) -> Circuit {
    let outputs =
        vec![Output { name: "out".into(), bits: bits.into(), per_cycle: false, elements: None }];
    Circuit { inputs, flip_flops: Vec::new(), gates: Gates::new(), outputs, cycles: 1 }
}

fn text(circuit: &Circuit, hex: bool) -> String {
    String::from_utf8(write(circuit, hex)).expect("ASCII")
}

#[test]
fn ports_of_a_kind_are_joined_and_inputs_change_places() {
    let (g, e) = (Party::Garbler, Party::Evaluator);
    let w = |i| Wire::new(i).bit();
    let inputs = vec![input("a", e, 1, false), input("b", g, 2, false), input("c", e, 1, false)];
    let circuit = wires_only(inputs.clone(), vec![w(0), w(1), w(2), w(3)]);
    assert_eq!(text(&circuit, false), "0 0 2 2 0 4 0\n\n\n\n2 0 1 3 \n\n\n");

    // If there is a per-cycle input, all others are per-run inputs.
    let mut inputs = inputs;
    inputs[2].per_cycle = true;
    let circuit = wires_only(inputs, vec![w(0), w(1), w(2), w(3)]);
    assert_eq!(text(&circuit, false), "2 1 0 1 0 4 0\n\n\n\n2 0 1 3 \n\n\n");
}

#[test]
fn outputs_that_are_no_gates_are_written_with_the_gates_of_each_format() {
    let inputs = || vec![input("a", Party::Garbler, 2, false)];
    let w = |i| Wire::new(i).bit();
    let bits = vec![w(1), !w(0), !w(0), Bit::TRUE, Bit::FALSE, w(1)];
    let circuit = wires_only(inputs(), bits.clone());
    let expected = "0 0 2 0 0 6 1\n0 \n-1 \n12 \n1 2 2 -3 -2 1 \n\n\n";
    assert_eq!(text(&circuit, false), expected, "one NOT for both");
    let back = read(expected.as_bytes(), false, &FOLDED).unwrap();
    assert_eq!(back.outputs[0].bits.to_vec(), bits, "and all of it folds again");

    let expected = "00000000\n00000002\n00000006\n00018006\n0000FFFCD\n00007FFF9\n00007FFF9\n\
                    000000013\n00000000D\n0000FFFCD\n";
    assert_eq!(text(&circuit, true), expected);
    let back = read(expected.as_bytes(), true, &FOLDED).unwrap();
    assert_eq!(back.outputs[0].bits.to_vec(), bits);
}

#[test]
fn outputs_keep_their_wires_as_long_as_they_ascend() {
    let words = std::fs::read(testdata("every-type.hscd")).unwrap();
    let mut circuit = read(&words, true, &GIVEN).unwrap();
    let mut bits = circuit.outputs[0].bits.to_vec();
    bits.swap(13, 14);
    circuit.outputs[0].bits = bits.into();
    // The second of the last three gates is no longer an output in order, so it is copied after the
    // last gate.
    let back = read(&write(&circuit, true), true, &GIVEN).unwrap();
    assert_eq!(back.gates.len(), circuit.gates.len() + 1);
    let bits = back.outputs[0].bits.to_vec();
    assert_eq!(bits[..14], circuit.outputs[0].bits.to_vec()[..14]);
    assert_eq!(bits[14], Wire::new(19).bit());
}

/// Builds a circuit with an input of each party, `gates` ANDs of both inputs, and one output.
fn ands(gates: u32) -> Circuit {
    let (a, b) = (Wire::new(0).bit(), Wire::new(1).bit());
    let inputs = vec![input("a", Party::Garbler, 1, false), input("b", Party::Evaluator, 1, false)];
    let mut circuit = wires_only(inputs, vec![Wire::new(gates + 1).bit()]);
    circuit.gates = (0..gates).map(|_| Gate::and(a, b, false)).collect();
    circuit
}

#[test]
fn numbers_too_large_for_hscd_fields_are_rejected_with_the_limit() {
    let refused = |circuit: &Circuit| {
        let mut sink = Vec::new();
        let error = scd::write_hex(circuit, &mut sink).unwrap_err().to_string();
        assert!(sink.is_empty(), "nothing is written");
        error
    };
    assert_eq!(text(&ands(16383), true).lines().count(), 16383 + 4);
    assert_eq!(
        refused(&ands(16384)),
        "the number of gates is 16384, but its field of 14 bits in an HSCD file holds at most \
         16383: 1 too many; write SCD instead"
    );
    // Wire 8192 fits only the second input.
    let mut circuit = ands(8200);
    let (low, high) = (Wire::new(0).bit(), Wire::new(8192).bit());
    circuit.gates.push(Gate::and(low, high, false)).unwrap();
    assert!(scd::write_hex(&circuit, &mut Vec::new()).is_ok());
    circuit.gates.push(Gate::and(high, low, false)).unwrap();
    assert_eq!(
        refused(&circuit),
        "the first input of gate 8201 is 8192, but its field of 13 bits in an HSCD file holds at \
         most 8191: 1 too many; write SCD instead"
    );
    let error = scd::write_hex(&wires_only(Vec::new(), vec![Bit::TRUE]), &mut Vec::new());
    assert!(matches!(error, Err(WriteError::NoWire)));
    assert_eq!(text(&wires_only(Vec::new(), vec![Bit::TRUE]), false).lines().nth(4), Some("-3 "));
}

#[test]
fn a_wide_input_is_refused_with_the_limit() {
    let wide = wires_only(vec![input("a", Party::Garbler, 20000, false)], vec![Bit::TRUE]);
    let error = scd::write_hex(&wide, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("the number of g_input bits is 20000, "), "{error}");
    assert!(error.contains("3617 too many"), "{error}");
}
