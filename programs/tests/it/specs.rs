//! Valid specs, and the errors of invalid ones.

use crate::common;
use halfgate_programs::{ProgramError, all, build};
use proptest::prelude::*;

#[test]
fn every_program_builds_with_its_default() {
    for program in all() {
        let circuit = common::build(program.name);
        for input in &circuit.inputs {
            let stem = input.name.trim_end_matches(|c: char| c.is_ascii_digit());
            assert!(program.ports.contains(stem), "{}: {} undocumented", program.name, input.name);
        }
        for output in &circuit.outputs {
            assert!(program.ports.contains(&output.name), "{}: {}", program.name, output.name);
        }
        if !program.default.is_empty() {
            let spelt_out = common::build(&format!("{}:{}", program.name, program.default));
            assert_eq!(spelt_out.gates.len(), circuit.gates.len());
        }
    }
}

#[test]
fn names_are_distinct() {
    let names: std::collections::BTreeSet<_> = all().iter().map(|program| program.name).collect();
    assert_eq!(names.len(), all().len());
}

#[test]
fn errors_say_what_is_wrong() {
    let cases = [
        ("", "there is no built-in program ''; there are: millionaires, auction"),
        ("aes", "there is no built-in program 'aes'"),
        ("millionaires:", "BITS is '', which is not a whole number"),
        ("millionaires:0", "BITS is 0, but must be from 1 to 65536"),
        ("millionaires:-1", "BITS is '-1'"),
        ("millionaires:+8", "BITS is '+8'"),
        ("millionaires:8x8", "BITS is '8x8'"),
        ("millionaires:99999999999999999999", "which is not a whole number, or is too large"),
        ("millionaires:4294967295", "BITS is 4294967295, but must be from 1 to 65536"),
        ("adder:65537", "usage: adder:BITS (default adder:32)"),
        ("multiplier:2049", "BITS is 2049, but must be from 1 to 2048"),
        ("hamming:0", "program 'hamming': BITS is 0"),
        ("bubble-sort:1x32", "COUNT is 1, but must be from 2 to 65536"),
        ("bubble-sort:2048x32", "ANDs, above the limit"),
        ("dot-product:0x32", "LENGTH is 0"),
        ("matmult:8", "the parameters '8' are not of the form SIZExBITS"),
        ("matmult-fast:1024x32", "ANDs, above the limit"),
        ("mersenne:65537", "OUTPUTS is 65537, but must be from 1 to 65536"),
        ("triangle:3x3", "BITS is 3, but must be from 4 to 128"),
        ("relu:4x1", "BITS is 1, but must be from 2 to 1024"),
        ("gradient-descent:0x20", "POINTS is 0"),
        ("gradient-descent-fast:6x65536", "ANDs, above the limit"),
        ("adder-fast:0", "usage: adder-fast:BITS (default adder-fast:32)"),
        ("auction:8", "the parameters '8' are not of the form BIDDERSxBITS"),
        ("auction:1x32", "BIDDERS is 1, but must be from 2 to 4096"),
        ("auction:8x0", "BITS is 0"),
        ("auction:8x32x4", "BITS is '32x4'"),
        ("edit-distance:0x8", "LENGTH is 0, but must be from 1 to 4096"),
        ("edit-distance:4096x32", "ANDs, above the limit"),
        ("vickrey:1x32", "BIDDERS is 1, but must be from 2 to 65536"),
        ("decision-tree:17x2", "DEPTH is 17, but must be from 1 to 16"),
        ("decision-tree:8x257", "FEATURES is 257"),
        ("logistic:129", "FEATURES is 129, but must be from 1 to 128"),
        ("knn:4x2", "the parameters '4x2' are not of the form POINTSxDIMENSIONSxK"),
        ("knn:4x2x5", "K is 5, but must be from 1 to 4"),
        ("knn:4x2x1x1", "K is '1x1'"),
        ("knn:65536x1024x3", "ANDs, above the limit"),
        ("divide:0", "BITS is 0, but must be from 1 to 2048"),
        ("sort:1x32", "COUNT is 1, but must be from 2"),
        ("sort:65536x1024", "ANDs, above the limit of 67108864"),
        ("psi:64", "not of the form COUNTxBITS"),
        ("psi:64x129", "BITS is 129, but must be from 1 to 128"),
        ("psi:65536x128", "ANDs, above the limit"),
        ("sha256:0+0", "G + E is 0"),
        ("sha256:64", "not of the form G+E"),
        ("sha256:70000+1", "G is 70000"),
        ("sha3:0+0", "G + E is 0"),
        ("sha3:64", "not of the form G+E"),
        ("sha3:0+65537", "E is 65537"),
        ("sha256-block:1", "it takes no parameters, but '1' was given; usage: sha256-block"),
        ("aes128:2", "it takes no parameters"),
        ("aes128:", ""),
        ("aes128-ecb:0", "BLOCKS is 0"),
        ("aes128-chained:18446744073709551615", "BLOCKS is 18446744073709551615, but must be"),
        ("aes128-rounds:0", "BLOCKS is 0"),
        ("chain:0", "ANDS is 0"),
        ("chain:1500", "ANDS is 1500, but above 1000 it must be a multiple of 1000"),
        ("xors:5000", "XORS is 5000, but above 4096 it must be a multiple of 4096"),
    ];
    refused(&cases);
}

#[test]
fn errors_of_structured_programs() {
    refused(&[
        ("edit-distance-rows:4097x8", "LENGTH is 4097, but must be from 1 to 4096"),
        ("hamming-mapped:0", "BITS is 0, but must be from 1 to 67108864"),
        ("bubble-sort-folded:1x32", "COUNT is 1, but must be from 2 to 65536"),
        ("bubble-sort-folded:65536x1025", "BITS is 1025, but must be from 1 to 1024"),
        ("relu-mapped:1048576x128", "the number of bits is 134217728, but must be from 1 to"),
        ("dot-product-mapped:0x32", "LENGTH is 0"),
        ("matmult-mapped:8", "the parameters '8' are not of the form SIZExBITS"),
        ("matmult-mapped:1024x1024", "the number of bits is 1073741824"),
        ("mersenne-folded:65537", "OUTPUTS is 65537, but must be from 1 to 65536"),
        ("triangle-mapped:257x8", "VERTICES is 257, but must be from 2 to 256"),
        ("gradient-descent-folded:1025x2", "POINTS is 1025, but must be from 1 to 1024"),
        ("aes128-batch:0", "BLOCKS is 0, but must be from 1 to 4000000"),
        ("aes128-batch:4000001", "BLOCKS is 4000001"),
        ("sha256-chain:0", "BLOCKS is 0, but must be from 1 to 1048576"),
        ("join:16", "the parameters '16' are not of the form NxM"),
        ("join:0x4", "N is 0, but must be from 1 to 262144"),
        ("join:4x262145", "M is 262145"),
        ("mlp:4", "the number of layers is 1, but must be from 2 to 16"),
        ("mlp:4-0-2", "a layer's size is 0"),
        ("mlp:4-3-1", "the last layer's size is 1, but must be from 2 to 65536"),
        ("mlp:4-3-x", "a layer's size is 'x', which is not a whole number"),
        ("mlp:4-3/25", "SHIFT is 25, but must be from 0 to 24"),
        ("mlp:4-3/", "SHIFT is ''"),
        ("mlp:65536-65536", "the number of weights is 4294967296"),
    ]);
}

/// Builds each spec, and compares its error with a part of the message; an empty part expects none.
#[track_caller]
fn refused(cases: &[(&str, &str)]) {
    for &(spec, expected) in cases {
        match build(spec) {
            Ok(_) => assert_eq!(expected, "", "'{spec}' was taken"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(expected) && !expected.is_empty(), "'{spec}': {message}");
            }
        }
    }
}

#[test]
fn unknown_programs_and_wrong_parameters_are_different_errors() {
    assert!(matches!(build("nothing:1"), Err(ProgramError::Unknown { .. })));
    assert!(matches!(build("psi:1"), Err(ProgramError::Parameters { name: "psi", .. })));
}

proptest! {
    #![proptest_config(common::cases(256))]

    /// Malformed parameters are refused without a panic or a large allocation.
    #[test]
    fn any_text(index: prop::sample::Index, text in "[0-9x+ ,.a-f-]{0,3}[x+:,-]{1}[^0-9]{0,8}") {
        let program = index.get(all());
        let spec = format!("{}:{text}", program.name);
        prop_assert!(build(&spec).is_err(), "{} was taken", spec);
    }
}
