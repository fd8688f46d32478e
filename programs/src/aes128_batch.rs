//! AES-128 of many blocks under one key, as a map over the blocks: an example of a structured
//! program.
//!
//! The key schedule is outside the map, so its ANDs count once: `1,280 + 5,120 BLOCKS` in all. A
//! cycle of `aes128-ecb` computes the schedule again, and takes 6,400 ANDs. The text of the program
//! does not grow with the number of blocks.

use crate::aes128::TYPES;
use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::aes::{Schedule, encrypt_with};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Builder, Party};

/// `aes128-batch`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "aes128-batch",
    params: "BLOCKS",
    default: "16",
    summary: "AES-128 encryption of BLOCKS blocks under one key, key schedule once",
    ports: "garbler key:128; evaluator block:128*BLOCKS, the blocks in order; \
            output ciphertext:128*BLOCKS (FIPS byte order, bytes:)",
    types: TYPES,
    make: Make::Structured(|params: Params| circuit(params.one("BLOCKS")?)),
};

/// Maximum number of blocks: input, round keys and output must fit in the wires of a body.
pub const MAX_BLOCKS: u32 = 4_000_000;

/// Garbler's `key` (128 bits), evaluator's `block` (`blocks` times 128 bits, in order), output
/// `ciphertext` (as many bits). 1,280 ANDs for the key schedule and 5,120 for each block.
///
/// # Errors
/// If `blocks` is 0 or above [`MAX_BLOCKS`], or the gates cannot be stored.
pub fn circuit(blocks: u32) -> Result<StructuredCircuit, MakeError> {
    check("BLOCKS", blocks.into(), 1..=MAX_BLOCKS.into())?;
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let plain = b.input_array("block", Party::Evaluator, 128, blocks);
    let round_keys = Schedule::new(&key).all_round_keys(&mut b);
    let arguments = [Arg::Shared(&round_keys), Arg::Array(plain)];
    let ciphertext = b.map("encrypt", blocks.into(), &arguments, |b, arguments| {
        encrypt_with(b, &mut Schedule::of_round_keys(&arguments[0]), &arguments[1])
    });
    b.output_array("ciphertext", ciphertext);
    Ok(b.finish_structured()?)
}
