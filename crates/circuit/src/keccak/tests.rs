//! Compares the functions with the `sha3` crate, and the permutation with published values.

use super::*;
use crate::bits::Bits;
use crate::circuit::Party;
use crate::clear;
use proptest::prelude::*;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use sha3::{Digest, Sha3_256, Sha3_512, Shake128, Shake256};

/// Returns the output of `f` for `input`, and its ANDs.
fn run(input: &[u8], f: impl Fn(&mut Builder, &[Bit]) -> Vec<Bit>) -> (Vec<u8>, u64) {
    let mut b = Builder::new();
    let bits = b.input("input", Party::Garbler, 8 * input.len() as u32);
    let output = f(&mut b, &bits);
    b.output("output", &output);
    let circuit = b.finish().unwrap();
    let outputs = clear::evaluate(&circuit, &[Bits::from_bytes(input)], 1).unwrap();
    (outputs[0].to_bytes(), circuit.gates.ands())
}

/// The first lane of Keccak-f[1600] of a state of zeros, and of a second application, from the
/// Keccak team's reference values.
#[test]
fn permutation_of_zeros() {
    let (once, ands) = run(&[0; 200], keccak_f);
    assert_eq!(once[..8], 0xf125_8f79_40e1_dde7_u64.to_le_bytes());
    assert_eq!(ands, 38_400);
    let (twice, _) = run(&once, keccak_f);
    assert_eq!(twice[..8], 0x2d5c_954d_f96e_cb3c_u64.to_le_bytes());
}

/// Tests messages whose lengths are near a block boundary.
#[test]
fn padding_boundaries() {
    for (length, blocks) in [(1, 1), (135, 1), (136, 2), (137, 2)] {
        let message: Vec<u8> = (0..length).map(|i| i as u8).collect();
        let (digest, ands) = run(&message, sha3_256);
        assert_eq!(digest, Sha3_256::digest(&message).as_slice(), "{length} bytes");
        assert!(ands <= 38_400 * blocks - 1344 && ands > 38_000 * (blocks - 1), "{ands}");
    }
    for length in [71, 72] {
        let message = vec![0x5a; length];
        let (digest, _) = run(&message, sha3_512);
        assert_eq!(digest, Sha3_512::digest(&message).as_slice(), "{length} bytes");
    }
}

/// An empty message: every gate folds.
#[test]
fn empty_message_costs_nothing() {
    let mut b = Builder::new();
    let digest = sha3_256(&mut b, &[]);
    let constants: Bits = digest.iter().map(|bit| bit.as_constant().unwrap()).collect();
    assert_eq!(constants.to_bytes(), Sha3_256::digest([]).as_slice());
    assert_eq!(b.gates(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn hashes(message in prop::collection::vec(any::<u8>(), 1..150), bytes in 1..400usize) {
        prop_assert_eq!(run(&message, sha3_256).0, Sha3_256::digest(&message).to_vec());
        prop_assert_eq!(run(&message, sha3_512).0, Sha3_512::digest(&message).to_vec());
        let mut expected = vec![0; bytes];
        Shake128::default().chain(&message).finalize_xof().read(&mut expected);
        prop_assert_eq!(run(&message, |b, m| shake128(b, m, 8 * bytes)).0, expected.clone());
        Shake256::default().chain(&message).finalize_xof().read(&mut expected);
        prop_assert_eq!(run(&message, |b, m| shake256(b, m, 8 * bytes)).0, expected);
    }
}
