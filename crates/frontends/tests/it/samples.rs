//! Tests that circuits from other projects, and small ones of this crate, compute the right
//! function, also after conversion to either format and back.

use crate::common::*;
use aes::Aes128;
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_circuit::verify::verify;
use halfgate_circuit::{Circuit, Party};
use halfgate_frontends::bristol::{self, Options};
use halfgate_frontends::hgc;
use std::path::Path;

fn open(path: &Path) -> Circuit {
    let circuit = bristol::open(path, &Options::default()).expect("the sample loads");
    verify(&circuit).expect("the reader gives valid circuits");
    circuit
}

/// Reads the circuit directly, and after conversions to the other format and back.
fn with_conversions(path: &Path) -> Vec<Circuit> {
    let circuit = open(path);
    let as_fashion = read_bytes(&fashion(&circuit)).expect("our Fashion reads back");
    let as_old = read_bytes(&old(&circuit)).expect("our old format reads back");
    let there_and_back = read_bytes(&old(&as_fashion)).expect("Fashion to old reads back");
    let back_and_there = read_bytes(&fashion(&as_old)).expect("old to Fashion reads back");
    let ands = circuit.gates.ands();
    let given = Options { as_given: true, ..Options::default() };
    let as_given = bristol::open(path, &given).expect("the sample loads as given");
    let all = vec![circuit, as_fashion, as_old, there_and_back, back_and_there, as_given];
    assert!(all.iter().all(|circuit| circuit.gates.ands() == ands));
    all
}

/// Checks `expected` on 64 pairs of values of the given widths.
fn check(path: &Path, widths: (usize, usize), out: usize, expected: impl Fn(u128, u128) -> u128) {
    let mut rng = Rng(7);
    let mask = |width: usize| (1u128 << width) - 1;
    let mut value = |lane: usize, width: usize| match lane {
        0 => 0,
        1 => mask(width),
        2 => 1,
        // Values of all lengths, so that division and carries are also tested on short values.
        _ => u128::from(rng.next()) >> (lane % width.min(64)) & mask(width),
    };
    let a: Vec<u128> = (0..64).map(|lane| value(lane, widths.0)).collect();
    let b: Vec<u128> = (0..64).map(|lane| value(63 - lane, widths.1)).collect();
    let inputs = [spread(&a, widths.0), spread(&b, widths.1)].concat();
    for circuit in with_conversions(path) {
        assert_eq!(circuit.output_bits(), out);
        let outputs = evaluate(&circuit, &inputs);
        for lane in 0..64 {
            let (a, b) = (a[lane], b[lane]);
            assert_eq!(gather(&outputs, lane), expected(a, b), "{} of {a}, {b}", path.display());
        }
    }
}

#[test]
fn our_old_adder() {
    check(&testdata("add2.bristol.txt"), (2, 2), 3, |a, b| a + b);
    let circuit = open(&testdata("add2.bristol.txt"));
    let names: Vec<_> = circuit.inputs.iter().map(|i| (&i.name[..], i.party, i.width)).collect();
    assert_eq!(names, [("a", Party::Garbler, 2), ("b", Party::Evaluator, 2)]);
    assert_eq!(circuit.outputs[0].name, "out");
}

#[test]
fn our_fashion_circuit_with_every_gate() {
    let circuit = open(&testdata("select4.fashion.txt"));
    let names: Vec<_> = circuit.inputs.iter().map(|i| (&i.name[..], i.party, i.width)).collect();
    let (g, e) = (Party::Garbler, Party::Evaluator);
    assert_eq!(names, [("in0", g, 1), ("in1", e, 4), ("in2", e, 4)]);
    let names: Vec<_> = circuit.outputs.iter().map(|o| (&o.name[..], o.bits.len())).collect();
    assert_eq!(names, [("out0", 4), ("out1", 2), ("out2", 1)]);

    for x in 0..16 {
        let lanes: Vec<u128> = (0..32).map(|lane| lane & 1 | x << 1 | (lane >> 1) << 5).collect();
        let inputs = spread(&lanes, 9);
        let converted = read_bytes(&old(&circuit)).expect("our old format reads back");
        for circuit in [&circuit, &read_bytes(&fashion(&circuit)).unwrap(), &converted] {
            let outputs = evaluate(circuit, &inputs);
            for lane in 0..32 {
                let (s, y) = (lane & 1, lane >> 1);
                let selected = if s == 1 { x & y } else { x ^ !y } & 15;
                assert_eq!(
                    gather(&outputs, lane as usize),
                    selected | 1 << 4 | s << 5 | (1 - s) << 6
                );
            }
        }
    }
}

#[test]
fn old_adder_of_32_bits() {
    if let Some(path) = sample("bristol/adder_32bit.txt") {
        check(&path, (32, 32), 33, |a, b| a + b);
    }
}

#[test]
fn fashion_adder_of_64_bits() {
    if let Some(path) = sample("bristol-fashion/adder64.txt") {
        check(&path, (64, 64), 64, |a, b| (a + b) & u128::from(u64::MAX));
    }
}

#[test]
fn fashion_division_of_64_bits() {
    if let Some(path) = sample("bristol-fashion/udivide64.txt") {
        assert_eq!(open(&path).gates.ands(), 4285);
        // The circuit returns all ones for a division by zero.
        check(&path, (64, 64), 64, |a, b| a.checked_div(b).unwrap_or(u64::MAX.into()));
    }
}

#[test]
fn old_aes_128_against_a_library() {
    let Some(path) = sample("bristol/aes_128.txt") else { return };
    assert_eq!(open(&path).gates.ands(), 6800);
    let mut rng = Rng(11);
    let wide = |rng: &mut Rng| u128::from(rng.next()) << 64 | u128::from(rng.next());
    let blocks: Vec<u128> = (0..64).map(|_| wide(&mut rng)).collect();
    let keys: Vec<u128> = (0..64).map(|_| wide(&mut rng)).collect();
    let inputs = [spread(&blocks, 128), spread(&keys, 128)].concat();
    for circuit in with_conversions(&path) {
        let outputs = evaluate(&circuit, &inputs);
        for lane in 0..64 {
            // The inputs are the plaintext and the key. Wire 0 of each is the highest bit of the
            // first byte.
            let mut block = blocks[lane].reverse_bits().to_be_bytes().into();
            let key = keys[lane].reverse_bits().to_be_bytes();
            Aes128::new(&key.into()).encrypt_block(&mut block);
            assert_eq!(gather(&outputs, lane), u128::from_be_bytes(block.into()).reverse_bits());
        }
    }
}

#[test]
fn as_given_keeps_the_files_gates() {
    let given = Options { as_given: true, ..Options::default() };
    let circuit = bristol::open(testdata("add2.bristol.txt"), &given).unwrap();
    assert_eq!(circuit.gates.len(), 8);
    if let Some(path) = sample("bristol-fashion/udivide64.txt") {
        let circuit = bristol::open(&path, &given).unwrap();
        assert_eq!(circuit.gates.len(), 16952);
        // The 64 INV of the file become no gates. Neither do gates that are constant because of an
        // XOR of a wire with itself.
        assert!(open(&path).gates.len() < 16952 - 64);
    }
}

/// Tests that every circuit from other projects can be read, and is unchanged after a round trip
/// through HGC.
#[test]
fn all_circuits_made_elsewhere_load_and_survive_hgc() {
    let Some(folder) = sample("") else { return };
    let (mut folders, mut count) = (vec![folder], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_some_and(|extension| extension == "md") {
                continue;
            }
            count += 1;
            for as_given in [false, true] {
                let options = halfgate_frontends::Options { as_given, ..Default::default() };
                let circuit = halfgate_frontends::open(&path, &options)
                    .unwrap_or_else(|error| panic!("{error}"));
                verify(&circuit).expect("the reader gives valid circuits");
                let mut text = Vec::new();
                hgc::write(&circuit, &mut text).expect("HGC holds any circuit");
                let back = hgc::read(&text[..], "written").expect("what was written reads back");
                assert!(back.gates.iter().eq(circuit.gates.iter()), "{}", path.display());
                assert_eq!((back.inputs, back.outputs), (circuit.inputs, circuit.outputs));
                assert_eq!(back.flip_flops, circuit.flip_flops);
            }
        }
    }
    assert!(count >= 16, "{count} files were there before");
}
