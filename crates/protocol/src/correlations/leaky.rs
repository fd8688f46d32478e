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

use super::{Labels, Shares, restart};
use halfgate_circuit::Party;
use halfgate_engine::{Delta, Label};
use halfgate_kernels::{Bits, Kernel, State, Suite};
use std::ops::Range;

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
    /// The G of a piece, which is public.
    g: Vec<Label>,
}

/// Leaky ANDs that are made together: a piece of a window. Its bits lie together, first all x, then
/// z, then y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The number of its first leaky AND in the window.
    pub first: usize,
    /// How many there are.
    pub count: usize,
    /// The place of its first bit in the window.
    pub start: usize,
}

impl Piece {
    /// The places of x.
    pub fn x(self) -> Range<usize> {
        self.start..self.start + self.count
    }

    /// The places of z.
    pub fn z(self) -> Range<usize> {
        self.start + self.count..self.start + 2 * self.count
    }

    /// The places of y.
    pub fn y(self) -> Range<usize> {
        self.start + 2 * self.count..self.start + 3 * self.count
    }
}

impl Hash {
    /// The hash with a joint random start `point`.
    pub fn new(kernel: &'static Kernel, party: Party, point: u128) -> Hash {
        let start = || kernel.start(Suite::HalfGates, point);
        let half = (party == Party::Evaluator) as usize;
        Hash { kernel, own: start(), theirs: start(), half, g: Vec::new() }
    }

    /// Computes G for a piece, and replaces `message` by it. `l` gets `H(K[x]) ^ key[z] ^ mac[z]`,
    /// the part of L that needs no message.
    pub fn send(
        &mut self,
        shares: &Shares,
        piece: Piece,
        delta: &Delta,
        l: &mut Labels,
        message: &mut Vec<u8>,
    ) {
        let (x, y, z) = (bits(shares, piece.x()), bits(shares, piece.y()), bits(shares, piece.z()));
        if l.capacity() < piece.count {
            restart(l, piece.count);
        }
        l.resize(piece.count, Label::ZERO);
        self.g.resize(piece.count, Label::ZERO);
        let (own, half) = (&mut self.own, self.half);
        self.kernel.send_leaky(own, half, delta, (x.key, y, z), (l, &mut self.g));
        message.resize(G_BYTES * piece.count, 0);
        let (sent, _) = message.as_chunks_mut::<G_BYTES>();
        sent.iter_mut().zip(&self.g).for_each(|(sent, g)| *sent = g.to_bytes());
    }

    /// Completes L from the peer's `message`.
    pub fn receive(&mut self, shares: &Shares, piece: Piece, l: &mut [Label], message: &[u8]) {
        let (x, y) = (bits(shares, piece.x()), bits(shares, piece.y()));
        let (sent, _) = message.as_chunks::<G_BYTES>();
        self.g.clear();
        self.g.extend(sent.iter().map(|g| Label::from_bytes(*g)));
        self.kernel.receive_leaky(&mut self.theirs, 1 - self.half, (x.mac, y), &self.g, l);
    }
}

/// The labels at some places.
fn bits(shares: &Shares, places: Range<usize>) -> Bits<'_> {
    Bits { key: &shares.key[places.clone()], mac: &shares.mac[places] }
}

/// This party's bit of d.
pub(crate) fn correction(l: Label) -> bool {
    l.to_u128() >> 1 & 1 == 1
}
