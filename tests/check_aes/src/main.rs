//! Checks the ciphertext from the evaluator of `aes128-ecb` against the `aes` crate.
//!
//! `check_aes KEY BLOCKS RESULT.json` takes two files of raw bytes, and the output of `halfgate
//! evaluate --json`. `make demo` and `make demo-hardware` run it.

use aes::Aes128;
use aes::cipher::{BlockEncrypt, KeyInit, generic_array::GenericArray};
use halfgate_circuit::Bits;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<_> = std::env::args().skip(1).collect();
    let [key, blocks, result] = &paths[..] else {
        return Err("usage: check_aes KEY BLOCKS RESULT.json".into());
    };
    let key = std::fs::read(key)?;
    let cipher = Aes128::new_from_slice(&key).map_err(|_| "the key has not 16 bytes")?;
    let mut blocks = std::fs::read(blocks)?;
    for block in blocks.chunks_exact_mut(16) {
        cipher.encrypt_block(GenericArray::from_mut_slice(block));
    }

    let result: serde_json::Value = serde_json::from_slice(&std::fs::read(result)?)?;
    let hex = result["outputs"][0]["hex"].as_str().ok_or("the result has no first output")?;
    let ciphertext = Bits::from_hex(hex, 8 * blocks.len())?.to_bytes();
    if ciphertext != blocks {
        let wrong = ciphertext.chunks(16).zip(blocks.chunks(16)).filter(|(a, b)| a != b).count();
        return Err(format!("{wrong} of {} blocks are wrong", blocks.len() / 16).into());
    }
    println!("checked: {} blocks equal those of the aes crate", blocks.len() / 16);
    Ok(())
}
