//! The functions in `programs/verilog`: results in the clear are compared with software, and AND
//! counts with those of the netlists that the parallel FASE paper garbles (Table 2: gates less
//! XORs).

use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_circuit::{Bits, Circuit, clear};
use halfgate_frontends::verilog::{self, Options};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sha3::Digest;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The function in `file`, with parameters for its top module. Without Yosys, prints that the test
/// is not run, and returns `None`.
fn function(file: &str, parameters: &[(&str, u32)]) -> Option<Circuit> {
    let program = std::env::var("HALFGATE_YOSYS").unwrap_or_else(|_| "yosys".to_owned());
    if Command::new(&program).arg("-V").stdout(Stdio::null()).status().is_err() {
        eprintln!("not run: there is no Yosys here (`make setup` installs it)");
        return None;
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("verilog").join(file);
    let top = file.strip_suffix(".v").map(str::to_owned);
    let parameters =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    let options = Options { top, parameters, ..Options::default() };
    Some(verilog::read(&path, &options).unwrap_or_else(|error| panic!("{error}")))
}

/// The outputs of a run. Per-cycle values are concatenated, in inputs and in outputs.
fn run(circuit: &Circuit, cycles: u64, inputs: &[Bits]) -> Vec<Bits> {
    clear::evaluate(circuit, inputs, cycles).unwrap()
}

/// Checks a property on random values.
fn for_all<S: Strategy>(cases: u32, values: S, check: impl Fn(S::Value)) {
    let config = Config { failure_persistence: None, ..Config::with_cases(cases) };
    let result = TestRunner::new(config).run(&values, |value| {
        check(value);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn ands_are_no_more_than_published() {
    let published = [
        ("millionaires.v", None, 1, 1),
        ("add.v", Some(("WIDTH", 8)), 7, 7),
        ("add_serial.v", None, 3, 1),
        ("hamming.v", Some(("BITS", 32)), 31, 31),
        ("hamming_serial.v", Some(("WIDTH", 6)), 5, 5),
        ("hamming_serial.v", Some(("WIDTH", 10)), 9, 9),
        ("multiply_serial.v", Some(("WIDTH", 256)), 513, 512),
        ("mac.v", Some(("WIDTH", 8)), 166, 135),
        ("mac.v", Some(("WIDTH", 16)), 601, 494),
        ("mac.v", Some(("WIDTH", 32)), 2231, 1671),
        ("cordic.v", None, 920, 432),
        ("aes128.v", None, 1437, 640),
    ];
    for (file, parameter, published, ours) in published {
        let Some(circuit) = function(file, parameter.as_slice()) else { return };
        let program = halfgate_compiler::compile(circuit, halfgate_compiler::Order::default());
        let ands = program.unwrap().circuit.gates.ands();
        assert_eq!(ands, ours, "{file} {parameter:?}");
        assert!(ands <= published, "{file} {parameter:?}: {ands} ANDs, published {published}");
    }
}

#[test]
fn serial_functions() {
    let Some(millionaires) = function("millionaires.v", &[]) else { return };
    let add = function("add_serial.v", &[]).unwrap();
    let hamming = function("hamming_serial.v", &[("WIDTH", 6)]).unwrap();
    let multiply = function("multiply_serial.v", &[("WIDTH", 40)]).unwrap();
    for_all(64, any::<(u32, u32)>(), |(x, y)| {
        let inputs = [Bits::from_integer(x.into(), 32), Bits::from_integer(y.into(), 32)];
        let less = run(&millionaires, 32, &inputs);
        assert_eq!(less[0].get(31), x < y, "{x} < {y}");
        let sum = run(&add, 32, &inputs);
        assert_eq!(sum[0].to_integer(), Some(x.wrapping_add(y).into()), "{x} + {y}");
        let distance = run(&hamming, 32, &inputs)[0].slice(31 * 6, 6);
        assert_eq!(distance.to_integer(), Some((x ^ y).count_ones().into()), "{x} and {y}");
        let inputs = [Bits::from_integer(x.into(), 40), Bits::from_integer(y.into(), 80)];
        let product = run(&multiply, 80, &inputs);
        assert_eq!(product[0].to_integer(), Some(u128::from(x) * u128::from(y)), "{x} * {y}");
    });
}

#[test]
fn functions_of_one_cycle() {
    let Some(add) = function("add.v", &[("WIDTH", 8)]) else { return };
    let hamming = function("hamming.v", &[("BITS", 32)]).unwrap();
    let macs = [8, 16, 32].map(|width| function("mac.v", &[("WIDTH", width)]).unwrap());
    for_all(64, any::<(u32, u32, u32, u32)>(), |(x, y, z, w)| {
        let sum = run(&add, 1, &[Bits::from_bytes(&[x as u8]), Bits::from_bytes(&[y as u8])]);
        assert_eq!(sum[0].to_bytes(), [(x as u8).wrapping_add(y as u8)]);
        let inputs = [Bits::from_integer(x.into(), 32), Bits::from_integer(y.into(), 32)];
        let distance = run(&hamming, 1, &inputs);
        assert_eq!(distance[0].to_integer(), Some((x ^ y).count_ones().into()));
        for (mac, width) in macs.iter().zip([8usize, 16, 32]) {
            let part = |value: u32| u128::from(value) & ((1 << width) - 1);
            let pair =
                |first, second| Bits::from_integer(part(first) | part(second) << width, 2 * width);
            let sums = run(mac, 2, &[pair(x, z), pair(y, w)]);
            let expected = (part(x) * part(y) + part(z) * part(w)) & ((1 << (2 * width)) - 1);
            assert_eq!(sums[0].slice(2 * width, 2 * width).to_integer(), Some(expected));
        }
    });
    for bits in [1, 2, 3, 7, 8, 100] {
        let hamming = function("hamming.v", &[("BITS", bits)]).unwrap();
        let ones = Bits::from_integer(u128::MAX, bits as usize);
        let distance = run(&hamming, 1, &[ones, Bits::with_len(bits as usize)]);
        assert_eq!(distance[0].to_integer(), Some(bits.into()), "{bits} bits");
    }
}

#[test]
fn cordic_turns_vectors() {
    let Some(circuit) = function("cordic.v", &[]) else { return };
    let gain: f64 = (0..31).map(|step| (1.0 + 0.25f64.powi(step)).sqrt()).product();
    let coordinate = -600_000_000i32..600_000_000;
    for_all(64, (coordinate.clone(), coordinate, -1.74..1.74), |(x, y, angle): (i32, i32, f64)| {
        let units = (angle * f64::from(1u32 << 29)) as i32;
        let word = |value: i32| Bits::from_integer(u128::from(value as u32), 32);
        let outputs = run(&circuit, 31, &[word(x), word(y), word(units)]);
        let number = |bits: &Bits| f64::from(bits.to_integer().unwrap() as u32 as i32);
        let (fx, fy) = (f64::from(x), f64::from(y));
        let expected_x = gain * (fx * angle.cos() - fy * angle.sin());
        let expected_y = gain * (fx * angle.sin() + fy * angle.cos());
        // Each step may add an error of one to each coordinate.
        assert!((number(&outputs[0]) - expected_x).abs() < 64.0, "x of {x} {y} {angle}");
        assert!((number(&outputs[1]) - expected_y).abs() < 64.0, "y of {x} {y} {angle}");
        assert!(number(&outputs[2]).abs() < 64.0, "angle left of {angle}");
    });
}

#[test]
fn aes_is_aes() {
    let Some(circuit) = function("aes128.v", &[]) else { return };
    for_all(16, any::<([u8; 16], [u8; 16])>(), |(key, block)| {
        let outputs =
            run(&circuit, circuit.cycles, &[Bits::from_bytes(&key), Bits::from_bytes(&block)]);
        let mut expected = block.into();
        aes::Aes128::new(&key.into()).encrypt_block(&mut expected);
        assert_eq!(outputs[0].to_bytes(), expected.as_slice());
    });
}

#[test]
fn sha3_is_sha3() {
    let Some(circuit) = function("sha3_256.v", &[]) else { return };
    let half = || prop::collection::vec(any::<u8>(), 64);
    for_all(8, (half(), half()), |(first, second)| {
        let inputs = [Bits::from_bytes(&first), Bits::from_bytes(&second)];
        let outputs = run(&circuit, circuit.cycles, &inputs);
        let expected = sha3::Sha3_256::digest([first, second].concat());
        assert_eq!(outputs[0].to_bytes(), expected.as_slice());
    });
    assert_eq!(circuit.gates.ands(), 1600);
}
