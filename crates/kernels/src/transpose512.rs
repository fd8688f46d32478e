//! The transposition of [`transpose`](crate::transpose) with GFNI on 512-bit vectors: bytes first,
//! then the bits of 8x8 matrices.

use crate::label::Label;
use std::arch::x86_64::*;

/// Whether the processor has the instructions.
pub(crate) fn is_available() -> bool {
    is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512f")
}

/// Blocks of each column that are read together: a line of the cache.
pub(crate) const LINE: usize = 4;

/// [`LINE`] blocks of each column.
pub(crate) type Lines = [[u128; LINE]; 128];

/// Makes the rows of `count` blocks, at most [`LINE`], of each of 128 columns. `column` is the
/// first column's first block, and each next column is `stride` blocks further. If there are
/// choices, column i has `choices & masks[i]` added.
///
/// # Safety
/// The processor must have the instructions. The blocks must be readable, there must be as many
/// choices or none, and `rows` must be writable for 128 rows for each block.
#[target_feature(enable = "gfni,avx512vbmi,avx512bw,avx512f")]
pub(crate) unsafe fn blocks(
    (column, stride, count): (*const u128, usize, usize),
    (masks, choices): (&[u128; 128], &[u128]),
    lines: &mut Lines,
    rows: *mut Label,
) {
    // A block is two halves of 64 bits.
    let halves = |count: usize| ((1_u32 << (2 * count)) - 1) as __mmask8;
    let present = halves(count);
    // SAFETY: the caller promises the blocks, choices and rows; masked halves are not read.
    unsafe {
        let added = _mm512_maskz_loadu_epi64(halves(choices.len()), choices.as_ptr().cast());
        for (i, (line, mask)) in lines.iter_mut().zip(masks).enumerate() {
            let mask = _mm512_broadcast_i32x4(_mm_loadu_si128((&raw const *mask).cast()));
            let x = _mm512_maskz_loadu_epi64(present, column.add(i * stride).cast());
            let x = _mm512_xor_si512(x, _mm512_and_si512(added, mask));
            _mm512_storeu_si512(line.as_mut_ptr().cast(), x);
        }
        for block in 0..count {
            transpose(lines, block, rows.add(128 * block));
        }
    }
}

/// Makes the rows of one block of all columns.
///
/// # Safety
/// The processor must have the instructions, and `rows` be writable for 128 labels.
#[target_feature(enable = "gfni,avx512vbmi,avx512bw,avx512f")]
#[inline]
unsafe fn transpose(lines: &Lines, block: usize, rows: *mut Label) {
    let [low, high] = [bytes(&lines[..64], block), bytes(&lines[64..], block)];
    // Byte g of row r is byte r of matrix g.
    let first = row_places();
    let second = _mm512_add_epi8(first, _mm512_set1_epi8(4));
    let rows: *mut __m512i = rows.cast();
    for (b, (low, high)) in low.into_iter().zip(high).enumerate() {
        let (low, high) = (bits(low), bits(high));
        // SAFETY: four labels are 64 writable bytes.
        unsafe {
            _mm512_storeu_si512(rows.add(2 * b), _mm512_permutex2var_epi8(low, first, high));
            _mm512_storeu_si512(rows.add(2 * b + 1), _mm512_permutex2var_epi8(low, second, high));
        }
    }
}

/// Transposes the bytes of 64 columns. Vector b has byte b of each, eight columns by eight, each
/// eight in reverse.
#[target_feature(enable = "gfni,avx512vbmi,avx512bw,avx512f")]
#[inline]
fn bytes(lines: &[[u128; LINE]], block: usize) -> [__m512i; 16] {
    let mut x = [_mm512_setzero_si512(); 16];
    for (v, x) in x.iter_mut().enumerate() {
        // Reversed, as [`bits`] needs it.
        let first = (v & 8) + 7 - (v & 7);
        *x = four([0, 16, 32, 48].map(|k| &lines[first + k][block]));
    }
    // Each round moves the top bit of a byte's place, which is a vector's number followed by a
    // byte's, to the end. After four rounds the two numbers have changed places.
    for _ in 0..4 {
        let mut y = [_mm512_setzero_si512(); 16];
        for i in 0..8 {
            y[2 * i] = _mm512_unpacklo_epi8(x[i], x[i + 8]);
            y[2 * i + 1] = _mm512_unpackhi_epi8(x[i], x[i + 8]);
        }
        x = y;
    }
    x
}

/// A vector of four blocks.
#[target_feature(enable = "avx512f")]
#[inline]
fn four(blocks: [&u128; 4]) -> __m512i {
    // SAFETY: any u128 is 16 readable bytes.
    let [a, b, c, d] = blocks.map(|block| unsafe { _mm_loadu_si128((&raw const *block).cast()) });
    let x = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
    _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(x, c), d)
}

/// Transposes 8x8 matrices of bits, one in each 64 bits, with their first byte last. The
/// instruction multiplies by a matrix whose rows are in this order; here `matrices` are the
/// factors, and the vector is that of all unit vectors.
#[target_feature(enable = "gfni,avx512f")]
#[inline]
fn bits(matrices: __m512i) -> __m512i {
    let units = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    _mm512_gf2p8affine_epi64_epi8::<0>(units, matrices)
}

/// Where the bytes of the first four rows are: byte g of row r is byte r of matrix g. The top bit
/// of a place selects the second vector.
#[target_feature(enable = "avx512f")]
#[inline]
fn row_places() -> __m512i {
    let mut places = [0_u8; 64];
    for (i, place) in places.iter_mut().enumerate() {
        let (r, g) = (i / 16, i % 16);
        *place = (8 * g + r) as u8;
    }
    // SAFETY: 64 readable bytes.
    unsafe { _mm512_loadu_si512(places.as_ptr().cast()) }
}
