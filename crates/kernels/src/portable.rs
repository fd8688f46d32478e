//! The kernel for any processor: eight labels at a time, AES bitsliced, so that no secret indexes a
//! table.
//!
//! Eight blocks are stored as eight planes of 128 bits. Plane b holds bit b of all bytes; its bit
//! 8p + l belongs to byte p of block l. ShiftRows and MixColumns then move whole bytes of a plane,
//! and the S-box is a circuit of Boolean instructions.

use crate::authenticated::{self, Row3, Step};
use crate::batch;
use crate::instances::{self, Instances};
use crate::kernel::Kernel;
use crate::label::Label;
use crate::lanes::{Lanes, Row};
use crate::leaky::{self, Work};
use crate::ops::{And, Ops, Wide, Xor};
use crate::schedule::expand_portable;
use crate::state::State;
use crate::wide::{self, Lines};

pub(crate) static KERNEL: Kernel = Kernel {
    name: "portable",
    summary: "any processor, AES bitsliced, eight labels at a time",
    available: || true,
    expand: expand_portable,
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

unsafe fn garble(state: &mut State, delta: Label, labels: *mut Label, ops: &Ops, tables: *mut Row) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { batch::garble::<Eight, Eight>(state, delta, labels, ops, tables) }
}

unsafe fn evaluate(state: &mut State, labels: *mut Label, ops: &Ops, tables: *const Row) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { batch::evaluate::<Eight, Eight>(state, labels, ops, tables) }
}

unsafe fn garble_wide(
    state: &mut State,
    delta: Label,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { wide::garble::<Eight, Eight>(state, delta, labels, ops, wide, tables) }
}

unsafe fn evaluate_wide(
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *const Row,
) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { wide::evaluate::<Eight, Eight>(state, labels, ops, wide, tables) }
}

unsafe fn garble_instances(
    instances: &mut Instances,
    lines: Lines<'_>,
    ops: &Ops,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { instances::garble::<Eight, Eight>(instances, lines, ops, tables) }
}

unsafe fn authenticated(
    state: &mut State,
    step: Step<'_>,
    labels: *mut Label,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { authenticated::run::<Eight, Eight>(state, step, labels, ops, rows) }
}

unsafe fn authenticated_wide(
    state: &mut State,
    step: Step<'_>,
    lines: Lines<'_>,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { authenticated::run_wide::<Eight, Eight>(state, step, lines, ops, rows) }
}

unsafe fn leaky(state: &mut State, half: usize, work: Work<'_>) {
    // SAFETY: the caller makes the same promise; no special instructions are needed.
    unsafe { leaky::run::<Eight>(state, half, work) }
}

unsafe fn encrypt(blocks: u64) -> u64 {
    let key = std::hint::black_box([0x5bd1_e995; 8]);
    let mut planes = [0; 8];
    let rounds = blocks.div_ceil(8);
    for _ in 0..rounds {
        planes = encrypt_planes(planes, |_| key);
    }
    std::hint::black_box(planes);
    rounds * 8
}

/// Eight labels.
#[derive(Clone, Copy)]
struct Eight([u128; 8]);

impl Eight {
    #[inline(always)]
    fn map(self, f: impl Fn(u128) -> u128) -> Eight {
        Eight(self.0.map(f))
    }
}

impl Lanes for Eight {
    const N: usize = 8;

    unsafe fn splat(value: u128) -> Eight {
        Eight([value; 8])
    }

    unsafe fn load(source: *const Row) -> Eight {
        // SAFETY: the caller promises eight readable rows.
        Eight(std::array::from_fn(|k| u128::from_le_bytes(unsafe { *source.add(k) })))
    }

    unsafe fn gather(labels: *const Label, slot: impl Fn(usize) -> u16) -> Eight {
        // SAFETY: the caller promises the slots.
        Eight(std::array::from_fn(|k| unsafe { (*labels.add(slot(k) as usize)).to_u128() }))
    }

    unsafe fn scatter(self, labels: *mut Label, lanes: usize, slot: impl Fn(usize) -> u16) {
        for k in 0..lanes.min(8) {
            // SAFETY: the caller promises the slots.
            unsafe { *labels.add(slot(k) as usize) = Label::from_u128(self.0[k]) };
        }
    }

    unsafe fn load_labels(labels: *const Label, lanes: usize) -> Eight {
        let at = |k: usize| if k < lanes { k } else { 0 };
        // SAFETY: the caller promises the labels.
        Eight(std::array::from_fn(|k| unsafe { (*labels.add(at(k))).to_u128() }))
    }

    unsafe fn store_labels(self, labels: *mut Label, lanes: usize) {
        for k in 0..lanes.min(8) {
            // SAFETY: the caller promises the labels.
            unsafe { *labels.add(k) = Label::from_u128(self.0[k]) };
        }
    }

    unsafe fn load_doubled(source: *const Row, half: usize) -> Eight {
        // SAFETY: the caller promises eight readable rows.
        unsafe { Eight::load(source) }.map(|row| {
            let words = row >> (32 * half);
            let (a, b) = (words & 0xffff_ffff, words >> 64 & 0xffff_ffff);
            a | a << 32 | b << 64 | b << 96
        })
    }

    unsafe fn and(self, other: Eight) -> Eight {
        Eight(std::array::from_fn(|k| self.0[k] & other.0[k]))
    }

    unsafe fn xor(self, other: Eight) -> Eight {
        Eight(std::array::from_fn(|k| self.0[k] ^ other.0[k]))
    }

    unsafe fn xor_flagged(self, ands: *const And, flag: u16, value: Eight) -> Eight {
        // SAFETY: the caller promises eight ANDs.
        let set = |k: usize| u128::from(unsafe { (*ands.add(k)).flags } & flag != 0);
        Eight(std::array::from_fn(|k| self.0[k] ^ (value.0[k] & set(k).wrapping_neg())))
    }

    unsafe fn colour_and(self, value: Eight) -> Eight {
        Eight(std::array::from_fn(|k| (self.0[k] & 1).wrapping_neg() & value.0[k]))
    }

    unsafe fn sigma(self) -> Eight {
        self.map(|x| x.rotate_left(64) ^ (x >> 64 << 64))
    }

    unsafe fn load_pairs(source: *const Row) -> (Eight, Eight) {
        // SAFETY: the caller promises sixteen readable rows.
        let at = |k: usize| u128::from_le_bytes(unsafe { *source.add(k) });
        (Eight(std::array::from_fn(|k| at(2 * k))), Eight(std::array::from_fn(|k| at(2 * k + 1))))
    }

    unsafe fn store_pairs(even: Eight, odd: Eight, target: *mut Row) {
        for k in 0..8 {
            // SAFETY: the caller promises sixteen writable rows.
            unsafe {
                *target.add(2 * k) = even.0[k].to_le_bytes();
                *target.add(2 * k + 1) = odd.0[k].to_le_bytes();
            }
        }
    }

    unsafe fn prefetch(_row: *const Row) {}

    unsafe fn hash<const M: usize>(
        x: [Eight; M],
        key: impl Fn(usize, usize) -> Eight,
    ) -> [Eight; M] {
        std::array::from_fn(|m| {
            let planes = encrypt_planes(to_planes(x[m].0), |r| to_planes(key(r, m).0));
            let y = from_planes(planes);
            Eight(std::array::from_fn(|k| y[k] ^ x[m].0[k]))
        })
    }

    unsafe fn xor_slots(labels: *mut Label, op: Xor) {
        // SAFETY: the caller promises the slots.
        unsafe {
            let label = *labels.add(op.a as usize) ^ *labels.add(op.b as usize);
            *labels.add(op.c as usize) = label;
        }
    }
}

type Planes = [u128; 8];

fn encrypt_planes(mut s: Planes, key: impl Fn(usize) -> Planes) -> Planes {
    s = xor(s, key(0));
    for r in 1..10 {
        s = xor(mix_columns(sub_bytes(s).map(shift_rows)), key(r));
    }
    xor(sub_bytes(s).map(shift_rows), key(10))
}

fn xor(a: Planes, b: Planes) -> Planes {
    std::array::from_fn(|i| a[i] ^ b[i])
}

fn to_planes(blocks: [u128; 8]) -> Planes {
    let bytes = blocks.map(u128::to_le_bytes);
    let mut planes = [[0u8; 16]; 8];
    for p in 0..16 {
        let column = transpose(u64::from_le_bytes(bytes.map(|block| block[p]))).to_le_bytes();
        (0..8).for_each(|b| planes[b][p] = column[b]);
    }
    planes.map(u128::from_le_bytes)
}

// The 8x8 transposition is its own inverse, and bytes and planes swap roles.
fn from_planes(planes: Planes) -> [u128; 8] {
    to_planes(planes)
}

/// Transposes an 8x8 matrix of bits; byte i is row i.
fn transpose(mut x: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aau64), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let t = (x ^ (x >> shift)) & mask;
        x ^= t ^ (t << shift);
    }
    x
}

/// Byte 4c + r of the state takes the byte in row r of column c + r.
fn shift_rows(plane: u128) -> u128 {
    let bytes = plane.to_le_bytes();
    u128::from_le_bytes(std::array::from_fn(|p| bytes[(p + 4 * (p % 4)) % 16]))
}

fn mix_columns(a: Planes) -> Planes {
    // Row r of each column takes row r + 1.
    const LOW: u128 = 0x00ff_ffff_00ff_ffff_00ff_ffff_00ff_ffff;
    let next_row = |x: u128| (x >> 8 & LOW) | (x << 24 & !LOW);
    let next_rows = |x: u128| next_row(next_row(x));
    let next = a.map(next_row);
    let sum = xor(a, next);
    // Doubles the sum in GF(2^8), plane by plane.
    let twice =
        [sum[7], sum[0] ^ sum[7], sum[1], sum[2] ^ sum[7], sum[3] ^ sum[7], sum[4], sum[5], sum[6]];
    std::array::from_fn(|i| twice[i] ^ next[i] ^ next_rows(sum[i]))
}

/// The S-box as a circuit, after Boyar and Peralta, "A Small Depth-16 Circuit for the AES S-Box"
/// (2012): a linear layer, an inversion in GF(2^4)^2, a linear layer.
fn sub_bytes(s: Planes) -> Planes {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = s;
    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;

    let t2 = y12 & y15;
    let t4 = (y3 & y6) ^ t2;
    let t6 = (y4 & x7) ^ t2;
    let t7 = y13 & y16;
    let t9 = (y5 & y1) ^ t7;
    let t11 = (y2 & y7) ^ t7;
    let t12 = y9 & y11;
    let t14 = (y14 & y17) ^ t12;
    let t16 = (y8 & y10) ^ t12;
    let t21 = t4 ^ t14 ^ y20;
    let t22 = t6 ^ t16 ^ y19;
    let t23 = t9 ^ t14 ^ y21;
    let t24 = t11 ^ t16 ^ y18;

    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t29 = (t25 & t27) ^ t22;
    let t30 = t23 ^ t24;
    let t33 = ((t22 ^ t26) & t30) ^ t24;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t23 ^ t33;
    let t38 = t27 ^ t36;
    let t40 = t25 ^ (t29 & t38);
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;

    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & x7;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;

    let t46 = z15 ^ z16;
    let t48 = z5 ^ z13;
    let t50 = z2 ^ z12;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t62 = z7 ^ z8 ^ t58;
    let t63 = z9 ^ z10 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = z14 ^ t57 ^ t62;
    let t66 = z1 ^ t63;
    let s0 = t59 ^ t63;
    let s6 = !(z12 ^ t48 ^ t62);
    let s7 = !(t48 ^ t60);
    let s3 = t53 ^ t66;
    let s4 = z2 ^ z5 ^ t66;
    let s5 = z10 ^ z11 ^ t65;
    let s1 = !(t64 ^ s3);
    let s2 = !(z16 ^ z17 ^ t64 ^ t65);
    [s7, s6, s5, s4, s3, s2, s1, s0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::expand_portable;

    #[test]
    fn planes_are_a_round_trip() {
        let blocks = std::array::from_fn(|i| 0x0123_4567_89ab_cdef_u128 << (7 * i) ^ i as u128);
        assert_eq!(from_planes(to_planes(blocks)), blocks);
    }

    #[test]
    fn encryption_is_that_of_fips_197() {
        let key = u128::from_le_bytes(std::array::from_fn(|i| i as u8));
        let block = u128::from_le_bytes(std::array::from_fn(|i| 17 * i as u8));
        let keys = expand_portable(key).map(|k| to_planes([k; 8]));
        let out = from_planes(encrypt_planes(to_planes([block; 8]), |r| keys[r]));
        let wanted = *b"\x69\xc4\xe0\xd8\x6a\x7b\x04\x30\xd8\xcd\xb7\x80\x70\xb4\xc5\x5a";
        assert!(out.iter().all(|x| x.to_le_bytes() == wanted));
    }
}
