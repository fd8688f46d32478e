//! Tests that random circuits compute the same after they are written in both formats and read
//! back, and that circuits that the formats cannot express are rejected.

use crate::common::*;
use halfgate_circuit::verify::verify;
use halfgate_circuit::{Bit, Circuit, FlipFlop, Gates, Init, Input, Output, Party, Wire};
use halfgate_frontends::bristol::{self, Format, Options, WriteError};
use proptest::prelude::*;

const G: Party = Party::Garbler;
const E: Party = Party::Evaluator;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_circuits_survive_both_formats(
        seed in 1u64..,
        gates in 0usize..200,
        widths in prop::collection::vec(1u32..9, 1..5),
        garblers in 0usize..5,
    ) {
        let mut rng = Rng(seed);
        let inputs: Vec<(Party, u32)> = widths
            .iter()
            .enumerate()
            .map(|(i, &width)| (if i < garblers { G } else { E }, width))
            .collect();
        let circuit = random_circuit(&mut rng, &inputs, gates);
        for as_given in [false, true] {
            for text in [fashion(&circuit), old(&circuit)] {
                let options = Options { as_given, ..Options::default() };
                let back = bristol::read(&text[..], "written", &options).unwrap();
                verify(&back).expect("the reader gives valid circuits");
                assert_same_function(&circuit, &back, &mut rng);
                prop_assert!(back.gates.ands() <= circuit.gates.ands());
            }
        }
    }

    #[test]
    fn fashion_keeps_the_shape_of_ports(seed in 1u64.., gates in 0usize..50) {
        let inputs = [(G, 3), (E, 1), (G, 2)];
        let circuit = random_circuit(&mut Rng(seed), &inputs, gates);
        let parties = Some(vec![G, E, G]);
        let options = Options { parties, ..Options::default() };
        let back = bristol::read(&fashion(&circuit)[..], "written", &options).unwrap();
        prop_assert_eq!(&back.inputs, &circuit.inputs);
        let widths = |c: &Circuit| c.outputs.iter().map(|o| o.bits.len()).collect::<Vec<_>>();
        prop_assert_eq!(widths(&back), widths(&circuit));
    }
}

/// Builds a circuit with two inputs of two bits and no gates, which shows the cost of outputs
/// alone.
fn wires_only(bits: Vec<Bit>) -> Circuit {
    let input = |name: &str, party| Input {
        name: name.into(),
        party,
        width: 2,
        per_cycle: false,
        elements: None,
        is_set: false,
    };
    Circuit {
        inputs: vec![input("a", G), input("b", E)],
        flip_flops: Vec::new(),
        gates: Gates::new(),
        outputs: vec![Output {
            name: "out".into(),
            bits: bits.into(),
            per_cycle: false,
            elements: None,
        }],
        cycles: 1,
    }
}

#[test]
fn outputs_that_are_no_gates_are_written_with_the_gates_of_each_format() {
    let w = |i| Wire::new(i).bit();
    let circuit = wires_only(vec![w(3), !w(0), !w(0), Bit::TRUE, Bit::FALSE, w(3)]);
    let text = String::from_utf8(fashion(&circuit)).unwrap();
    let expected = "6 10\n2 2 2\n1 6\n\n1 1 0 5 INV\n1 1 3 4 EQW\n1 1 5 6 EQW\n1 1 1 7 EQ\n\
                    1 1 0 8 EQ\n1 1 3 9 EQW\n";
    assert_eq!(text, expected);
    let text = String::from_utf8(old(&circuit)).unwrap();
    assert!(text.starts_with("10 14\n2 2   6\n\n1 1 0 9 INV\n"), "{text}");
    assert!(text.contains("XOR") && !text.contains("EQ"), "{text}");
    let back = read_str(&text).unwrap();
    assert_eq!(back.outputs[0].bits, circuit.outputs[0].bits, "and all of it folds again");
    assert!(back.gates.is_empty());
}

#[test]
fn an_inverter_is_shared_and_an_output_gate_needs_no_copy() {
    let text = "5 7\n1 1 1\n\n1 1 0 2 INV\n2 1 1 2 3 AND\n2 1 2 3 4 AND\n2 1 4 2 5 AND\n\
                2 1 5 3 6 XOR\n";
    let written = String::from_utf8(old(&read_str(text).unwrap())).unwrap();
    assert_eq!(written.lines().filter(|line| line.ends_with("INV")).count(), 1, "{written}");
    assert!(written.starts_with("5 7\n"), "{written}");
}

#[test]
fn an_old_files_inputs_come_from_one_two_or_joined_inputs() {
    let header = |inputs: &[(Party, u32)]| {
        let circuit = random_circuit(&mut Rng(3), inputs, 20);
        let mut text = Vec::new();
        bristol::write_old(&circuit, &mut text)?;
        let text = String::from_utf8(text).expect("ASCII");
        let widths: Vec<String> =
            text.lines().nth(1).unwrap().split_whitespace().take(2).map(String::from).collect();
        Ok::<String, WriteError>(widths.join(" "))
    };
    assert_eq!(header(&[(G, 3)]).unwrap(), "3 0");
    assert_eq!(header(&[(E, 3)]).unwrap(), "0 3");
    assert_eq!(header(&[(E, 3), (G, 4)]).unwrap(), "3 4");
    assert_eq!(header(&[(G, 1), (G, 2), (E, 4), (E, 8)]).unwrap(), "3 12");
    let refused = header(&[(G, 1), (E, 2), (G, 4)]).unwrap_err().to_string();
    assert!(refused.contains("this circuit has 3"), "{refused}");
}

#[test]
fn an_input_of_width_zero_is_no_input_and_owners_follow_position() {
    let read = |text: &str, parties| {
        let options = Options { parties, ..Options::default() };
        bristol::read(text.as_bytes(), "f", &options)
    };
    let circuit = read("1 3\n2 0 1\n2 1 0 1 2 AND\n", None).unwrap();
    assert_eq!(circuit.inputs.len(), 1);
    assert_eq!((&circuit.inputs[0].name[..], circuit.inputs[0].party), ("a", G));
    let circuit = read("1 3\n0 2 1\n2 1 0 1 2 AND\n", None).unwrap();
    assert_eq!((&circuit.inputs[0].name[..], circuit.inputs[0].party), ("b", E));
    let circuit = read("1 3\n2 0 1\n2 1 0 1 2 AND\n", Some(vec![E])).unwrap();
    assert_eq!(circuit.inputs[0].party, E);
    let error = read("1 3\n2 0 1\n2 1 0 1 2 AND\n", Some(vec![E, G])).unwrap_err().to_string();
    assert_eq!(
        error,
        "f: owners are given for 2 inputs, but the circuit has 1 (inputs of no bits are not counted)"
    );
}

#[test]
fn headers_as_they_vary_in_the_wild() {
    let gates = "2 1 0 2 9 XOR\n2 1 0 2 4 AND\n2 1 1 3 5 XOR\n2 1 5 4 10 XOR\n2 1 1 4 6 XOR\n\
                 2 1 3 4 7 XOR\n2 1 6 7 8 AND\n2 1 8 4 11 XOR\n";
    let variants = [
        format!("8 12\n2 2   3\n\n{gates}"),
        format!("8 12\n2 2 3\n{gates}"),
        format!("\n\n  8\t12 \n\n\t2 2 3   \n   \n\n{gates}\n\n  \n"),
        format!("8 12\n2 2 3\n\n{gates}").replace('\n', "\r\n"),
        format!("8 12\n2 2 3\n\n{gates}").trim_end().to_string(),
        format!("08 012\n2 2 3\n{}", gates.replace("2 1", " 2   1\t").replace('\n', " \r\n\n")),
        format!("8 12\n2 2 2\n1 3\n\n{gates}"),
        format!("8 12\n2 2 2 \n1 3 \n      \n{}", gates.replace('\n', "   \n")),
        format!("8 12\r\n\r\n2 2 2\r\n\r\n1 3\r\n{gates}"),
        format!("8 12\n2 2 2\n1 3\n{}\r", gates.trim_end()),
    ];
    let expected = read_str(&variants[0]).unwrap();
    for text in &variants {
        let circuit = read_str(text).unwrap_or_else(|error| panic!("{error} in {text:?}"));
        assert!(circuit.gates.iter().eq(expected.gates.iter()), "{text:?}");
        assert_eq!(circuit.outputs[0].bits, expected.outputs[0].bits);
    }
    // Without gates, the third line still distinguishes the formats.
    assert_eq!(read_str("0 2\n1 1 2\n").unwrap().outputs[0].name, "out");
    assert_eq!(read_str("0 2\n1 2\n1 2\n").unwrap().outputs[0].name, "out0");
    // If the options give a format, it is not detected.
    let options = Options { format: Some(Format::Old), ..Options::default() };
    assert!(bristol::read("0 2\n1 2\n1 2\n".as_bytes(), "f", &options).is_err());
}

#[test]
fn circuits_that_do_not_fit_the_formats_are_rejected() {
    let refused = |circuit: &Circuit| {
        let mut sink = Vec::new();
        let fashion = bristol::write_fashion(circuit, &mut sink).unwrap_err().to_string();
        assert!(sink.is_empty());
        assert_eq!(bristol::write_old(circuit, &mut sink).unwrap_err().to_string(), fashion);
        fashion
    };
    let mut circuit = wires_only(vec![Bit::TRUE]);
    circuit.cycles = 3;
    assert!(refused(&circuit).contains("runs more than once"));
    circuit.outputs[0].per_cycle = true;
    assert!(refused(&circuit).contains("values per cycle"));
    circuit.flip_flops.push(FlipFlop { init: Init::Constant(false), next: Bit::TRUE });
    assert!(refused(&circuit).contains("flip-flops"));

    let mut circuit = wires_only(vec![Bit::TRUE]);
    circuit.inputs.clear();
    let error = bristol::write_old(&circuit, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, WriteError::NoInput));
    assert_eq!(read_bytes(&fashion(&circuit)).unwrap().outputs[0].bits.to_vec(), [Bit::TRUE]);
}
