//! AES-128, SHA-256 and SHA-3 against published test vectors and the crates `aes`, `sha2` and
//! `sha3`; AND counts.

use crate::common::{self, build, run};
use aes::Aes128;
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_circuit::Bits;
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use sha3::Sha3_256;

fn aes(key: [u8; 16], block: [u8; 16]) -> [u8; 16] {
    let mut block = block.into();
    Aes128::new(&key.into()).encrypt_block(&mut block);
    block.into()
}

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
}

#[test]
fn and_counts() {
    for spec in ["aes128", "aes128-ecb", "aes128-chained"] {
        assert_eq!(build(spec).gates.ands(), 6400, "{spec}");
    }
    assert_eq!(build("aes128-rounds").gates.ands(), 16 * 32 + 4 * 32 + 2 * 128);
    assert_eq!(build("sha256-block").gates.ands(), 22_271);
    assert_eq!(build("sha3").gates.ands(), 38_400 - 1_344);
    // The initial state and the padding are constants, so a block of only padding takes fewer ANDs.
    for (spec, at_most) in [("sha256", 21_674), ("sha256:64+0", 37_828)] {
        let ands = build(spec).gates.ands();
        assert!(ands <= at_most, "{spec} has {ands} ANDs");
    }
}

/// FIPS 197, appendices B and C.1.
#[test]
fn fips_197() {
    let circuit = build("aes128");
    for (key, block, ciphertext) in [
        (
            "2b7e151628aed2a6abf7158809cf4f3c",
            "3243f6a8885a308d313198a2e0370734",
            "3925841d02dc09fbdc118597196a0b32",
        ),
        (
            "000102030405060708090a0b0c0d0e0f",
            "00112233445566778899aabbccddeeff",
            "69c4e0d86a7b0430d8cdb78070b4c55a",
        ),
    ] {
        let inputs = [key, block].map(|hex| Bits::from_bytes(&bytes::<16>(hex)));
        assert_eq!(run(&circuit, &inputs)[0].to_bytes(), bytes::<16>(ciphertext));
    }
}

/// FIPS 180-2, appendices B.1 and B.2, with the whole message at either party.
#[test]
fn fips_180() {
    let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (message, digest) in [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ] {
        let all = Bits::from_bytes(message.as_bytes());
        for spec in [format!("sha256:{}+0", message.len()), format!("sha256:0+{}", message.len())] {
            let circuit = build(&spec);
            assert_eq!(circuit.inputs.len(), 1);
            let outputs = run(&circuit, std::slice::from_ref(&all));
            assert_eq!(outputs[0].to_bytes(), bytes::<32>(digest), "{spec}");
        }
    }
}

/// The example that NIST published with FIPS 202: the digest of "abc".
#[test]
fn fips_202() {
    let circuit = build("sha3:1+2");
    let outputs = run(&circuit, &[Bits::from_bytes(b"a"), Bits::from_bytes(b"bc")]);
    let digest = bytes::<32>("3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
    assert_eq!(outputs[0].to_bytes(), digest);
}

proptest! {
    #![proptest_config(common::cases(12))]

    #[test]
    fn one_block(key: [u8; 16], block: [u8; 16]) {
        let inputs = [Bits::from_bytes(&key), Bits::from_bytes(&block)];
        prop_assert_eq!(run(&build("aes128"), &inputs)[0].to_bytes(), aes(key, block));
    }

    #[test]
    fn a_block_a_cycle(key: [u8; 16], blocks in prop::collection::vec(any::<[u8; 16]>(), 1..6)) {
        let circuit = build(&format!("aes128-ecb:{}", blocks.len()));
        let outputs = run(&circuit, &[Bits::from_bytes(&key), Bits::from_bytes(&blocks.concat())]);
        let expected: Vec<u8> = blocks.iter().flat_map(|&block| aes(key, block)).collect();
        prop_assert_eq!(outputs[0].to_bytes(), expected);
    }

    #[test]
    fn chained(key: [u8; 16], block: [u8; 16], blocks in 1..6usize) {
        let circuit = build(&format!("aes128-chained:{blocks}"));
        let outputs = run(&circuit, &[Bits::from_bytes(&key), Bits::from_bytes(&block)]);
        let expected = (0..blocks).fold(block, |block, _| aes(key, block));
        prop_assert_eq!(outputs[0].to_bytes(), expected);
    }

    #[test]
    fn a_round_a_cycle(key: [u8; 16], block: [u8; 16], blocks in 1..6usize) {
        let circuit = build(&format!("aes128-rounds:{blocks}"));
        prop_assert_eq!(circuit.cycles, 10 * blocks as u64);
        let outputs = run(&circuit, &[Bits::from_bytes(&key), Bits::from_bytes(&block)]);
        let expected = (0..blocks).fold(block, |block, _| aes(key, block));
        prop_assert_eq!(outputs[0].to_bytes(), expected);
    }

    /// Lengths around the padding's boundaries (55, 56, 64 bytes), split anywhere between the
    /// parties.
    #[test]
    fn digest(message in prop::collection::vec(any::<u8>(), 1..140), split: prop::sample::Index) {
        let (prefix, rest) = message.split_at(split.index(message.len() + 1));
        let circuit = build(&format!("sha256:{}+{}", prefix.len(), rest.len()));
        let parts = [prefix, rest].into_iter().filter(|part| !part.is_empty());
        let inputs: Vec<Bits> = parts.map(Bits::from_bytes).collect();
        let expected = Sha256::digest(&message);
        prop_assert_eq!(run(&circuit, &inputs)[0].to_bytes(), expected.as_slice());
    }

    #[test]
    fn sha3(message in prop::collection::vec(any::<u8>(), 1..280), split: prop::sample::Index) {
        let (prefix, rest) = message.split_at(split.index(message.len() + 1));
        let circuit = build(&format!("sha3:{}+{}", prefix.len(), rest.len()));
        let parts = [prefix, rest].into_iter().filter(|part| !part.is_empty());
        let inputs: Vec<Bits> = parts.map(Bits::from_bytes).collect();
        let expected = Sha3_256::digest(&message);
        prop_assert_eq!(run(&circuit, &inputs)[0].to_bytes(), expected.as_slice());
    }

    #[test]
    fn compression(state: [u32; 8], block: [u8; 64]) {
        let bytes: Vec<u8> = state.iter().flat_map(|word| word.to_be_bytes()).collect();
        let inputs = [Bits::from_bytes(&bytes), Bits::from_bytes(&block)];
        let outputs = run(&build("sha256-block"), &inputs);
        let mut next = state;
        sha2::compress256(&mut next, &[block.into()]);
        let expected: Vec<u8> = next.iter().flat_map(|word| word.to_be_bytes()).collect();
        prop_assert_eq!(outputs[0].to_bytes(), expected);
    }
}

/// Lengths on both sides of each boundary of the padding.
#[test]
fn padding_boundaries() {
    for (length, blocks) in [(1, 1), (55, 1), (56, 2), (63, 2), (64, 2), (119, 2), (120, 3)] {
        let message: Vec<u8> = (0..length).map(|i| i as u8).collect();
        let circuit = build(&format!("sha256:0+{length}"));
        let outputs = run(&circuit, &[Bits::from_bytes(&message)]);
        assert_eq!(outputs[0].to_bytes(), Sha256::digest(&message).as_slice(), "{length} bytes");
        let ands = circuit.gates.ands();
        assert!(ands <= blocks * 22_271 && ands > (blocks - 1) * 18_000, "{length}: {ands}");
    }
}
