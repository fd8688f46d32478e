//! The VAES kernel on 512-bit vectors: four labels at a time.

use crate::aesni::{self, One};
use crate::authenticated::{self, Row3, Step};
use crate::batch;
use crate::instances::{self, Instances};
use crate::kernel::Kernel;
use crate::label::Label;
use crate::lanes::{Lanes, Row};
use crate::leaky::{self, Work};
use crate::ops::{And, Ops, Wide, Xor};
use crate::state::State;
use crate::wide::{self, Lines};
use std::arch::x86_64::*;

pub(crate) static KERNEL: Kernel = Kernel {
    name: "vaes512",
    summary: "VAES and AVX-512, four labels per vector",
    available: || {
        is_x86_feature_detected!("vaes")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && aesni::available()
    },
    expand: aesni::expand,
    garble,
    evaluate,
    garble_wide,
    evaluate_wide,
    garble_instances,
    authenticated,
    authenticated_wide,
    leaky,
    encrypt,
};

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn garble(state: &mut State, delta: Label, labels: *mut Label, ops: &Ops, tables: *mut Row) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { batch::garble::<Four, One>(state, delta, labels, ops, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn evaluate(state: &mut State, labels: *mut Label, ops: &Ops, tables: *const Row) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { batch::evaluate::<Four, One>(state, labels, ops, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn garble_wide(
    state: &mut State,
    delta: Label,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { wide::garble::<Four, One>(state, delta, labels, ops, wide, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn evaluate_wide(
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *const Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { wide::evaluate::<Four, One>(state, labels, ops, wide, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn garble_instances(
    instances: &mut Instances,
    lines: Lines<'_>,
    ops: &Ops,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { instances::garble::<Four, One>(instances, lines, ops, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn authenticated(
    state: &mut State,
    step: Step<'_>,
    labels: *mut Label,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { authenticated::run::<Four, One>(state, step, labels, ops, rows) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn authenticated_wide(
    state: &mut State,
    step: Step<'_>,
    lines: Lines<'_>,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { authenticated::run_wide::<Four, One>(state, step, lines, ops, rows) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn leaky(state: &mut State, half: usize, work: Work<'_>) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { leaky::run::<Four>(state, half, work) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2,avx512f,avx512bw,avx512vl")]
unsafe fn encrypt(blocks: u64) -> u64 {
    let key = std::hint::black_box(_mm512_set1_epi32(0x5bd1_e995));
    let mut x: [__m512i; 16] = std::array::from_fn(|i| _mm512_set1_epi32(i as i32));
    let rounds = blocks.div_ceil(64);
    for _ in 0..rounds {
        for _ in 0..9 {
            for v in &mut x {
                *v = _mm512_aesenc_epi128(*v, key);
            }
        }
        for v in &mut x {
            *v = _mm512_aesenclast_epi128(*v, key);
        }
    }
    std::hint::black_box(x);
    rounds * 64
}

/// Four labels.
#[derive(Clone, Copy)]
struct Four(__m512i);

impl Lanes for Four {
    const N: usize = 4;

    #[inline(always)]
    unsafe fn splat(value: u128) -> Four {
        // SAFETY: any u128 is 16 readable bytes.
        unsafe { Four(_mm512_broadcast_i32x4(_mm_loadu_si128((&raw const value).cast()))) }
    }

    #[inline(always)]
    unsafe fn load(source: *const Row) -> Four {
        // SAFETY: the caller promises four readable rows.
        unsafe { Four(_mm512_loadu_si512(source.cast())) }
    }

    #[inline(always)]
    unsafe fn gather(labels: *const Label, slot: impl Fn(usize) -> u16) -> Four {
        // SAFETY: the caller promises the slots.
        unsafe {
            let at = |k: usize| _mm_load_si128(labels.add(slot(k) as usize).cast());
            let x = _mm512_castsi128_si512(at(0));
            let x = _mm512_inserti32x4::<1>(x, at(1));
            let x = _mm512_inserti32x4::<2>(x, at(2));
            Four(opaque(_mm512_inserti32x4::<3>(x, at(3))))
        }
    }

    #[inline(always)]
    unsafe fn scatter(self, labels: *mut Label, lanes: usize, slot: impl Fn(usize) -> u16) {
        // SAFETY: the caller promises the slots.
        unsafe {
            let put = |k: usize, x: __m128i| {
                if k < lanes {
                    _mm_store_si128(labels.add(slot(k) as usize).cast(), x);
                }
            };
            put(0, _mm512_castsi512_si128(self.0));
            put(1, _mm512_extracti32x4_epi32::<1>(self.0));
            put(2, _mm512_extracti32x4_epi32::<2>(self.0));
            put(3, _mm512_extracti32x4_epi32::<3>(self.0));
        }
    }

    #[inline(always)]
    unsafe fn load_labels(labels: *const Label, lanes: usize) -> Four {
        // SAFETY: the caller promises the labels; masked lanes are not read.
        unsafe {
            if lanes == 4 {
                return Four(_mm512_loadu_si512(labels.cast()));
            }
            let first = _mm512_broadcast_i32x4(_mm_load_si128(labels.cast()));
            Four(_mm512_mask_loadu_epi64(first, halves(lanes), labels.cast()))
        }
    }

    #[inline(always)]
    unsafe fn store_labels(self, labels: *mut Label, lanes: usize) {
        // SAFETY: the caller promises the labels; masked lanes are not written.
        unsafe {
            if lanes == 4 {
                return _mm512_storeu_si512(labels.cast(), self.0);
            }
            _mm512_mask_storeu_epi64(labels.cast(), halves(lanes), self.0);
        }
    }

    #[inline(always)]
    unsafe fn load_doubled(source: *const Row, half: usize) -> Four {
        // SAFETY: the caller promises four readable rows.
        unsafe { Four(if half == 0 { load_even(source) } else { load_odd(source) }) }
    }

    #[inline(always)]
    unsafe fn and(self, other: Four) -> Four {
        // SAFETY: the caller promises the instructions, here and below.
        unsafe { Four(_mm512_and_si512(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn xor(self, other: Four) -> Four {
        // SAFETY: the caller promises the instructions, here and below.
        unsafe { Four(_mm512_xor_si512(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn xor_flagged(self, ands: *const And, flag: u16, value: Four) -> Four {
        // SAFETY: the caller promises four ANDs and the instructions, here and below.
        unsafe {
            // Copies each AND to both halves of its lane; its flags are the top 16 bits.
            let ands = _mm512_castsi256_si512(load_ands(ands));
            let twice = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), ands);
            let set = _mm512_test_epi64_mask(twice, _mm512_set1_epi64(i64::from(flag) << 48));
            Four(_mm512_mask_xor_epi64(self.0, set, self.0, value.0))
        }
    }

    #[inline(always)]
    unsafe fn colour_and(self, value: Four) -> Four {
        // SAFETY: as above.
        unsafe {
            let low = _mm512_shuffle_epi32::<0x44>(self.0);
            let mask = _mm512_test_epi64_mask(low, _mm512_set1_epi64(1));
            Four(_mm512_maskz_mov_epi64(mask, value.0))
        }
    }

    #[inline(always)]
    unsafe fn sigma(self) -> Four {
        // SAFETY: as above.
        unsafe {
            let swapped = _mm512_shuffle_epi32::<0x4e>(self.0);
            Four(_mm512_mask_xor_epi64(swapped, 0xaa, swapped, self.0))
        }
    }

    #[inline(always)]
    unsafe fn load_pairs(source: *const Row) -> (Four, Four) {
        // SAFETY: the caller promises eight readable rows.
        unsafe {
            let x = _mm512_loadu_si512(source.cast());
            let y = _mm512_loadu_si512(source.add(4).cast());
            let even = _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 12, 13);
            let odd = _mm512_setr_epi64(2, 3, 6, 7, 10, 11, 14, 15);
            (
                Four(_mm512_permutex2var_epi64(x, even, y)),
                Four(_mm512_permutex2var_epi64(x, odd, y)),
            )
        }
    }

    #[inline(always)]
    unsafe fn store_pairs(even: Four, odd: Four, target: *mut Row) {
        // SAFETY: the caller promises eight writable rows.
        unsafe {
            let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            let x = _mm512_permutex2var_epi64(even.0, first, odd.0);
            let y = _mm512_permutex2var_epi64(even.0, second, odd.0);
            _mm512_storeu_si512(target.cast(), x);
            _mm512_storeu_si512(target.add(4).cast(), y);
        }
    }

    #[inline(always)]
    unsafe fn prefetch(row: *const Row) {
        // SAFETY: a prefetch never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(row.cast()) }
    }

    #[inline(always)]
    unsafe fn hash<const M: usize>(x: [Four; M], key: impl Fn(usize, usize) -> Four) -> [Four; M] {
        // SAFETY: as above. These are loops over arrays, not `map`: the standard library's `map` is
        // compiled without the instructions, so a closure passed to it would not be inlined.
        unsafe {
            let mut s = x;
            for (m, s) in s.iter_mut().enumerate() {
                *s = s.xor(key(0, m));
            }
            for r in 1..10 {
                for (m, s) in s.iter_mut().enumerate() {
                    s.0 = _mm512_aesenc_epi128(s.0, key(r, m).0);
                }
            }
            for (m, s) in s.iter_mut().enumerate() {
                // The feed-forward is part of the last round key.
                s.0 = _mm512_aesenclast_epi128(s.0, key(10, m).xor(x[m]).0);
            }
            s
        }
    }

    #[inline(always)]
    unsafe fn xor_slots(labels: *mut Label, op: Xor) {
        // SAFETY: the caller makes the same promise.
        unsafe { One::xor_slots(labels, op) }
    }
}

/// The mask of the first `lanes` labels of a vector, as halves of labels.
#[inline(always)]
fn halves(lanes: usize) -> __mmask8 {
    ((1_u32 << (2 * lanes)) - 1) as __mmask8
}

/// Returns the same vector. Without this call, the compiler merges the last insertion of a gather
/// into each shuffle that follows, which turns one instruction into three.
#[target_feature(enable = "avx512f")]
#[inline]
fn opaque(mut x: __m512i) -> __m512i {
    // SAFETY: this is not an instruction, only a comment that names a register.
    unsafe {
        std::arch::asm!("/* {0} */", inout(zmm_reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

/// Loads the even words of four rows, each twice. This is inline assembly because the compiler
/// loads and shuffles instead, which takes a vector unit; this instruction only takes a load unit.
///
/// # Safety
/// `rows` must be readable for four rows.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn load_even(rows: *const Row) -> __m512i {
    let vector;
    // SAFETY: the instruction reads the four rows and touches nothing else.
    unsafe {
        std::arch::asm!(
            "vmovsldup {0}, [{1}]",
            out(zmm_reg) vector,
            in(reg) rows,
            options(pure, readonly, nostack, preserves_flags)
        );
    }
    vector
}

/// Like [`load_even`], for the odd words.
///
/// # Safety
/// As for [`load_even`].
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn load_odd(rows: *const Row) -> __m512i {
    let vector;
    // SAFETY: as above.
    unsafe {
        std::arch::asm!(
            "vmovshdup {0}, [{1}]",
            out(zmm_reg) vector,
            in(reg) rows,
            options(pure, readonly, nostack, preserves_flags)
        );
    }
    vector
}

/// Loads four ANDs, unchanged. This is inline assembly because the compiler treats a plain load
/// differently: it then extracts the slots from the vector instead of loading them from memory.
///
/// # Safety
/// `ands` must be readable for four ANDs.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn load_ands(ands: *const And) -> __m256i {
    let vector;
    // SAFETY: the instruction reads the four ANDs and touches nothing else.
    unsafe {
        std::arch::asm!(
            "vmovdqu {0}, [{1}]",
            out(ymm_reg) vector,
            in(reg) ands,
            options(pure, readonly, nostack, preserves_flags)
        );
    }
    vector
}
