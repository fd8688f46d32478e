//! Keccak-f\[1600\] and the functions that FIPS 202 builds on it: SHA3-256, SHA3-512, SHAKE128 and
//! SHAKE256.
//!
//! Byte strings have byte `k`, bit `j` at bit `8k + j`. That is FIPS 202's own order, and the order
//! of `bytes:` on the command line. Only the step χ has ANDs, 1,600 per round. A permutation has
//! 38,400 ANDs, of AND depth 24, like the published Bristol Fashion circuit. No circuit with fewer
//! is known.
//!
//! A hash takes one permutation for each block of `rate` bytes, also for an incomplete one. The
//! message has at least one byte of padding, so `m` bytes take `m / rate + 1` permutations. The
//! last round of the last permutation computes only the requested bits.
//!
//! | function | rate in bytes | digest in bytes | ANDs of one block |
//! |---|---|---|---|
//! | SHA3-256 | 136 | 32 | 37,056 |
//! | SHA3-512 | 72 | 64 | 37,312 |

mod permutation;

pub use permutation::{STATE_BITS, keccak_f};

use crate::builder::Builder;
use crate::id::Bit;
use permutation::permute;

/// SHA3-256 of `message` (whole bytes): 256 bits. For `k = m / 136 + 1` blocks, where `m` is the
/// message's length in bytes, at most `38,400 k - 1,344` ANDs, of depth `24 k`.
///
/// # Panics
/// If `message` does not consist of whole bytes.
pub fn sha3_256(b: &mut Builder, message: &[Bit]) -> Vec<Bit> {
    sponge(b, message, 136, 0x06, 256)
}

/// SHA3-512 of `message` (whole bytes): 512 bits. For `k = m / 72 + 1` blocks, where `m` is the
/// message's length in bytes, at most `38,400 k - 1,088` ANDs, of depth `24 k`.
///
/// # Panics
/// If `message` does not consist of whole bytes.
pub fn sha3_512(b: &mut Builder, message: &[Bit]) -> Vec<Bit> {
    sponge(b, message, 72, 0x06, 512)
}

/// The first `bits` of SHAKE128 of `message` (whole bytes). For `k = m / 168 + 1` blocks, where `m`
/// is the message's length in bytes, and `j` output blocks of 1,344 bits after the first, at most
/// `38,400 (k + j)` ANDs, of depth `24 (k + j)`.
///
/// # Panics
/// If `message` does not consist of whole bytes.
pub fn shake128(b: &mut Builder, message: &[Bit], bits: usize) -> Vec<Bit> {
    sponge(b, message, 168, 0x1f, bits)
}

/// The first `bits` of SHAKE256 of `message` (whole bytes): like [`shake128`] with blocks of 136
/// bytes, 1,088 bits.
///
/// # Panics
/// If `message` does not consist of whole bytes.
pub fn shake256(b: &mut Builder, message: &[Bit], bits: usize) -> Vec<Bit> {
    sponge(b, message, 136, 0x1f, bits)
}

/// The sponge of FIPS 202, section 4. It absorbs `message` and the domain's `suffix` (a byte that
/// includes the first 1 of the padding) `rate` bytes at a time, then squeezes `bits` bits.
fn sponge(b: &mut Builder, message: &[Bit], rate: usize, suffix: u8, bits: usize) -> Vec<Bit> {
    assert!(message.len().is_multiple_of(8), "a message of {} bits", message.len());
    let rate = 8 * rate;
    let mut padded = message.to_vec();
    padded.extend((0..8).map(|j| Bit::constant(suffix >> j & 1 == 1)));
    padded.resize(padded.len().next_multiple_of(rate), Bit::FALSE);
    let last = padded.len() - 1;
    padded[last] = !padded[last];

    let mut state = vec![Bit::FALSE; STATE_BITS];
    let blocks = padded.len() / rate;
    for (i, block) in padded.chunks(rate).enumerate() {
        for (bit, &added) in state.iter_mut().zip(block) {
            *bit = b.xor(*bit, added);
        }
        let needed = if i + 1 < blocks || bits > rate { STATE_BITS } else { bits };
        state = permute(b, &state, needed);
    }
    let mut squeezed = Vec::with_capacity(bits);
    loop {
        squeezed.extend(state.iter().take(rate.min(bits - squeezed.len())));
        let left = bits - squeezed.len();
        if left == 0 {
            return squeezed;
        }
        state = permute(b, &state, if left > rate { STATE_BITS } else { left });
    }
}

#[cfg(test)]
mod tests;
