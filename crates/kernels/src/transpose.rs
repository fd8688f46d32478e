//! Turns columns of bits into rows. OT extension fills 128 columns with pseudo-random generators
//! and needs one 128-bit row for each transfer.
//!
//! `transpose512` does it on processors with GFNI. Elsewhere, a 128x128 bit matrix is transposed by
//! seven rounds of swaps. Round k exchanges the off-diagonal k x k blocks of every 2k x 2k block
//! (Warren, "Hacker's Delight", section 7-3). Here [`BLOCKS`] matrices lie side by side and one
//! operation covers all of them. So the inner loop is over consecutive words with one shift and one
//! mask, which compilers turn into vector code.

use crate::label::Label;
#[cfg(target_arch = "x86_64")]
use crate::transpose512::{LINE, Lines};
use zeroize::Zeroizing;

/// Number of 128x128 matrices transposed at once.
const BLOCKS: usize = 8;
/// Rows of one [`Square`].
const ROWS: usize = 128 * BLOCKS;

const WORDS: usize = 2 * BLOCKS;

/// 128 columns of [`ROWS`] bits. Bit j of a column is bit `j % 64` of its word `j / 64`.
type Square = [[u64; WORDS]; 128];

/// 128 columns of some blocks each, one column after the other. Bit j of a block is row j.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    blocks: &'a [u128],
    /// Blocks of a column.
    width: usize,
}

/// A multiple of an offset for each row: what is added to row j where bit j of the choices is set.
#[derive(Clone, Copy)]
pub struct Added<'a> {
    /// The offset.
    pub offset: &'a Spread,
    /// The choices, one block for each block of a column.
    pub choices: &'a [u128],
}

/// A secret offset, spread over the columns. Wiped on drop.
pub struct Spread(Box<Zeroizing<[u128; 128]>>);

/// Turns columns into rows, with memory of its own, which is wiped on drop.
pub struct Transposer {
    square: Box<Zeroizing<Square>>,
    #[cfg(target_arch = "x86_64")]
    lines: Box<Zeroizing<Lines>>,
    rows: Box<Zeroizing<[Label; ROWS]>>,
    /// The offset where none is added.
    nothing: Spread,
    /// Whether `transpose512` is used.
    is_wide: bool,
}

impl<'a> Columns<'a> {
    /// The columns in `blocks`.
    ///
    /// # Panics
    /// If `blocks` has not 128 times `width` blocks.
    pub fn new(blocks: &'a [u128], width: usize) -> Columns<'a> {
        assert_eq!(blocks.len(), 128 * width, "128 columns");
        Columns { blocks, width }
    }
}

impl Spread {
    /// Spreads an `offset`; `mask` makes all ones of a secret bit 1, and zero of 0.
    pub fn new(offset: Label, mask: impl Fn(u128) -> u128) -> Spread {
        let mut spread = Spread(Box::new(Zeroizing::new([0; 128])));
        for (i, slot) in spread.0.iter_mut().enumerate() {
            *slot = mask(offset.to_u128() >> i & 1);
        }
        spread
    }
}

impl Default for Transposer {
    fn default() -> Transposer {
        Transposer {
            square: Box::new(Zeroizing::new([[0; WORDS]; 128])),
            #[cfg(target_arch = "x86_64")]
            lines: Box::new(Zeroizing::new([[0; LINE]; 128])),
            rows: Box::new(Zeroizing::new([Label::ZERO; ROWS])),
            nothing: Spread(Box::new(Zeroizing::new([0; 128]))),
            #[cfg(target_arch = "x86_64")]
            is_wide: crate::transpose512::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            is_wide: false,
        }
    }
}

impl Transposer {
    /// Appends the first `wanted` rows of `columns`: bit i of a row is its bit of column i.
    ///
    /// # Panics
    /// If there are fewer rows, not as many choices as blocks, or `labels` would have to grow,
    /// which would leave secrets behind.
    pub fn append(
        &mut self,
        columns: Columns<'_>,
        added: Option<Added<'_>>,
        wanted: usize,
        labels: &mut Vec<Label>,
    ) {
        assert!(wanted <= 128 * columns.width, "as many rows as columns have bits");
        let (offset, choices) = match added {
            Some(Added { offset, choices }) => (offset, choices),
            None => (&self.nothing, &[][..]),
        };
        assert!(added.is_none() || choices.len() == columns.width, "a choice for each row");
        assert!(labels.capacity() - labels.len() >= wanted, "memory for all rows");
        #[cfg(target_arch = "x86_64")]
        if self.is_wide {
            let memory = (&mut **self.lines, &mut **self.rows);
            return transpose_blocks(columns, (offset, choices), memory, wanted, labels);
        }
        let mut left = wanted;
        for first in (0..columns.width).step_by(BLOCKS) {
            let blocks = BLOCKS.min(columns.width - first);
            let choices = choices.get(first..first + blocks).unwrap_or_default();
            let rows = &mut self.rows[..128 * blocks];
            transpose_squares(columns, first, (offset, choices), &mut self.square, rows);
            labels.extend_from_slice(&rows[..left.min(128 * blocks)]);
            left -= left.min(128 * blocks);
        }
    }
}

/// Appends the first `wanted` rows. There are no choices if nothing is added.
#[cfg(target_arch = "x86_64")]
fn transpose_blocks(
    columns: Columns<'_>,
    (offset, choices): (&Spread, &[u128]),
    (lines, last): (&mut Lines, &mut [Label; ROWS]),
    wanted: usize,
    labels: &mut Vec<Label>,
) {
    assert!(crate::transpose512::is_available() && wanted <= 128 * columns.width);
    assert!(labels.capacity() - labels.len() >= wanted, "memory for all rows");
    for first in (0..wanted.div_ceil(128)).step_by(LINE) {
        let blocks = LINE.min(columns.width - first);
        let choices = choices.get(first..first + blocks).unwrap_or_default();
        let left = wanted - 128 * first;
        let rows = if left < 128 * blocks {
            last.as_mut_ptr()
        } else {
            labels.spare_capacity_mut().as_mut_ptr().cast()
        };
        // SAFETY: the processor has the instructions. There are 128 columns of `width` blocks, of
        // which these are some. `last` has the rows of LINE blocks, and `labels` has space for all
        // that are left, which are then written.
        unsafe {
            let column = columns.blocks.as_ptr().add(first);
            let added = (&**offset.0, choices);
            crate::transpose512::blocks((column, columns.width, blocks), added, lines, rows);
            if left >= 128 * blocks {
                labels.set_len(labels.len() + 128 * blocks);
            }
        }
        if left < 128 * blocks {
            labels.extend_from_slice(&last[..left]);
        }
    }
}

/// Makes the rows of some blocks, from block `first` of each column on, for processors that lack
/// the instructions.
fn transpose_squares(
    columns: Columns<'_>,
    first: usize,
    (offset, choices): (&Spread, &[u128]),
    square: &mut Square,
    rows: &mut [Label],
) {
    let blocks = rows.len() / 128;
    let mut added = Zeroizing::new([0; BLOCKS]);
    added[..choices.len()].copy_from_slice(choices);
    let all = square.iter_mut().zip(columns.blocks.chunks_exact(columns.width));
    for ((to, from), mask) in all.zip(offset.0.iter()) {
        let from = from[first..].iter().zip(&added[..blocks]);
        for (words, (block, choices)) in to.chunks_exact_mut(2).zip(from) {
            let block = block ^ choices & mask;
            words.copy_from_slice(&[block as u64, (block >> 64) as u64]);
        }
    }
    transpose_square(square, rows);
}

/// Turns a square into rows: bit i of `rows[j]` is bit j of column i. Destroys the square.
fn transpose_square(square: &mut Square, rows: &mut [Label]) {
    // With wider vectors, compilers make this four times as slow.
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the instructions.
        return unsafe { transpose_avx2(square, rows) };
    }
    transpose_plainly(square, rows);
}

/// # Safety
/// The processor must have AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,avx2")]
unsafe fn transpose_avx2(square: &mut Square, rows: &mut [Label]) {
    transpose_plainly(square, rows);
}

/// [`transpose_square`] with the vectors that are enabled where it is inlined.
#[inline(always)]
fn transpose_plainly(square: &mut Square, rows: &mut [Label]) {
    // Rounds of blocks up to 32 bits stay inside 64-bit words. The round of 64 exchanges whole
    // words between the columns i and i + 64; it is done below, by reading the words from exchanged
    // places.
    swap::<32>(square, 0x0000_0000_ffff_ffff);
    swap::<16>(square, 0x0000_ffff_0000_ffff);
    swap::<8>(square, 0x00ff_00ff_00ff_00ff);
    swap::<4>(square, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<2>(square, 0x3333_3333_3333_3333);
    swap::<1>(square, 0x5555_5555_5555_5555);
    let (low, high) = square.split_at(64);
    let label = |low: u64, high: u64| Label::from_u128(u128::from(low) | u128::from(high) << 64);
    for (block, rows) in rows.chunks_exact_mut(128).enumerate() {
        let (first, second) = rows.split_at_mut(64);
        for (j, (first, second)) in first.iter_mut().zip(second).enumerate() {
            let (low, high) = (&low[j], &high[j]);
            *first = label(low[2 * block], high[2 * block]);
            *second = label(low[2 * block + 1], high[2 * block + 1]);
        }
    }
}

/// Exchanges the high `K` bits of each field of 2K bits in column i with the low ones of column i +
/// K. `mask` has the low K bits of each field.
#[inline(always)]
fn swap<const K: usize>(square: &mut Square, mask: u64) {
    for group in square.chunks_exact_mut(2 * K) {
        let (lower, upper) = group.split_at_mut(K);
        for (lower, upper) in lower.iter_mut().zip(upper) {
            for (a, b) in lower.iter_mut().zip(upper) {
                let differing = (*a >> K ^ *b) & mask;
                *b ^= differing;
                *a ^= differing << K;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without symmetry, from a fixed linear congruential sequence.
    fn numbers() -> impl Iterator<Item = u64> {
        let next =
            |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        std::iter::successors(Some(1), next).map(|state| state.rotate_left(29))
    }

    #[test]
    fn every_bit_moves_to_its_place() {
        let mut numbers = numbers();
        let mut block =
            || u128::from(numbers.next().unwrap()) << 64 | numbers.next().unwrap() as u128;
        for width in [1, 7, 8, 13] {
            let blocks: Vec<u128> = (0..128 * width).map(|_| block()).collect();
            let choices: Vec<u128> = (0..width).map(|_| block()).collect();
            let offset = block();
            let spread = Spread::new(Label::from_u128(offset), |bit| bit.wrapping_neg());
            let columns = Columns::new(&blocks, width);
            let mut ways = [Transposer::default(), Transposer::default()];
            ways[0].is_wide = false;
            for added in [None, Some(Added { offset: &spread, choices: &choices })] {
                for (way, less) in [(0, 0), (0, 3), (1, 0), (1, 3)] {
                    let wanted = 128 * width - less;
                    let mut rows = Vec::with_capacity(1 + wanted);
                    rows.push(Label::ZERO);
                    ways[way].append(columns, added, wanted, &mut rows);
                    assert_eq!(rows.len(), 1 + wanted);
                    for (j, row) in rows[1..].iter().enumerate() {
                        let bit = |block: u128| block >> (j % 128) & 1;
                        let chosen = added.map_or(0, |added| bit(added.choices[j / 128]));
                        for (i, column) in blocks.chunks_exact(width).enumerate() {
                            let expected = bit(column[j / 128]) ^ chosen & offset >> i & 1;
                            assert_eq!(row.to_u128() >> i & 1, expected, "{i}, {j}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn all_ways_to_transpose_agree() {
        let mut square = Box::new([[0; WORDS]; 128]);
        square.as_flattened_mut().iter_mut().zip(numbers()).for_each(|(word, n)| *word = n);
        for transpose in [transpose_square, transpose_plainly] {
            let (mut original, mut rows) = (square.clone(), [Label::ZERO; ROWS]);
            transpose(&mut original, &mut rows);
            for (j, row) in rows.iter().enumerate() {
                for (i, column) in square.iter().enumerate() {
                    let bit = column[j / 64] >> (j % 64) & 1;
                    assert_eq!(row.to_u128() >> i & 1, u128::from(bit), "{i}, {j}");
                }
            }
        }
    }
}
