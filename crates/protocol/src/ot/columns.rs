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
use halfgate_kernels::transpose::{Added, Columns, Transposer};
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
                // A column begins with the first sum of its level.
                match odd == (2 << level) - 1 {
                    true => column.copy_from_slice(sum),
                    false => add(column, sum),
                }
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

/// A party's working memory, which is used again and again. Wiped on drop.
pub(super) struct Scratch {
    /// The columns of one chunk, or of all chunks of a message.
    pub(super) columns: Zeroizing<Vec<u128>>,
    pub(super) sum: Box<Zeroizing<[u128; LAST_CHUNK]>>,
    pub(super) folds: Folds,
    transposer: Transposer,
}

impl Scratch {
    pub(super) fn new() -> Scratch {
        Scratch {
            columns: Zeroizing::new(Vec::new()),
            sum: Box::new(Zeroizing::new([0; LAST_CHUNK])),
            folds: Folds(Box::new(Zeroizing::new([[0; LAST_CHUNK]; 8]))),
            transposer: Transposer::default(),
        }
    }

    /// Allocates the columns of `blocks` blocks of 128 rows, or of a single chunk if `all` is not
    /// set.
    pub(super) fn make(&mut self, blocks: usize, all: bool) {
        let blocks = if all { blocks } else { blocks.min(LAST_CHUNK) };
        if self.columns.len() < 128 * blocks {
            self.columns = Zeroizing::new(vec![0; 128 * blocks]);
        }
    }

    /// Transposes the 128 columns from `at` on, of `width` blocks each, and appends at most
    /// `wanted` rows to `labels`.
    pub(super) fn append_rows(
        &mut self,
        (at, width): (usize, usize),
        added: Option<Added<'_>>,
        wanted: usize,
        labels: &mut Vec<Label>,
    ) {
        let columns = Columns::new(&self.columns[at..][..128 * width], width);
        self.transposer.append(columns, added, wanted.min(128 * width), labels);
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
