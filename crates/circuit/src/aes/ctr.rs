//! AES in counter mode (NIST SP 800-38A): randomness inside a circuit.

use super::{Schedule, encrypt_with};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// A stream of bits that look random to anyone without the key.
///
/// Block `i`, counted from 0, is the encryption of a nonce of 96 bits followed by `i` as 32 bits,
/// most significant byte first. For randomness that neither party can choose or know, use the XOR
/// of a key from each party as the key. The nonce may be public, but no two streams under one key
/// may share it. The XOR of a message with the stream encrypts the message.
///
/// At most 5,120 (6,144, 7,168) ANDs for each 128 bits, and once 1,280 (1,024, 1,664) for the
/// schedule of a key of 128 (192, 256) bits. Blocks share S-boxes of their first round as long as
/// the builder remembers them. AND depth 60 (72, 84), for any length of the stream.
pub struct Ctr {
    schedule: Schedule,
    nonce: Vec<Bit>,
    /// The next block's number; `None` after the last.
    counter: Option<u32>,
    /// Bits of the newest block that have not been returned.
    rest: Vec<Bit>,
}

impl Ctr {
    /// Creates the stream of `key` and `nonce`, in FIPS byte order. Adds no gates yet.
    ///
    /// # Panics
    /// If `nonce` does not have 96 bits, or `key` does not have 128, 192 or 256.
    pub fn new(key: &[Bit], nonce: &[Bit]) -> Ctr {
        assert_eq!(nonce.len(), 96, "the nonce of AES-CTR has 96 bits");
        let schedule = Schedule::new(key);
        Ctr { schedule, nonce: nonce.to_vec(), counter: Some(0), rest: Vec::new() }
    }

    /// Returns the next `count` bits.
    ///
    /// # Panics
    /// After 2^32 blocks.
    pub fn next_bits(&mut self, b: &mut Builder, count: usize) -> Vec<Bit> {
        while self.rest.len() < count {
            let number = self.counter.expect("AES-CTR gives no more than 2^32 blocks");
            let mut block = self.nonce.clone();
            block.extend(int::constant(32, number.swap_bytes().into()));
            self.rest.extend(encrypt_with(b, &mut self.schedule, &block));
            self.counter = number.checked_add(1);
        }
        self.rest.drain(..count).collect()
    }
}
