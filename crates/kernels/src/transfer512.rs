//! The parts of [`transfer`](crate::transfer) on 512-bit vectors.

use crate::schedule::RoundKeys;
use std::arch::x86_64::*;
use zeroize::Zeroizing;

/// Fills `blocks` with the AES-128 encryptions of the counters from `first` on.
///
/// # Safety
/// The kernel must be available.
#[target_feature(enable = "vaes,avx512f")]
pub(crate) unsafe fn fill(keys: &RoundKeys, first: u64, blocks: &mut [u128]) {
    let mut next = first;
    let (many, rest) = blocks.as_chunks_mut::<64>();
    for blocks in many {
        counters::<16>(keys, next, blocks);
        next += 64;
    }
    let (some, rest) = rest.as_chunks_mut::<16>();
    for blocks in some {
        counters::<4>(keys, next, blocks);
        next += 16;
    }
    let (few, rest) = rest.as_chunks_mut::<4>();
    for blocks in few {
        counters::<1>(keys, next, blocks);
        next += 4;
    }
    if !rest.is_empty() {
        let mut last = Zeroizing::new([0; 4]);
        counters::<1>(keys, next, &mut *last);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Encrypts 4·`VECTORS` counters into as many `blocks`.
#[target_feature(enable = "vaes,avx512f")]
fn counters<const VECTORS: usize>(keys: &RoundKeys, first: u64, blocks: &mut [u128]) {
    assert_eq!(blocks.len(), 4 * VECTORS, "as many blocks as the vectors have");
    // SAFETY: any u128 is 16 readable bytes.
    let key = |round: usize| unsafe {
        _mm512_broadcast_i32x4(_mm_loadu_si128((&raw const keys[round]).cast()))
    };
    let lanes = _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0);
    let whitening = key(0);
    let mut x: [__m512i; VECTORS] = std::array::from_fn(|i| {
        let counter = first.wrapping_add(4 * i as u64) as i64;
        let counters = _mm512_add_epi64(
            _mm512_set_epi64(0, counter, 0, counter, 0, counter, 0, counter),
            lanes,
        );
        _mm512_xor_si512(counters, whitening)
    });
    for round in 1..10 {
        let key = key(round);
        for x in &mut x {
            *x = _mm512_aesenc_epi128(*x, key);
        }
    }
    let key = key(10);
    for (blocks, x) in blocks.chunks_exact_mut(4).zip(x) {
        // SAFETY: four blocks are 64 writable bytes.
        unsafe { _mm512_storeu_si512(blocks.as_mut_ptr().cast(), _mm512_aesenclast_epi128(x, key)) }
    }
}

/// [`crate::transfer::add`] for slices of equal length.
///
/// # Safety
/// The processor must have AVX-512F.
#[target_feature(enable = "avx512f")]
pub(crate) unsafe fn add(into: &mut [u128], other: &[u128]) {
    // For 128-bit integers, compilers make scalar code.
    let (wide, rest) = into.as_chunks_mut::<4>();
    let (wide_other, rest_other) = other.as_chunks::<4>();
    for (into, other) in wide.iter_mut().zip(wide_other) {
        let into: *mut __m512i = into.as_mut_ptr().cast();
        // SAFETY: four u128 are 64 bytes, readable and, in `into`, writable.
        unsafe {
            let sum = _mm512_xor_si512(
                _mm512_loadu_si512(into),
                _mm512_loadu_si512(other.as_ptr().cast()),
            );
            _mm512_storeu_si512(into, sum);
        }
    }
    for (into, other) in rest.iter_mut().zip(rest_other) {
        *into ^= other;
    }
}

/// The carry-less inner product of `a` and `b`: see [`crate::transfer::CarryLess`]. Takes three
/// multiplications per pair, after Karatsuba.
///
/// # Safety
/// The processor must have VPCLMULQDQ and AVX-512F, and `b` must not be shorter than `a`.
#[target_feature(enable = "vpclmulqdq,avx512f")]
pub(crate) unsafe fn inner_product(a: &[u128], b: &[u128]) -> [u128; 2] {
    let mut sums = [_mm512_setzero_si512(); 3];
    let mut add = |a: __m512i, b: __m512i| {
        let fold = |x| _mm512_xor_si512(x, _mm512_shuffle_epi32::<0x4e>(x));
        let products = [
            _mm512_clmulepi64_epi128::<0x00>(a, b),
            _mm512_clmulepi64_epi128::<0x11>(a, b),
            _mm512_clmulepi64_epi128::<0x00>(fold(a), fold(b)),
        ];
        for (sum, product) in sums.iter_mut().zip(products) {
            *sum = _mm512_xor_si512(*sum, product);
        }
    };
    let whole = a.len() / 4 * 4;
    for i in (0..whole).step_by(4) {
        // SAFETY: four elements from i on are inside both slices.
        unsafe {
            add(
                _mm512_loadu_si512(a.as_ptr().add(i).cast()),
                _mm512_loadu_si512(b.as_ptr().add(i).cast()),
            );
        }
    }
    if whole < a.len() {
        let lanes = (1 << (2 * (a.len() - whole))) - 1;
        // SAFETY: the masked lanes, two for each of the elements left, are inside both slices.
        unsafe {
            add(
                _mm512_maskz_loadu_epi64(lanes, a.as_ptr().add(whole).cast()),
                _mm512_maskz_loadu_epi64(lanes, b.as_ptr().add(whole).cast()),
            );
        }
    }
    let [low, high, middle] = sums.map(|sum| {
        let mut lanes = [0_u128; 4];
        // SAFETY: four u128 are 64 writable bytes.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), sum) };
        lanes.into_iter().fold(0, |a, b| a ^ b)
    });
    let middle = middle ^ low ^ high;
    [low ^ middle << 64, high ^ middle >> 64]
}
