//! Compares AES with the `aes` crate and FIPS 197, and counter mode block by block.

use super::*;
use crate::bits::Bits;
use crate::circuit::{Circuit, Party};
use crate::{clear, int};
use ::aes::cipher::{BlockEncrypt, KeyInit};
use ::aes::{Aes128, Aes192, Aes256};
use proptest::prelude::*;

/// Builds a circuit with inputs `key` and `block` that outputs the ciphertext.
fn cipher(key_bits: u32) -> Circuit {
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, key_bits);
    let block = b.input("block", Party::Evaluator, 128);
    let ciphertext = encrypt(&mut b, &key, &block);
    b.output("ciphertext", &ciphertext);
    b.finish().unwrap()
}

fn run(circuit: &Circuit, inputs: &[&[u8]]) -> Vec<u8> {
    let inputs: Vec<Bits> = inputs.iter().map(|bytes| Bits::from_bytes(bytes)).collect();
    clear::evaluate(circuit, &inputs, 1).unwrap()[0].to_bytes()
}

fn expected(key: &[u8], block: [u8; 16]) -> [u8; 16] {
    let mut block = block.into();
    match key.len() {
        16 => Aes128::new_from_slice(key).unwrap().encrypt_block(&mut block),
        24 => Aes192::new_from_slice(key).unwrap().encrypt_block(&mut block),
        _ => Aes256::new_from_slice(key).unwrap().encrypt_block(&mut block),
    }
    block.into()
}

/// Appendix C: the key counts up from 0, the block is 00112233….
#[test]
fn fips_197_appendix_c() {
    let key: Vec<u8> = (0..32).collect();
    let block: Vec<u8> = (0..16).map(|i| i * 0x11).collect();
    for (bytes, first_four) in [
        (16, [0x69, 0xc4, 0xe0, 0xd8]),
        (24, [0xdd, 0xa9, 0x7c, 0xa4]),
        (32, [0x8e, 0xa2, 0xb7, 0xca]),
    ] {
        let ciphertext = run(&cipher(8 * bytes), &[&key[..bytes as usize], &block]);
        assert_eq!(ciphertext[..4], first_four, "{bytes} bytes of key");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn every_key_length(key: [u8; 32], block: [u8; 16]) {
        for bytes in [16, 24, 32] {
            let found = run(&cipher(8 * bytes as u32), &[&key[..bytes], &block]);
            prop_assert_eq!(found, expected(&key[..bytes], block));
        }
    }

    /// Five blocks, requested in pieces that end at no block boundary.
    #[test]
    fn counter_mode(key: [u8; 16], nonce: [u8; 12]) {
        let mut b = Builder::new();
        let key_bits = b.input("key", Party::Garbler, 128);
        let nonce_bits: Vec<Bit> = nonce.iter().flat_map(|&x| int::constant(8, x.into())).collect();
        let mut ctr = Ctr::new(&key_bits, &nonce_bits);
        let mut stream = Vec::new();
        for count in [0, 1, 7, 248, 300, 84] {
            stream.extend(ctr.next_bits(&mut b, count));
        }
        b.output("stream", &stream);
        let circuit = b.finish().unwrap();
        prop_assert!(circuit.gates.ands() <= 1280 + 5 * 5120);
        let blocks = (0..5u32).flat_map(|i| {
            let counter: Vec<u8> = nonce.iter().copied().chain(i.to_be_bytes()).collect();
            expected(&key, counter.try_into().unwrap())
        });
        prop_assert_eq!(run(&circuit, &[&key]), blocks.collect::<Vec<u8>>());
    }
}

/// [`next_round_key_128`] agrees with the schedule.
#[test]
fn round_keys_one_by_one() {
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let mut schedule = Schedule::new(&key);
    let mut state = bytes(&key);
    let mut differ = Vec::new();
    for round in 1..=10 {
        let constant = int::constant(8, round::round_constant(round - 1).into());
        state = next_round_key_128(&mut b, &state, &std::array::from_fn(|j| constant[j]));
        let expected = schedule.round_key(&mut b, round);
        differ.extend(xor_states(&mut b, &state, &expected).concat());
    }
    b.output("differ", &differ);
    let circuit = b.finish().unwrap();
    assert!(run(&circuit, &[&[0xa7; 16]]).iter().all(|&byte| byte == 0));
}
