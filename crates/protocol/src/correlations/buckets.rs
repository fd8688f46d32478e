//! Buckets: several leaky ANDs become one of which nothing leaks.
//!
//! A window has N ANDs of the program, and B layers of N leaky ANDs. Layer 0 is made with y = λ_β,
//! the mask of the AND's second input. Layers 1 to B-1, the *sacrificed* ones, have random bits. x
//! and z are random in every layer. After all leaky ANDs are fixed and compared, joint coins give
//! a shift for each sacrificed layer. The bucket of AND g is the AND g of layer 0, and the AND
//! `(g + shift_i) mod N` of each layer i. It is combined as follows, with the letters of the paper:
//!
//! ```text
//!     d_i = y_0 ^ y_i                 opened, for i from 1
//!     x   = x_0 ^ x_1 ^ …
//!     z   = z_0 ^ Σ (z_i ^ d_i·x_i)   = x·λ_β
//!     e   = λ_α ^ x                   opened
//!     σ   = z ^ e·λ_β                 = λ_α·λ_β
//! ```
//!
//! # What leaks
//!
//! A party that cheats in a leaky AND learns its x with probability 1/2 and is caught otherwise.
//! λ_α is hidden as long as one x of its bucket is unknown to that party. Suppose it cheats in c_i
//! ANDs of layer i. It is not caught with probability 2^-(c_0 + c_1 + …). The shifts are
//! independent and uniform, so the expected number of buckets all of whose ANDs it cheated in is
//! `c_0·c_1·…·N^-(B-1)`. As `c·2^-c` is at most 1/2, the two together are at most `2^-B·N^-(B-1)`
//! for a window. [`bucket_size`](crate::session::authenticated::cost::bucket_size) adds all windows
//! of a run.
//!
//! # Where this differs from the paper
//!
//! The paper permutes all sacrificed ANDs. A shift of each layer is enough for the bound above, and
//! reads memory in order. The paper's section 5.2 makes the first AND of a bucket from the masks of
//! the wires, which saves a bit for each AND. If its x is λ_α, a party that cheats there learns
//! λ_α with probability 1/2, whatever the rest of the bucket is. So here only its y is the mask of
//! a wire.

use super::coins::Coins;
use super::leaky::Piece;
use super::opening::add_public;
use super::{Labels, Shares, restart};
use halfgate_engine::Label;
use std::ops::Range;

/// The numbers of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// N: ANDs of the program.
    pub ands: usize,
    /// B: layers of leaky ANDs.
    pub layers: usize,
    /// Most leaky ANDs of a piece, which are made together.
    pub piece: usize,
    /// Most ANDs of the program that are combined together.
    pub block: usize,
}

/// The rows of a walk: for each AND the labels of λ_α, λ_β and λ_γ.
pub(crate) type Rows = [[Label; 3]];

impl Shape {
    /// Bits in all: for each AND of the program its mask λ_γ, and for each leaky AND x, y and z.
    pub fn bits(self) -> usize {
        self.ands + 3 * self.leaky()
    }

    /// The number of leaky ANDs.
    pub fn leaky(self) -> usize {
        self.layers * self.ands
    }

    /// The pieces in which leaky ANDs are made: some of layer 0, and some of all others.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let piece = (next < self.leaky()).then(|| self.piece_of(next))?;
            next += piece.count;
            Some(piece)
        })
    }

    /// Bits that are drawn for a piece. The y of layer 0 are masks of the program.
    pub fn drawn(self, piece: Piece) -> usize {
        if self.is_first(piece) { 2 * piece.count } else { 3 * piece.count }
    }

    /// Whether a piece is one of layer 0.
    pub fn is_first(self, piece: Piece) -> bool {
        piece.first < self.ands
    }

    /// The piece of a leaky AND.
    pub(super) fn piece_of(self, leaky: usize) -> Piece {
        let (start, end) =
            if leaky < self.ands { (0, self.ands) } else { (self.ands, self.leaky()) };
        let first = leaky - (leaky - start) % self.piece;
        let count = self.piece.min(end - first);
        Piece { first, count, start: self.ands + 3 * first }
    }

    /// The ANDs in blocks that are combined together.
    pub fn blocks(self) -> impl Iterator<Item = Range<usize>> {
        let ends = move |start: usize| start..self.ands.min(start + self.block);
        (0..self.ands).step_by(self.block).map(ends)
    }
}

/// Appends the y of a piece of layer 0 to one of the lists of shares: the masks of its ANDs' second
/// inputs.
pub(crate) fn append_inputs(labels: &mut Labels, piece: Piece, rows: &Rows) {
    let ands = piece.first..piece.first + piece.count;
    labels.extend(rows[ands].iter().map(|row| row[1]));
}

/// Adds the public packed bits `d` to each z of a piece.
pub(crate) fn correct(piece: Piece, shares: &mut Shares, delta: Label, d: &[u8]) {
    add_public(&mut shares.key[piece.z()], delta, d);
}

/// The shift of each sacrificed layer.
pub(crate) fn shifts(shape: Shape, coins: &mut Coins) -> Vec<usize> {
    (1..shape.layers).map(|_| coins.below(shape.ands.max(1))).collect()
}

/// A window's buckets, for one of a party's two labels of each bit.
pub(crate) struct Buckets<'a> {
    pub shape: Shape,
    pub shifts: &'a [usize],
    /// The labels of the window's bits.
    pub labels: &'a [Label],
}

impl<'a> Buckets<'a> {
    /// Replaces `opened` by the labels of the bits to open for the ANDs of a block: d_i, layer by
    /// layer, and e.
    pub fn open(&self, block: Range<usize>, rows: &Rows, opened: &mut Labels) {
        restart(opened, self.shape.layers * block.len());
        for layer in 1..self.shape.layers {
            for run in self.runs(layer, block.clone()) {
                let y = &self.labels[run.of(Piece::y)];
                opened.extend(rows[run.ands].iter().zip(y).map(|(row, y)| row[1] ^ *y));
            }
        }
        let first = opened.len();
        opened.extend(rows[block.clone()].iter().map(|row| row[0]));
        for layer in 0..self.shape.layers {
            for run in self.runs(layer, block.clone()) {
                let x = &self.labels[run.of(Piece::x)];
                let e = &mut opened[first..][run.within(&block)];
                e.iter_mut().zip(x).for_each(|(e, x)| *e ^= *x);
            }
        }
    }

    /// Adds σ to the third label of each row of a block. `values` are the opened bits.
    pub fn add_products(&self, block: Range<usize>, values: &[u8], rows: &mut Rows) {
        let (d, e) = values.split_at((self.shape.layers - 1) * block.len());
        let when = |value: u8, label: Label| label.masked_publicly(value == 1);
        for (row, e) in rows[block.clone()].iter_mut().zip(e) {
            row[2] ^= when(*e, row[1]);
        }
        for layer in 0..self.shape.layers {
            for run in self.runs(layer, block.clone()) {
                let (x, z) = (&self.labels[run.of(Piece::x)], &self.labels[run.of(Piece::z)]);
                let within = run.within(&block);
                let rows = rows[run.ands].iter_mut().zip(z);
                let Some(layer) = layer.checked_sub(1) else {
                    rows.for_each(|(row, z)| row[2] ^= *z);
                    continue;
                };
                let d = &d[layer * block.len()..][within];
                for ((row, z), (x, d)) in rows.zip(x.iter().zip(d)) {
                    row[2] ^= *z ^ when(*d, *x);
                }
            }
        }
    }

    /// The ANDs `ands` of the program, in runs whose leaky ANDs of a layer follow each other in one
    /// piece.
    fn runs(&self, layer: usize, ands: Range<usize>) -> impl Iterator<Item = Run> + use<> {
        let (shape, mut next) = (self.shape, ands.start);
        let shift = layer.checked_sub(1).map_or(0, |sacrificed| self.shifts[sacrificed]);
        std::iter::from_fn(move || {
            let in_layer = (next + shift) % shape.ands.max(1);
            let leaky = layer * shape.ands + in_layer;
            let piece = (next < ands.end).then(|| shape.piece_of(leaky))?;
            let at = leaky - piece.first;
            let count = (ands.end - next).min(piece.count - at).min(shape.ands - in_layer);
            next += count;
            Some(Run { ands: next - count..next, piece, at })
        })
    }
}

/// Some ANDs of the program, and the place in a piece of the first one's leaky AND.
struct Run {
    ands: Range<usize>,
    piece: Piece,
    at: usize,
}

impl Run {
    /// The places of the leaky ANDs among the bits x, y or z of the piece.
    fn of(&self, bits: impl Fn(Piece) -> Range<usize>) -> Range<usize> {
        let first = bits(self.piece).start + self.at;
        first..first + self.ands.len()
    }

    /// The ANDs, counted from the start of a block.
    fn within(&self, block: &Range<usize>) -> Range<usize> {
        self.ands.start - block.start..self.ands.end - block.start
    }
}
