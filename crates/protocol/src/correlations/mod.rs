//! Correlations of malicious sessions: authenticated bits, and ANDs of them.
//!
//! The protocol is that of Katz, Ranellucci, Rosulek and Wang, "Optimizing Authenticated Garbling
//! for Faster Secure Two-Party Computation" (CRYPTO 2018, ePrint 2018/578), with its letters. All
//! functions take and return messages; the caller transports them. `docs/malicious.md` describes
//! the whole protocol, and each deviation from the paper.
//!
//! # Authenticated bits
//!
//! Party A (the garbler) has the offset Δ_A and party B (the evaluator) has Δ_B, each fixed for the
//! connection. A bit `λ = r ^ s` is shared: A has r with its MAC `M[r] = K[r] ^ r·Δ_B`, and B has
//! the key K[r]. B has s with `M[s] = K[s] ^ s·Δ_A`, and A has the key K[s]. A party keeps two
//! labels of each bit ([`Shares`]):
//!
//! - `mac`: M of its own share;
//! - `key`: the key of the other party's share with its own share added: `K[s] ^ r·Δ_A` for A, and
//!   `K[r] ^ s·Δ_B` for B.
//!
//! So for both parties the peer's `mac` is `key ^ λ·Δ`, with the own Δ. Both labels are linear:
//! XORs of bits are XORs of labels, and a public bit is added by XORing Δ to `key`, which both
//! parties do. The colour bits of a fresh bit's two labels are the own share.
//!
//! Bit 0 of both offsets is set. Bit 1 is set in Δ_A and not in Δ_B, so that bit 1 of `Δ_A ^ Δ_B`
//! is set. Δ has 126 secret bits.
//!
//! # Order
//!
//! 1. [`bits`]: oblivious transfers in both directions make authenticated bits.
//! 2. [`leaky`]: three bits x, y and z become an AND, `z = x·y`. A cheating party may learn x, and
//!    is caught half the time.
//! 3. [`buckets`]: several leaky ANDs become one of which nothing leaks.
//! 4. [`opening`] and [`coins`]: opened bits, and joint random numbers.

pub(crate) mod bits;
pub(crate) mod buckets;
pub(crate) mod coins;
pub(crate) mod leaky;
pub(crate) mod opening;

use halfgate_engine::Label;
use zeroize::Zeroizing;

/// Labels that are wiped on drop.
pub(crate) type Labels = Zeroizing<Vec<Label>>;

/// One party's labels of authenticated bits: see the [module](self).
pub(crate) struct Shares {
    pub key: Labels,
    pub mac: Labels,
}

impl Shares {
    /// Without bits, with space for `count`.
    pub fn with_capacity(count: usize) -> Shares {
        let labels = || Zeroizing::new(Vec::with_capacity(count));
        Shares { key: labels(), mac: labels() }
    }

    /// Removes all bits, and makes space for `count`.
    pub fn restart(&mut self, count: usize) {
        restart(&mut self.key, count);
        restart(&mut self.mac, count);
    }
}

/// Empties a list and makes space for `count` labels. The old labels stay in memory until they are
/// overwritten or the list is dropped: memory that is used again need not be mapped again.
pub(crate) fn restart(labels: &mut Labels, count: usize) {
    labels.clear();
    if labels.capacity() < count {
        *labels = Zeroizing::new(Vec::with_capacity(count));
    }
}

#[cfg(test)]
mod tests;
