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
use super::opening::add_public;
use super::{Labels, Shares, leaky, restart};
use halfgate_engine::Label;
use std::ops::Range;

/// The numbers of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// N: ANDs of the program.
    pub ands: usize,
    /// B: layers of leaky ANDs.
    pub layers: usize,
}

/// The rows of a walk: for each AND the labels of λ_α, λ_β and λ_γ.
pub(crate) type Rows = [[Label; 3]];

impl Shape {
    /// Bits that are drawn before the program's masks are known: for each AND of the program its
    /// mask λ_γ, and for each leaky AND x and z.
    pub fn bits_before(self) -> usize {
        self.ands + 2 * self.leaky()
    }

    /// Bits that are drawn then: y of each sacrificed AND.
    pub fn bits_after(self) -> usize {
        (self.layers - 1) * self.ands
    }

    /// Bits in all, with the y of layer 0.
    pub fn bits(self) -> usize {
        self.bits_before() + self.ands + self.bits_after()
    }

    /// The number of leaky ANDs.
    pub fn leaky(self) -> usize {
        self.layers * self.ands
    }

    /// The masks λ_γ come first; then x, y and z of all layers.
    pub fn places(self) -> leaky::Places {
        let count = self.leaky();
        leaky::Places { x: self.ands, z: self.ands + count, y: self.ands + 2 * count, count }
    }

    /// The number of bits that combining opens to each party.
    pub fn opened(self) -> usize {
        self.leaky()
    }
}

/// Appends the y of layer 0, which is the mask of each AND's second input.
pub(crate) fn append_inputs(shares: &mut Shares, [keys, macs]: [&Rows; 2]) {
    shares.key.extend(keys.iter().map(|row| row[1]));
    shares.mac.extend(macs.iter().map(|row| row[1]));
}

/// Adds the public packed bits `d` to each z.
pub(crate) fn correct(shape: Shape, shares: &mut Shares, delta: Label, d: &[u8]) {
    let places = shape.places();
    add_public(&mut shares.key[places.z..][..places.count], delta, d);
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
    /// Replaces `opened` by the labels of the bits to open: d_i layer by layer, then e.
    pub fn open(&self, rows: &Rows, opened: &mut Labels) {
        let Shape { ands, layers } = self.shape;
        let leaky::Places { x, y, .. } = self.shape.places();
        restart(opened, self.shape.opened());
        for layer in 1..layers {
            for Segment { ands, from } in self.segments(layer, 0..ands) {
                let (first, others) =
                    (&self.labels[y..][ands.clone()], self.of(y, layer, from, ands));
                opened.extend(first.iter().zip(others).map(|(first, other)| *first ^ *other));
            }
        }
        opened.extend(rows.iter().zip(&self.labels[x..]).map(|(row, x)| row[0] ^ *x));
        let (_, e) = opened.split_at_mut((layers - 1) * ands);
        for block in blocks(ands) {
            for layer in 1..layers {
                for Segment { ands, from } in self.segments(layer, block.clone()) {
                    let others = self.of(x, layer, from, ands.clone());
                    e[ands].iter_mut().zip(others).for_each(|(e, x)| *e ^= *x);
                }
            }
        }
    }

    /// Adds σ to the third label of each row. `values` are the opened bits.
    pub fn add_products(&self, values: &[u8], rows: &mut Rows) {
        let Shape { ands, layers } = self.shape;
        let leaky::Places { x, z, .. } = self.shape.places();
        let (d, e) = values.split_at((layers - 1) * ands);
        let when = |value: u8, label: Label| label.masked_publicly(value == 1);
        for block in blocks(ands) {
            let first = self.labels[z..][block.clone()].iter().zip(&e[block.clone()]);
            for (row, (z, e)) in rows[block.clone()].iter_mut().zip(first) {
                row[2] ^= *z ^ when(*e, row[1]);
            }
            for layer in 1..layers {
                for Segment { ands: some, from } in self.segments(layer, block.clone()) {
                    let x = self.of(x, layer, from, some.clone());
                    let z = self.of(z, layer, from, some.clone());
                    let d = &d[(layer - 1) * ands..][some.clone()];
                    for ((row, (x, z)), d) in rows[some].iter_mut().zip(x.iter().zip(z)).zip(d) {
                        row[2] ^= *z ^ when(*d, *x);
                    }
                }
            }
        }
    }

    /// The ANDs `ands` of the program, in two segments whose ANDs of a sacrificed layer follow each
    /// other. Each may be empty.
    fn segments(&self, layer: usize, ands: Range<usize>) -> [Segment; 2] {
        let shift = self.shifts[layer - 1];
        let cut = (self.shape.ands - shift).clamp(ands.start, ands.end);
        let from = |start: usize| (start + shift) % self.shape.ands.max(1);
        [
            Segment { from: from(ands.start), ands: ands.start..cut },
            Segment { from: from(cut), ands: cut..ands.end },
        ]
    }

    /// The labels of a segment of a sacrificed layer; `first` is the place of layer 0.
    fn of(&self, first: usize, layer: usize, from: usize, ands: Range<usize>) -> &'a [Label] {
        &self.labels[first + layer * self.shape.ands + from..][..ands.len()]
    }
}

/// Some ANDs of the program, and the number of the first one's AND in a sacrificed layer.
struct Segment {
    ands: Range<usize>,
    from: usize,
}

/// The ANDs in blocks whose rows stay in the first-level cache.
fn blocks(ands: usize) -> impl Iterator<Item = Range<usize>> {
    const BLOCK: usize = 512;
    (0..ands).step_by(BLOCK).map(move |start| start..ands.min(start + BLOCK))
}
