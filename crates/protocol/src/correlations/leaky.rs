//! Leaky ANDs: figure 5 of the paper.
//!
//! For authenticated bits x, y and z each party computes, with `C = key[y] ^ mac[y]`, for which
//! `C_A ^ C_B = y·(Δ_A ^ Δ_B)`:
//!
//! ```text
//!     G  = H(K[x]) ^ H(K[x] ^ Δ) ^ C                   sent; K[x] is the key of the peer's share
//!     S  = H(M[x]) ^ x·(G' ^ C)                        x the own share, G' the peer's G
//!     L  = S ^ H(K[x]) ^ key[z] ^ mac[z]               L_A ^ L_B = (x·y ^ z)·(Δ_A ^ Δ_B)
//!     d  = bit 1 of L_A ^ L_B = x·y ^ z                each sends its bit
//! ```
//!
//! Then d is added to z, and both parties compare `L ^ d·Δ`, which is the same for both. The
//! comparison is one for all leaky ANDs of a window: of a digest, which both commit to.
//!
//! A party that sends another G changes S only if the peer's share of x is 1. If it guesses that
//! share, it can correct its L; otherwise the comparison fails. It learns nothing about y or z.

use super::Shares;
use halfgate_circuit::Party;
use halfgate_engine::{Delta, Label};
use halfgate_kernels::{Kernel, State, Suite};
use std::ops::Range;
use zeroize::Zeroizing;

/// Bytes of a G.
pub(crate) const G_BYTES: usize = 16;

/// The hash of leaky ANDs, for one party. AND number i has a key for each direction.
pub(crate) struct Hash {
    kernel: &'static Kernel,
    /// The keys under which this party hashes its own keys, and those for its MACs.
    own: State,
    theirs: State,
    /// 0 for the transfers under the garbler's offset, 1 for the evaluator's.
    half: usize,
}

/// The leaky ANDs of one window: the places of x, y and z among its bits.
pub(crate) struct Places {
    pub x: usize,
    pub y: usize,
    pub z: usize,
    pub count: usize,
}

impl Hash {
    /// The hash with a joint random start `point`.
    pub fn new(kernel: &'static Kernel, party: Party, point: u128) -> Hash {
        let start = || kernel.start(Suite::HalfGates, point);
        Hash { kernel, own: start(), theirs: start(), half: (party == Party::Evaluator) as usize }
    }

    /// Computes G for the leaky ANDs in `range`, and appends it to `message`. `l` gets `H(K[x]) ^
    /// key[z] ^ mac[z]`, the part of L that needs no message.
    pub fn send(
        &mut self,
        shares: &Shares,
        places: &Places,
        range: Range<usize>,
        delta: &Delta,
        l: &mut [Label],
        message: &mut Vec<u8>,
    ) {
        let Shares { key, mac } = shares;
        let offset = delta.label();
        let at = |first: usize| first + range.start..first + range.end;
        let mut keys = Zeroizing::new(key[at(places.x)].to_vec());
        keys.iter_mut().for_each(|key| *key ^= offset.masked(key.colour()));
        let mut sums = Zeroizing::new(vec![Label::ZERO; range.len()]);
        self.kernel.hash_both(&mut self.own, self.half, delta, &keys, l, &mut sums);
        let c = key[at(places.y)].iter().zip(&mac[at(places.y)]);
        for (sum, (key, mac)) in sums.iter().zip(c) {
            message.extend_from_slice(&(*sum ^ *key ^ *mac).to_bytes());
        }
        let z = key[at(places.z)].iter().zip(&mac[at(places.z)]);
        for (l, (key, mac)) in l.iter_mut().zip(z) {
            *l ^= *key ^ *mac;
        }
    }

    /// Completes L from the peer's `message`.
    pub fn receive(
        &mut self,
        shares: &Shares,
        places: &Places,
        range: Range<usize>,
        l: &mut [Label],
        message: &[u8],
    ) {
        let Shares { key, mac } = shares;
        let at = |first: usize| first + range.start..first + range.end;
        let macs = &mac[at(places.x)];
        let mut hashes = Zeroizing::new(vec![Label::ZERO; range.len()]);
        self.kernel.hash(&mut self.theirs, 1 - self.half, macs, &mut hashes);
        let c = key[at(places.y)].iter().zip(&mac[at(places.y)]);
        let (sent, _) = message.as_chunks::<G_BYTES>();
        let rest = hashes.iter().zip(macs).zip(c).zip(sent);
        for (l, (((hash, x), (key, mac)), g)) in l.iter_mut().zip(rest) {
            let chosen = (Label::from_bytes(*g) ^ *key ^ *mac).masked(x.colour());
            *l ^= *hash ^ chosen;
        }
    }
}

/// This party's bit of d.
pub(crate) fn correction(l: Label) -> bool {
    l.to_u128() >> 1 & 1 == 1
}
