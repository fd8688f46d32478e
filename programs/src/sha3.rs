//! SHA3-256 (FIPS 202) of a message of which each party has a part. The hash is
//! [`halfgate_circuit::keccak`]. In byte strings, bit `j` of byte `k` is wire `8k + j`.

use crate::error::MakeError;
use crate::message;
use crate::program::{Make, Params, ProgramInfo, check_size};
use halfgate_circuit::keccak::sha3_256;
use halfgate_circuit::{Builder, Circuit};

/// `sha3`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "sha3",
    params: "G+E",
    default: "64+64",
    summary: "SHA3-256 of the garbler's G bytes followed by the evaluator's E bytes, padded inside",
    ports: message::PORTS,
    types: message::TYPES,
    make: Make::Flat(|params: Params| {
        let (prefix, message) = params.two(["G", "E"], '+')?;
        digest(prefix, message)
    }),
};

/// Message bytes per block.
const RATE: u64 = 136;
/// ANDs per block.
const BLOCK_ANDS: u64 = 38_400;

/// Garbler's `prefix` of `prefix_bytes` bytes and evaluator's `message` of `message_bytes` bytes
/// (a part of 0 bytes has no port); output `digest`, 256 bits: SHA3-256 of `prefix` followed by
/// `message`. At most 38,400 ANDs per block of 136 bytes, but 1,344 fewer in the last; the padding
/// takes at least one byte.
///
/// # Errors
/// If both parts are empty or one is above 65,536 bytes, or the gates cannot be stored.
pub fn digest(prefix_bytes: u32, message_bytes: u32) -> Result<Circuit, MakeError> {
    let bytes = message::check_bytes(prefix_bytes, message_bytes)?;
    check_size(&[bytes / RATE + 1, BLOCK_ANDS])?;

    let mut b = Builder::new();
    let message = message::inputs(&mut b, prefix_bytes, message_bytes);
    let digest = sha3_256(&mut b, &message);
    b.output("digest", &digest);
    Ok(b.finish()?)
}
