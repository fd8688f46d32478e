//! AES-128 encryption (FIPS 197) with the key schedule inside the circuit: 6,400 ANDs per block.
//!
//! The cipher is [`halfgate_circuit::aes`]; this module adds the ports. Byte strings are in FIPS
//! order: bit `j` of byte `k` is wire `8k + j`, as for `bytes:` on the command line.

use crate::error::MakeError;
use crate::ports::{Element, PortType};
use crate::program::{Make, Params, ProgramInfo, check};
use crate::state::{registers, set_next};
use halfgate_circuit::aes::encrypt;
use halfgate_circuit::{Builder, Circuit, Party};

/// The ports' types: keys and blocks are bytes.
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
    make: Make::Flat(|params: Params| {
        params.none()?;
        single()
    }),
};

/// `aes128-ecb`: one block per cycle.
pub const ECB: ProgramInfo = ProgramInfo {
    name: "aes128-ecb",
    params: "BLOCKS",
    default: "1",
    summary: "AES-128 encryption of a block in each of BLOCKS cycles under one key",
    ports: "garbler key:128; evaluator block:128 each cycle; output ciphertext:128 each cycle \
            (FIPS byte order, bytes:)",
    types: TYPES,
    make: Make::Flat(|params: Params| ecb(params.one("BLOCKS")?)),
};

/// `aes128-chained`: the plaintext of each block is the ciphertext of the previous one.
pub const CHAINED: ProgramInfo = ProgramInfo {
    name: "aes128-chained",
    params: "BLOCKS",
    default: "1000",
    summary: "AES-128 applied BLOCKS times: each ciphertext is the next block's plaintext",
    ports: "garbler key:128; evaluator block:128; output ciphertext:128, the last one \
            (FIPS byte order, bytes:)",
    types: TYPES,
    make: Make::Flat(|params: Params| chained(params.one("BLOCKS")?)),
};

/// Maximum number of blocks (cycles) of [`ecb`] and [`chained`].
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

/// `blocks` cycles under one `key` (garbler, 128 bits). Each cycle has its own `block` (evaluator,
/// 128) and output `ciphertext` (128). 6,400 ANDs per cycle.
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

/// `blocks` encryptions in sequence under the garbler's `key` (128 bits). The state is in
/// flip-flops that start at the evaluator's `block` (128); output `ciphertext` (128) is the last
/// state. The body is one block of 6,400 ANDs, key schedule included, so size and memory do not
/// depend on `blocks`.
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
