//! AES-128 encryption (FIPS 197) with the key schedule inside the circuit: 6,400 ANDs a block.
//!
//! The cipher is [`halfgate_circuit::aes`]; here it gets its ports. Every byte string is in FIPS
//! order: byte `k`, bit `j` is wire `8k + j`, which is what `bytes:` writes on the command line.

use crate::error::MakeError;
use crate::ports::{Element, PortType};
use crate::program::{Params, ProgramInfo, check};
use crate::state::{registers, set_next};
use halfgate_circuit::aes::encrypt;
use halfgate_circuit::{Builder, Circuit, Party};

/// Keys and blocks are bytes.
pub(crate) const TYPES: &[PortType] = &[
    PortType::one("key", Element::Bytes),
    PortType::one("block", Element::Bytes),
    PortType::one("ciphertext", Element::Bytes),
];

/// `aes128`: one block.
pub const SINGLE: ProgramInfo = ProgramInfo {
    name: "aes128",
    params: "",
    default: "",
    summary: "AES-128 encryption of one block, key schedule included",
    ports: "garbler key:128; evaluator block:128; output ciphertext:128 (FIPS byte order, bytes:)",
    types: TYPES,
    make: |params: Params| {
        params.none()?;
        single()
    },
};

/// `aes128-ecb`: a block a cycle.
pub const ECB: ProgramInfo = ProgramInfo {
    name: "aes128-ecb",
    params: "BLOCKS",
    default: "1",
    summary: "AES-128 encryption of a block in each of BLOCKS cycles under one key",
    ports: "garbler key:128; evaluator block:128 each cycle; output ciphertext:128 each cycle \
            (FIPS byte order, bytes:)",
    types: TYPES,
    make: |params: Params| ecb(params.one("BLOCKS")?),
};

/// `aes128-chained`: each block's plaintext is the ciphertext before.
pub const CHAINED: ProgramInfo = ProgramInfo {
    name: "aes128-chained",
    params: "BLOCKS",
    default: "1000",
    summary: "AES-128 applied BLOCKS times, each block's plaintext the ciphertext before",
    ports: "garbler key:128; evaluator block:128; output ciphertext:128, the last one \
            (FIPS byte order, bytes:)",
    types: TYPES,
    make: |params: Params| chained(params.one("BLOCKS")?),
};

/// The most blocks (cycles) of [`ecb`] and [`chained`].
pub const MAX_BLOCKS: u64 = 1 << 40;

/// One block: garbler's `key` (128 bits), evaluator's `block` (128), output `ciphertext` (128).
/// 6,400 ANDs.
///
/// # Errors
/// If the gates cannot be stored.
pub fn single() -> Result<Circuit, MakeError> {
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let block = b.input("block", Party::Evaluator, 128);
    let ciphertext = encrypt(&mut b, &key, &block);
    b.output("ciphertext", &ciphertext);
    Ok(b.finish()?)
}

/// `blocks` cycles, each with its own evaluator's `block` and `ciphertext`, under one garbler's
/// `key`. 6,400 ANDs a cycle.
///
/// # Errors
/// If `blocks` is 0 or above [`MAX_BLOCKS`], or the gates cannot be stored.
pub fn ecb(blocks: u64) -> Result<Circuit, MakeError> {
    check("BLOCKS", blocks, 1..=MAX_BLOCKS)?;
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let block = b.input_per_cycle("block", Party::Evaluator, 128);
    let ciphertext = encrypt(&mut b, &key, &block);
    b.output_per_cycle("ciphertext", &ciphertext);
    b.set_cycles(blocks);
    Ok(b.finish()?)
}

/// `blocks` encryptions one after the other, the state in flip-flops that start at the
/// evaluator's `block`; the `ciphertext` is the last. The body is one block of 6,400 ANDs, key
/// schedule included, so that size and memory do not depend on `blocks`.
///
/// # Errors
/// If `blocks` is 0 or above [`MAX_BLOCKS`], or the gates cannot be stored.
pub fn chained(blocks: u64) -> Result<Circuit, MakeError> {
    check("BLOCKS", blocks, 1..=MAX_BLOCKS)?;
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let first = b.input("block", Party::Evaluator, 128);
    let state = registers(&mut b, &first);
    let ciphertext = encrypt(&mut b, &key, &state);
    set_next(&mut b, &state, &ciphertext);
    b.output("ciphertext", &ciphertext);
    b.set_cycles(blocks);
    Ok(b.finish()?)
}
