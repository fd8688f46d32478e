//! Structured programs: against plain Rust without flattening, their flattening against that, and
//! their sizes.

use crate::common::{self, build};
use aes::Aes128;
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_circuit::sort::merge_comparisons;
use halfgate_circuit::structured::{Argument, StructuredCircuit, clear};
use halfgate_circuit::{Bits, Element, ElementType};
use halfgate_programs::{ProgramError, all, build_structured};
use proptest::prelude::*;

pub fn structured(spec: &str) -> StructuredCircuit {
    build_structured(spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The outputs, which are those of the flattening too.
pub fn run(spec: &str, inputs: &[Bits]) -> Vec<Bits> {
    let outputs = clear::evaluate(&structured(spec), inputs, 1).unwrap();
    assert_eq!(outputs, common::run(&build(spec), inputs), "{spec}");
    outputs
}

pub fn ands(circuit: &StructuredCircuit) -> u64 {
    circuit.size().ands
}

/// Gates, calls and listed bits of all bodies: what the text of a program consists of.
pub fn text(circuit: &StructuredCircuit) -> (u64, usize, usize) {
    let bodies = circuit.functions.iter().map(|function| &function.body).chain([&circuit.body]);
    let listed = |argument: &Argument| match argument {
        Argument::Shared(bits) | Argument::Listed { bits, .. } => bits.len(),
        Argument::Sliced { .. } => 0,
    };
    bodies.fold((0, 0, 0), |(gates, calls, bits), body| {
        let arguments = body.calls.iter().flat_map(|call| &call.arguments);
        let (own, own_bits) = (body.gates.len() as u64, arguments.map(listed).sum::<usize>());
        (gates + own, calls + body.calls.len(), bits + own_bits)
    })
}

/// A structured program has functions and the ANDs of its flattening; a flat one has no functions.
#[test]
fn both_ways_to_build() {
    for program in all() {
        let (circuit, flat) = (structured(program.name), build(program.name));
        assert_eq!(program.is_structured(), !circuit.body.calls.is_empty(), "{}", program.name);
        assert_eq!(ands(&circuit), flat.gates.ands(), "{}", program.name);
        assert_eq!(circuit.inputs, flat.inputs, "{}", program.name);
        for (output, flat) in circuit.outputs.iter().zip(&flat.outputs) {
            let described = (&output.name, output.per_cycle, output.elements);
            assert_eq!(described, (&flat.name, flat.per_cycle, flat.elements), "{}", program.name);
        }
    }
}

#[test]
fn ports_have_types() {
    let input = |spec: &str, port: &str| {
        let circuit = structured(spec);
        let input = circuit.inputs.iter().find(|input| input.name == port).expect("a port");
        input.elements
    };
    let of = |element, width| Some(ElementType { element, width });
    assert_eq!(input("aes128-batch:3", "block"), of(Element::Bytes, 3 * 128));
    assert_eq!(input("sha256-chain:2", "blocks"), of(Element::Bytes, 2 * 512));
    assert_eq!(input("join:3x4", "b_keys"), of(Element::Unsigned, 32));
    assert_eq!(input("mlp:3-2", "weights"), of(Element::Signed, 8));
    assert_eq!(input("mlp:3-2", "biases"), of(Element::Signed, 24));
}

#[test]
fn too_large_to_flatten() {
    // The flattening has more than 2^30 wires.
    let error = halfgate_programs::build("aes128-batch:100000").expect_err("refused");
    assert!(matches!(error, ProgramError::Flatten { name: "aes128-batch", .. }));
    let message = error.to_string();
    let expected = "program 'aes128-batch': with all functions written out, the circuit has ";
    assert!(message.starts_with(expected) && message.contains("runs functions"), "{message}");
}

#[test]
fn and_counts() {
    assert_eq!(ands(&structured("aes128-batch:1")), ands(&structured("aes128")));
    for blocks in [2, 33, 1_000_000] {
        let circuit = structured(&format!("aes128-batch:{blocks}"));
        assert_eq!(ands(&circuit), 1_280 + 5_120 * blocks);
    }
    for blocks in [1, 5, 100_000] {
        let circuit = structured(&format!("sha256-chain:{blocks}"));
        assert_eq!(ands(&circuit), 22_271 * blocks);
    }
    for (n, m) in [(1, 1), (1, 9), (16, 16), (300, 200), (1000, 7)] {
        let counted = ands(&structured(&format!("join:{n}x{m}")));
        let comparisons = 96 * merge_comparisons(n, m);
        let most = comparisons + 97 * (n + m);
        assert!((comparisons..=most).contains(&counted), "{n} {m}: {counted}, at most {most}");
    }
    assert_eq!(ands(&structured("join:16x16")), 9_269);
    assert_eq!(ands(&structured("mlp:784-128-10")), 13_111_631);
    for spec in ["1x1", "2x3", "3x8", "17x5", "32x8"] {
        let rows = structured(&format!("edit-distance-rows:{spec}"));
        assert_eq!(ands(&rows), build(&format!("edit-distance:{spec}")).gates.ands(), "{spec}");
    }
}

/// The text does not grow with the number of lanes. That of a join grows slowly, that of an edit
/// distance with the length, not its square.
#[test]
fn large_programs_have_short_texts() {
    for (large, small) in
        [("aes128-batch:1000000", "aes128-batch:2"), ("sha256-chain:1000000", "sha256-chain:2")]
    {
        assert_eq!(text(&structured(large)), text(&structured(small)), "{large}");
    }
    let (gates, calls, listed) = text(&structured("join:3000x2000"));
    assert!(gates < 5_000 && calls < 2_000 && listed < 1_000, "{gates} {calls} {listed}");
    let (gates, calls, listed) = text(&structured("edit-distance-rows:100x8"));
    let (more_gates, same_calls, more_listed) = text(&structured("edit-distance-rows:400x8"));
    assert_eq!(calls, same_calls);
    assert!(more_gates < 5 * gates && more_listed < 5 * listed, "{more_gates} {more_listed}");
}

proptest! {
    #![proptest_config(common::cases(16))]

    #[test]
    fn aes_of_a_batch(key: [u8; 16], blocks in prop::collection::vec(any::<[u8; 16]>(), 1..40)) {
        let spec = format!("aes128-batch:{}", blocks.len());
        let inputs = [Bits::from_bytes(&key), Bits::from_bytes(&blocks.concat())];
        let cipher = Aes128::new(&key.into());
        let encrypted = |block: &[u8; 16]| -> [u8; 16] {
            let mut block = (*block).into();
            cipher.encrypt_block(&mut block);
            block.into()
        };
        let expected: Vec<u8> = blocks.iter().flat_map(encrypted).collect();
        prop_assert_eq!(run(&spec, &inputs)[0].to_bytes(), expected);
    }

    #[test]
    fn sha256_of_a_chain(state: [u32; 8], blocks in prop::collection::vec(any::<[u8; 64]>(), 1..5)) {
        let bytes = |state: [u32; 8]| -> Vec<u8> {
            state.iter().flat_map(|word| word.to_be_bytes()).collect()
        };
        let inputs = [Bits::from_bytes(&bytes(state)), Bits::from_bytes(&blocks.concat())];
        let outputs = run(&format!("sha256-chain:{}", blocks.len()), &inputs);
        let mut next = state;
        for block in blocks {
            sha2::compress256(&mut next, &[block.into()]);
        }
        prop_assert_eq!(outputs[0].to_bytes(), bytes(next));
    }
}
