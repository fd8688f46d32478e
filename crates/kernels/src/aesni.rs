//! The AES-NI kernel: one label per vector. The wider kernels use it for single ANDs.

use crate::authenticated::{self, Row3, Step};
use crate::batch;
use crate::instances::{self, Instances};
use crate::kernel::Kernel;
use crate::label::Label;
use crate::lanes::{Lanes, Row};
use crate::leaky::{self, Work};
use crate::ops::{And, Ops, Wide, Xor};
use crate::schedule::RoundKeys;
use crate::state::State;
use crate::wide::{self, Lines};
use std::arch::x86_64::*;

pub(crate) static KERNEL: Kernel = Kernel {
    name: "aesni",
    summary: "AES-NI, one label per vector",
    available,
    expand,
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

pub(crate) fn available() -> bool {
    is_x86_feature_detected!("aes") && is_x86_feature_detected!("avx")
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn garble(state: &mut State, delta: Label, labels: *mut Label, ops: &Ops, tables: *mut Row) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { batch::garble::<One, One>(state, delta, labels, ops, tables) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn evaluate(state: &mut State, labels: *mut Label, ops: &Ops, tables: *const Row) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { batch::evaluate::<One, One>(state, labels, ops, tables) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn garble_wide(
    state: &mut State,
    delta: Label,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { wide::garble::<One, One>(state, delta, labels, ops, wide, tables) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn evaluate_wide(
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *const Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { wide::evaluate::<One, One>(state, labels, ops, wide, tables) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn garble_instances(
    instances: &mut Instances,
    lines: Lines<'_>,
    ops: &Ops,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { instances::garble::<One, One>(instances, lines, ops, tables) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn authenticated(
    state: &mut State,
    step: Step<'_>,
    labels: *mut Label,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { authenticated::run::<One, One>(state, step, labels, ops, rows) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn authenticated_wide(
    state: &mut State,
    step: Step<'_>,
    lines: Lines<'_>,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { authenticated::run_wide::<One, One>(state, step, lines, ops, rows) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn leaky(state: &mut State, half: usize, work: Work<'_>) {
    // SAFETY: the caller makes the same promise; this function enables the instructions.
    unsafe { leaky::run::<One>(state, half, work) }
}

#[target_feature(enable = "aes,sse2,avx")]
unsafe fn encrypt(blocks: u64) -> u64 {
    let key = std::hint::black_box(_mm_set1_epi32(0x5bd1_e995));
    let mut x: [__m128i; 8] = std::array::from_fn(|i| _mm_set1_epi32(i as i32));
    let rounds = blocks.div_ceil(8);
    for _ in 0..rounds {
        for _ in 0..9 {
            for v in &mut x {
                *v = _mm_aesenc_si128(*v, key);
            }
        }
        for v in &mut x {
            *v = _mm_aesenclast_si128(*v, key);
        }
    }
    std::hint::black_box(x);
    rounds * 8
}

/// Expands a public key to its round keys: FIPS-197 with AESENCLAST as the S-box.
///
/// # Panics
/// If the processor has no AES-NI.
pub(crate) fn expand(key: u128) -> RoundKeys {
    assert!(available(), "AES-NI");
    // SAFETY: just asserted.
    unsafe { expand_aesni(key) }
}

#[target_feature(enable = "aes,sse2,avx")]
fn expand_aesni(key: u128) -> RoundKeys {
    let mut keys = [key; 11];
    let mut k = to_vector(key);
    let mut rcon = 1i32;
    for slot in &mut keys[1..] {
        // The word is in all four columns, so ShiftRows changes nothing and AESENCLAST is SubBytes.
        // The rotation is part of the shuffle.
        let rot = _mm_set1_epi32(0x0c0f_0e0du32 as i32);
        let t = _mm_aesenclast_si128(_mm_shuffle_epi8(k, rot), _mm_set1_epi32(rcon));
        k = _mm_xor_si128(k, _mm_slli_si128::<4>(k));
        k = _mm_xor_si128(k, _mm_slli_si128::<8>(k));
        k = _mm_xor_si128(k, t);
        rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
        // SAFETY: a slot is 16 writable bytes.
        unsafe { _mm_storeu_si128((slot as *mut u128).cast(), k) };
    }
    keys
}

#[inline(always)]
fn to_vector(value: u128) -> __m128i {
    // SAFETY: SSE2 is part of x86-64, and the value is 16 readable bytes.
    unsafe { _mm_loadu_si128((&raw const value).cast()) }
}

// Labels are loaded and stored by instructions that fault on unaligned addresses.
const _: () = assert!(align_of::<Label>() == align_of::<__m128i>());

/// One label.
#[derive(Clone, Copy)]
pub(crate) struct One(__m128i);

impl Lanes for One {
    const N: usize = 1;

    #[inline(always)]
    unsafe fn splat(value: u128) -> One {
        One(to_vector(value))
    }

    #[inline(always)]
    unsafe fn load(source: *const Row) -> One {
        // SAFETY: the caller promises a readable row.
        unsafe { One(_mm_loadu_si128(source.cast())) }
    }

    #[inline(always)]
    unsafe fn gather(labels: *const Label, slot: impl Fn(usize) -> u16) -> One {
        // SAFETY: the caller promises the slot.
        unsafe { One(_mm_load_si128(labels.add(slot(0) as usize).cast())) }
    }

    #[inline(always)]
    unsafe fn scatter(self, labels: *mut Label, _lanes: usize, slot: impl Fn(usize) -> u16) {
        // SAFETY: the caller promises the slot.
        unsafe { _mm_store_si128(labels.add(slot(0) as usize).cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn load_labels(labels: *const Label, _lanes: usize) -> One {
        // SAFETY: the caller promises the label.
        unsafe { One(_mm_load_si128(labels.cast())) }
    }

    #[inline(always)]
    unsafe fn store_labels(self, labels: *mut Label, _lanes: usize) {
        // SAFETY: the caller promises the label.
        unsafe { _mm_store_si128(labels.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn load_doubled(source: *const Row, half: usize) -> One {
        // SAFETY: the caller promises a readable row.
        unsafe {
            let row = _mm_loadu_si128(source.cast());
            One(match half {
                0 => _mm_shuffle_epi32::<0xa0>(row),
                _ => _mm_shuffle_epi32::<0xf5>(row),
            })
        }
    }

    #[inline(always)]
    unsafe fn and(self, other: One) -> One {
        // SAFETY: the caller promises the instructions, here and below.
        unsafe { One(_mm_and_si128(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn xor(self, other: One) -> One {
        // SAFETY: the caller promises the instructions, here and below.
        unsafe { One(_mm_xor_si128(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn xor_flagged(self, ands: *const And, flag: u16, value: One) -> One {
        // SAFETY: the caller promises an AND and the instructions.
        unsafe {
            let mask = _mm_set1_epi32(-i32::from((*ands).flags & flag != 0));
            One(_mm_xor_si128(self.0, _mm_and_si128(mask, value.0)))
        }
    }

    #[inline(always)]
    unsafe fn colour_and(self, value: One) -> One {
        // SAFETY: as above.
        unsafe {
            // Moves bit 0 of the label to the top of each word, then spreads it over the word.
            let top = _mm_slli_epi32::<31>(_mm_shuffle_epi32::<0x00>(self.0));
            One(_mm_and_si128(_mm_srai_epi32::<31>(top), value.0))
        }
    }

    #[inline(always)]
    unsafe fn sigma(self) -> One {
        // SAFETY: as above.
        unsafe {
            let swapped = _mm_shuffle_epi32::<0x4e>(self.0);
            let high = _mm_set_epi64x(-1, 0);
            One(_mm_xor_si128(swapped, _mm_and_si128(self.0, high)))
        }
    }

    #[inline(always)]
    unsafe fn load_pairs(source: *const Row) -> (One, One) {
        // SAFETY: the caller promises two readable rows.
        unsafe { (One::load(source), One::load(source.add(1))) }
    }

    #[inline(always)]
    unsafe fn store_pairs(even: One, odd: One, target: *mut Row) {
        // SAFETY: the caller promises two writable rows.
        unsafe {
            _mm_storeu_si128(target.cast(), even.0);
            _mm_storeu_si128(target.add(1).cast(), odd.0);
        }
    }

    #[inline(always)]
    unsafe fn prefetch(row: *const Row) {
        // SAFETY: a prefetch never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(row.cast()) }
    }

    #[inline(always)]
    unsafe fn hash<const M: usize>(x: [One; M], key: impl Fn(usize, usize) -> One) -> [One; M] {
        // SAFETY: as above. These are loops over arrays, not `map`: the standard library's `map` is
        // compiled without the instructions, so a closure passed to it would not be inlined.
        unsafe {
            let mut s = x;
            for (m, s) in s.iter_mut().enumerate() {
                *s = s.xor(key(0, m));
            }
            for r in 1..10 {
                for (m, s) in s.iter_mut().enumerate() {
                    s.0 = _mm_aesenc_si128(s.0, key(r, m).0);
                }
            }
            for (m, s) in s.iter_mut().enumerate() {
                // The feed-forward is part of the last round key.
                s.0 = _mm_aesenclast_si128(s.0, key(10, m).xor(x[m]).0);
            }
            s
        }
    }

    #[inline(always)]
    unsafe fn xor_slots(labels: *mut Label, op: Xor) {
        // SAFETY: the caller promises the slots.
        unsafe {
            let a = _mm_load_si128(labels.add(op.a as usize).cast());
            let b = _mm_load_si128(labels.add(op.b as usize).cast());
            _mm_store_si128(labels.add(op.c as usize).cast(), _mm_xor_si128(a, b));
        }
    }
}
