//! Keccak-f\[1600\] and what FIPS 202 builds on it: SHA3-256, SHA3-512, SHAKE128 and SHAKE256.
//!
//! Byte strings have byte `k`, bit `j` at bit `8k + j`, which is FIPS 202's own order and what
//! `bytes:` writes on the command line. Only χ has ANDs, 1,600 a round: 38,400 a permutation, of
//! AND depth 24, as the published Bristol Fashion circuit has. No circuit with fewer is known.
//!
//! A hash needs a permutation for each begun block of `rate` bytes, the message having at least
//! one byte of padding: `m / rate + 1` for `m` bytes. The last permutation's last round makes
//! only the bits that are asked for.
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

/// SHA3-256 of `message` (whole bytes): 256 bits. For `k = m / 136 + 1` blocks, `m` the
/// message's bytes, at most `38,400 k - 1,344` ANDs, of depth `24 k`.
///
/// # Panics
/// If `message` is not whole bytes.
pub fn sha3_256(b: &mut Builder, message: &[Bit]) -> Vec<Bit> {
    sponge(b, message, 136, 0x06, 256)
}

/// SHA3-512 of `message` (whole bytes): 512 bits. For `k = m / 72 + 1` blocks, `m` the message's
/// bytes, at most `38,400 k - 1,088` ANDs, of depth `24 k`.
///
/// # Panics
/// If `message` is not whole bytes.
pub fn sha3_512(b: &mut Builder, message: &[Bit]) -> Vec<Bit> {
    sponge(b, message, 72, 0x06, 512)
}

/// The first `bits` of SHAKE128 of `message` (whole bytes). For `k = m / 168 + 1` blocks, `m` the
/// message's bytes, and `j` further ones of 1,344 bits squeezed, at most `38,400 (k + j)` ANDs,
/// of depth `24 (k + j)`.
///
/// # Panics
/// If `message` is not whole bytes.
pub fn shake128(b: &mut Builder, message: &[Bit], bits: usize) -> Vec<Bit> {
    sponge(b, message, 168, 0x1f, bits)
}

/// The first `bits` of SHAKE256 of `message` (whole bytes): as [`shake128`] with blocks of 136
/// bytes, 1,088 bits.
///
/// # Panics
/// If `message` is not whole bytes.
pub fn shake256(b: &mut Builder, message: &[Bit], bits: usize) -> Vec<Bit> {
    sponge(b, message, 136, 0x1f, bits)
}

/// The sponge of FIPS 202, section 4: `message` and the domain's `suffix` (its first 1 of the
/// padding included, as a byte) absorbed `rate` bytes at a time, then `bits` squeezed.
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
