//! The VAES kernel on 256-bit vectors: two labels at a time, for processors without AVX-512.

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
    name: "vaes256",
    summary: "VAES and AVX2, two labels per vector",
    available: || {
        is_x86_feature_detected!("vaes") && is_x86_feature_detected!("avx2") && aesni::available()
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

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn garble(state: &mut State, delta: Label, labels: *mut Label, ops: &Ops, tables: *mut Row) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { batch::garble::<Two, One>(state, delta, labels, ops, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn evaluate(state: &mut State, labels: *mut Label, ops: &Ops, tables: *const Row) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { batch::evaluate::<Two, One>(state, labels, ops, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn garble_wide(
    state: &mut State,
    delta: Label,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { wide::garble::<Two, One>(state, delta, labels, ops, wide, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn evaluate_wide(
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *const Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { wide::evaluate::<Two, One>(state, labels, ops, wide, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn garble_instances(
    instances: &mut Instances,
    lines: Lines<'_>,
    ops: &Ops,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { instances::garble::<Two, One>(instances, lines, ops, tables) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn authenticated(
    state: &mut State,
    step: Step<'_>,
    labels: *mut Label,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { authenticated::run::<Two, One>(state, step, labels, ops, rows) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn authenticated_wide(
    state: &mut State,
    step: Step<'_>,
    lines: Lines<'_>,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { authenticated::run_wide::<Two, One>(state, step, lines, ops, rows) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn leaky(state: &mut State, half: usize, work: Work<'_>) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { leaky::run::<Two>(state, half, work) }
}

#[target_feature(enable = "vaes,aes,sse2,avx,avx2")]
unsafe fn encrypt(blocks: u64) -> u64 {
    let key = std::hint::black_box(_mm256_set1_epi32(0x5bd1_e995));
    let mut x: [__m256i; 8] = std::array::from_fn(|i| _mm256_set1_epi32(i as i32));
    let rounds = blocks.div_ceil(16);
    for _ in 0..rounds {
        for _ in 0..9 {
            for v in &mut x {
                *v = _mm256_aesenc_epi128(*v, key);
            }
        }
        for v in &mut x {
            *v = _mm256_aesenclast_epi128(*v, key);
        }
    }
    std::hint::black_box(x);
    rounds * 16
}

/// Two labels.
#[derive(Clone, Copy)]
struct Two(__m256i);

impl Lanes for Two {
    const N: usize = 2;

    #[inline(always)]
    unsafe fn splat(value: u128) -> Two {
        // SAFETY: any u128 is 16 readable bytes.
        unsafe { Two(_mm256_broadcastsi128_si256(_mm_loadu_si128((&raw const value).cast()))) }
    }

    #[inline(always)]
    unsafe fn load(source: *const Row) -> Two {
        // SAFETY: the caller promises two readable rows.
        unsafe { Two(_mm256_loadu_si256(source.cast())) }
    }

    #[inline(always)]
    unsafe fn gather(labels: *const Label, slot: impl Fn(usize) -> u16) -> Two {
        // SAFETY: the caller promises the slots.
        unsafe {
            let at = |k: usize| _mm_load_si128(labels.add(slot(k) as usize).cast());
            Two(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(0)), at(1)))
        }
    }

    #[inline(always)]
    unsafe fn scatter(self, labels: *mut Label, lanes: usize, slot: impl Fn(usize) -> u16) {
        // SAFETY: the caller promises the slots.
        unsafe {
            let at = |k: usize| labels.add(slot(k) as usize).cast();
            _mm_store_si128(at(0), _mm256_castsi256_si128(self.0));
            if lanes > 1 {
                _mm_store_si128(at(1), _mm256_extracti128_si256::<1>(self.0));
            }
        }
    }

    #[inline(always)]
    unsafe fn load_labels(labels: *const Label, lanes: usize) -> Two {
        // SAFETY: the caller promises the labels.
        unsafe {
            if lanes == 2 {
                return Two(_mm256_loadu_si256(labels.cast()));
            }
            Two(_mm256_broadcastsi128_si256(_mm_load_si128(labels.cast())))
        }
    }

    #[inline(always)]
    unsafe fn store_labels(self, labels: *mut Label, lanes: usize) {
        // SAFETY: the caller promises the labels.
        unsafe {
            if lanes == 2 {
                return _mm256_storeu_si256(labels.cast(), self.0);
            }
            _mm_store_si128(labels.cast(), _mm256_castsi256_si128(self.0));
        }
    }

    #[inline(always)]
    unsafe fn load_doubled(source: *const Row, half: usize) -> Two {
        // SAFETY: the caller promises two readable rows.
        unsafe {
            let rows = _mm256_loadu_si256(source.cast());
            Two(match half {
                0 => _mm256_shuffle_epi32::<0xa0>(rows),
                _ => _mm256_shuffle_epi32::<0xf5>(rows),
            })
        }
    }

    #[inline(always)]
    unsafe fn and(self, other: Two) -> Two {
        // SAFETY: the caller promises the instructions, here and below.
        unsafe { Two(_mm256_and_si256(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn xor(self, other: Two) -> Two {
        // SAFETY: the caller promises the instructions, here and below.
        unsafe { Two(_mm256_xor_si256(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn xor_flagged(self, ands: *const And, flag: u16, value: Two) -> Two {
        // SAFETY: the caller promises two ANDs and the instructions.
        unsafe {
            let set = |k: usize| -i64::from((*ands.add(k)).flags & flag != 0);
            let mask = _mm256_setr_epi64x(set(0), set(0), set(1), set(1));
            Two(_mm256_xor_si256(self.0, _mm256_and_si256(mask, value.0)))
        }
    }

    #[inline(always)]
    unsafe fn colour_and(self, value: Two) -> Two {
        // SAFETY: as above.
        unsafe {
            // Moves bit 0 of each label to the top of each word, then spreads it over the word.
            let top = _mm256_slli_epi32::<31>(_mm256_shuffle_epi32::<0x00>(self.0));
            Two(_mm256_and_si256(_mm256_srai_epi32::<31>(top), value.0))
        }
    }

    #[inline(always)]
    unsafe fn sigma(self) -> Two {
        // SAFETY: as above.
        unsafe {
            let swapped = _mm256_shuffle_epi32::<0x4e>(self.0);
            let high = _mm256_setr_epi64x(0, -1, 0, -1);
            Two(_mm256_xor_si256(swapped, _mm256_and_si256(self.0, high)))
        }
    }

    #[inline(always)]
    unsafe fn load_pairs(source: *const Row) -> (Two, Two) {
        // SAFETY: the caller promises four readable rows.
        unsafe {
            let (x, y) = (Two::load(source).0, Two::load(source.add(2)).0);
            (
                Two(_mm256_permute2x128_si256::<0x20>(x, y)),
                Two(_mm256_permute2x128_si256::<0x31>(x, y)),
            )
        }
    }

    #[inline(always)]
    unsafe fn store_pairs(even: Two, odd: Two, target: *mut Row) {
        // SAFETY: the caller promises four writable rows.
        unsafe {
            let x = _mm256_permute2x128_si256::<0x20>(even.0, odd.0);
            let y = _mm256_permute2x128_si256::<0x31>(even.0, odd.0);
            _mm256_storeu_si256(target.cast(), x);
            _mm256_storeu_si256(target.add(2).cast(), y);
        }
    }

    #[inline(always)]
    unsafe fn prefetch(row: *const Row) {
        // SAFETY: a prefetch never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(row.cast()) }
    }

    #[inline(always)]
    unsafe fn hash<const M: usize>(x: [Two; M], key: impl Fn(usize, usize) -> Two) -> [Two; M] {
        // SAFETY: as above. These are loops over arrays, not `map`: the standard library's `map` is
        // compiled without the instructions, so a closure passed to it would not be inlined.
        unsafe {
            let mut s = x;
            for (m, s) in s.iter_mut().enumerate() {
                *s = s.xor(key(0, m));
            }
            for r in 1..10 {
                for (m, s) in s.iter_mut().enumerate() {
                    s.0 = _mm256_aesenc_epi128(s.0, key(r, m).0);
                }
            }
            for (m, s) in s.iter_mut().enumerate() {
                // The feed-forward is part of the last round key.
                s.0 = _mm256_aesenclast_epi128(s.0, key(10, m).xor(x[m]).0);
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
