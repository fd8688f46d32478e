//! The columns of an extension: VOLE over a small field from the seeds of [`super::tree`].
//!
//! Let r_x be the stream under seed x of a group, for q values of x. The evaluator has the column
//! `u = Σ r_x` over F_2, and the k columns v_j, each the sum of r_x over all x whose bit j is set.
//! The v_j are the coordinates of `Σ x·r_x` over F_q. The garbler numbers the seeds by y = x ^ d,
//! where d is its element of Δ, and does not know the stream of y = 0. It does not need it: w_j,
//! the sum over all y whose bit j is set, is `v_j ^ d_j·u`. (Roy, section 3. No element is ever
//! multiplied, since u is in F_2 and addition is XOR.)
//!
//! Both kinds of sums are computed by folding. Streams are added in pairs, level by level. The odd
//! sum of each pair is also added to the level's column. That takes two additions per stream, for
//! any k.

use super::OtField;
use super::tree::Leaves;
use halfgate_engine::Label;
use halfgate_kernels::transfer::{Stream, add};
use halfgate_kernels::transpose::{BLOCKS, Columns, ROWS, transpose};
use std::ops::Range;
use zeroize::{Zeroize, Zeroizing};

/// Blocks of 128 rows processed at a time: the number that the ciphers process at once.
const CHUNK: usize = 64;
/// Maximum number of blocks in the last chunk: a few remaining blocks do not get their own chunk.
const LAST_CHUNK: usize = 80;

/// The chunks of a message of `blocks` blocks, each as its range of block numbers. Chunks have 64
/// blocks until no more than 80 are left, which form the last one.
pub(super) fn chunks(blocks: usize) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let left = blocks - next;
        let width = if left > LAST_CHUNK { CHUNK } else { left };
        next += width;
        (width > 0).then_some(next - width..next)
    })
}

/// The streams of all groups, group by group. Each wipes its keys.
pub(super) struct Streams {
    field: OtField,
    /// The number of a group's first stream: 1 for the garbler, which lacks the stream of y = 0.
    first: usize,
    streams: Vec<Stream>,
}

impl Streams {
    /// The streams under the given seeds; `first` is 0 for the evaluator's and 1 for the garbler's.
    pub(super) fn new(field: OtField, leaves: &Leaves, first: usize) -> Streams {
        Streams { field, first, streams: leaves.seeds.iter().map(Stream::new).collect() }
    }

    /// Computes the next blocks of `group`: fills its k columns, each as long as `sum`, and fills
    /// `sum` with the sum of all streams.
    pub(super) fn next(
        &mut self,
        group: usize,
        columns: &mut [u128],
        sum: &mut [u128],
        folds: &mut Folds,
    ) {
        let width = sum.len();
        let known = self.field.leaves() - self.first;
        let streams = &mut self.streams[group * known..][..known];
        columns.fill(0);
        for odd in (1..self.field.leaves()).step_by(2) {
            let even = &mut folds.0[0][..width];
            match (odd - 1).checked_sub(self.first) {
                Some(stream) => streams[stream].fill(even),
                None => even.fill(0),
            }
            streams[odd - self.first].fill(sum);
            // One fold for each trailing one of the odd stream's number.
            let folded = odd.trailing_ones() as usize;
            for (level, column) in columns.chunks_exact_mut(width).take(folded).enumerate() {
                add(column, sum);
                add(sum, &folds.0[level][..width]);
            }
            if folded < self.field.bits() {
                folds.0[folded][..width].copy_from_slice(sum);
            }
        }
    }
}

/// The even sum of each level, until the level's odd sum is computed. Wiped on drop.
pub(super) struct Folds(Box<Zeroizing<[[u128; LAST_CHUNK]; 8]>>);

/// A party's working memory. Wiped by [`wipe`](Scratch::wipe), and on drop.
pub(super) struct Scratch {
    /// The columns of one chunk, or of all chunks of a message.
    pub(super) columns: Zeroizing<Vec<u128>>,
    /// How many elements of `columns` were used since the last wipe.
    used: usize,
    pub(super) sum: Box<Zeroizing<[u128; LAST_CHUNK]>>,
    pub(super) folds: Folds,
    square: Box<Zeroizing<Columns>>,
    rows: Box<Zeroizing<[u128; ROWS]>>,
}

impl Scratch {
    pub(super) fn new() -> Scratch {
        Scratch {
            columns: Zeroizing::new(Vec::new()),
            used: 0,
            sum: Box::new(Zeroizing::new([0; LAST_CHUNK])),
            folds: Folds(Box::new(Zeroizing::new([[0; LAST_CHUNK]; 8]))),
            square: Box::new(Zeroizing::new([[0; 2 * BLOCKS]; 128])),
            rows: Box::new(Zeroizing::new([0; ROWS])),
        }
    }

    /// Allocates the columns of `blocks` blocks of 128 rows, or of a single chunk if `all` is not
    /// set.
    pub(super) fn make(&mut self, blocks: usize, all: bool) {
        let blocks = if all { blocks } else { blocks.min(LAST_CHUNK) };
        self.used = self.used.max(128 * blocks);
        if self.columns.len() < self.used {
            self.columns = Zeroizing::new(vec![0; self.used]);
        }
    }

    /// Transposes the 128 columns from `at` on, of `width` blocks each, and appends at most
    /// `wanted` rows to `labels`.
    pub(super) fn append_rows(
        &mut self,
        at: usize,
        width: usize,
        mut wanted: usize,
        labels: &mut Vec<Label>,
    ) {
        let columns = &self.columns[at..][..128 * width];
        for first in (0..width).step_by(BLOCKS) {
            let blocks = BLOCKS.min(width - first);
            for (to, from) in self.square.iter_mut().zip(columns.chunks_exact(width)) {
                let from = &from[first..][..blocks];
                for (words, block) in to.chunks_exact_mut(2).zip(from) {
                    words.copy_from_slice(&[*block as u64, (*block >> 64) as u64]);
                }
            }
            transpose(&mut self.square, &mut self.rows);
            let rows = &self.rows[..wanted.min(128 * blocks)];
            labels.extend(rows.iter().map(|&row| Label::from_u128(row)));
            wanted -= rows.len();
        }
    }

    /// Wipes all contents and keeps the memory.
    pub(super) fn wipe(&mut self) {
        self.columns[..self.used].zeroize();
        self.used = 0;
        self.sum.zeroize();
        self.folds.0.as_flattened_mut().zeroize();
        self.square.as_flattened_mut().zeroize();
        self.rows.zeroize();
    }
}

/// Reserves capacity for `more` elements in a list of secrets. A vector that grows by itself leaves
/// its old contents behind, unwiped.
pub(super) fn reserve<T: Copy + Zeroize>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        let capacity = (list.len() + more).max(2 * list.capacity());
        let mut larger = Vec::with_capacity(capacity);
        larger.extend_from_slice(list);
        std::mem::replace(list, larger).zeroize();
    }
}
