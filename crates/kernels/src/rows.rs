//! `grr3-sha1`, for every kernel alike: point and permute with one row reduced, beside free XOR, under SHA-1.
//!
//! SIFO, sections 2.1.3 and 3.1.1: four hashes garble an AND, and three rows of 80 bits are sent. With pa and pb the
//! colours of A0 and B0, row (i, j) is for the labels with these colours, which stand for `pa ^ i` and `pb ^ j`:
//!
//! ```text
//!     H(i,j) = first 80 bits of SHA-1(A ‖ B ‖ T)         C0 = H(0,0) ^ (pa & pb)·Δ
//!     row (i,j) = H(i,j) ^ C0 ^ ((pa ^ i) & (pb ^ j))·Δ   table = row (0,1) ‖ row (1,0) ‖ row (1,1)
//! ```
//!
//! T is the AND's number. The hash is a library's, which uses the processor's SHA instructions where there are any.
//! Colours only ever make masks, behind a library's barriers: left to itself, the compiler makes addresses of them.

use crate::kernel::State;
use crate::label::Label;
use crate::memory::LabelMemory;
use crate::ops::{And, Ops, Segment};
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

/// Bytes of a label in a row.
const ROW: usize = 10;
/// Bytes of a table.
pub(crate) const TABLE: usize = 3 * ROW;
/// The colours of the rows that are sent.
const SENT: [[u8; 2]; 3] = [[0, 1], [1, 0], [1, 1]];

/// Garbles `ops`, whose counts add up, into as many tables.
pub(crate) fn garble(
    state: &mut State,
    delta: Label,
    labels: &mut LabelMemory,
    ops: &Ops,
    tables: &mut [u8],
) {
    let mut hash = Hash::new();
    let mut tables = tables.as_chunks_mut::<TABLE>().0.iter_mut();
    run(state, delta, labels, ops, |labels, and, number| {
        let inverted = |flag| delta.masked(and.flags & flag != 0);
        let a0 = labels.get(and.a.into()) ^ inverted(And::INVERT_A);
        let b0 = labels.get(and.b.into()) ^ inverted(And::INVERT_B);
        let (pa, pb) = (colour(a0), colour(b0));
        // The hash of a row, and Δ if the AND of its values is true.
        let mut row = |[i, j]: [u8; 2]| {
            let (a, b) = (pa ^ Choice::from(i), pb ^ Choice::from(j));
            hash.of(a0 ^ when(a, delta), b0 ^ when(b, delta), number) ^ when(a & b, delta)
        };
        let c0 = row([0, 0]);
        let table = tables.next().expect("as many tables as ANDs");
        for (bytes, colours) in table.as_chunks_mut::<ROW>().0.iter_mut().zip(SENT) {
            let label = (row(colours) ^ c0).to_bytes();
            *bytes = *label.first_chunk().expect("10 of 16 bytes");
        }
        c0
    });
}

/// Evaluates `ops`, whose counts add up, with as many tables.
pub(crate) fn evaluate(state: &mut State, labels: &mut LabelMemory, ops: &Ops, tables: &[u8]) {
    let mut hash = Hash::new();
    let mut tables = tables.as_chunks::<TABLE>().0.iter();
    run(state, Label::ZERO, labels, ops, |labels, and, number| {
        let (a, b) = (labels.get(and.a.into()), labels.get(and.b.into()));
        let (sa, sb) = (colour(a), colour(b));
        let mut c = hash.of(a, b, number);
        let table = tables.next().expect("as many tables as ANDs");
        for (bytes, [i, j]) in table.as_chunks::<ROW>().0.iter().zip(SENT) {
            let points_here = !(sa ^ Choice::from(i)) & !(sb ^ Choice::from(j));
            c ^= when(points_here, row_label(bytes));
        }
        c
    });
}

/// Runs operations in order, ANDs by `and`, which gives their outputs.
fn run(
    state: &mut State,
    offset: Label,
    labels: &mut LabelMemory,
    ops: &Ops,
    mut and: impl FnMut(&LabelMemory, And, u64) -> Label,
) {
    let (mut moves, mut xors, mut ands) = (ops.moves.iter(), ops.xors.iter(), ops.ands.iter());
    for segment in ops.segments {
        let Segment { moves: m, xors: x, ands: a } = *segment;
        for op in moves.by_ref().take(m as usize) {
            labels.set(op.to, labels.get(op.from) ^ offset.masked(op.invert));
        }
        for op in xors.by_ref().take(x as usize) {
            labels.set(op.c.into(), labels.get(op.a.into()) ^ labels.get(op.b.into()));
        }
        for &op in ands.by_ref().take(a as usize) {
            let c = and(labels, op, state.next_and);
            labels.set(op.c.into(), c);
            state.next_and += 1;
        }
    }
}

fn colour(label: Label) -> Choice {
    Choice::from((label.to_u128() & 1) as u8)
}

fn when(condition: Choice, label: Label) -> Label {
    Label::from_u128(u128::conditional_select(&0, &label.to_u128(), condition))
}

fn row_label(row: &[u8; ROW]) -> Label {
    let (low, high) = row.split_first_chunk::<8>().expect("8 of 10 bytes");
    let high = high.first_chunk::<2>().map_or(0, |bytes| u16::from_le_bytes(*bytes));
    Label::from_u128(u128::from(u64::from_le_bytes(*low)) | u128::from(high) << 64)
}

/// SHA-1 of two labels and a number: one block, padded as FIPS 180-4 has it. Wiped on drop.
struct Hash {
    block: [u8; 64],
    state: [u32; 5],
}

impl Hash {
    fn new() -> Hash {
        let mut block = [0; 64];
        block[63] = 8 * MESSAGE as u8;
        Hash { block, state: INITIAL }
    }

    /// The first 80 bits of SHA-1(A‖B‖T).
    fn of(&mut self, a: Label, b: Label, number: u64) -> Label {
        // In registers of known size: a call that copies bytes would meet labels in registers.
        let (a, b) = (a.to_u128() & MASK, b.to_u128() & MASK);
        let first = a | b << BITS;
        let second = b >> (128 - BITS) | u128::from(number) << (2 * BITS - 128) | END;
        self.block[..16].copy_from_slice(&first.to_le_bytes());
        self.block[16..32].copy_from_slice(&second.to_le_bytes());
        self.state = INITIAL;
        sha1::compress(&mut self.state, std::slice::from_ref((&self.block).into()));
        let [h0, h1, h2, ..] = self.state;
        let low = u128::from(h0.swap_bytes()) | u128::from(h1.swap_bytes()) << 32;
        Label::from_u128(low | u128::from(h2.swap_bytes() as u16) << 64)
    }
}

/// Bits of a label.
const BITS: usize = 8 * ROW;
const MASK: u128 = (1 << BITS) - 1;
/// Bytes of what is hashed.
const MESSAGE: usize = 2 * ROW + 8;
/// The bit behind it, where it stands in the second 16 bytes.
const END: u128 = 0x80 << (8 * (MESSAGE - 16));

/// SHA-1's initial state (FIPS 180-4, section 5.3.1).
const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

impl Drop for Hash {
    fn drop(&mut self) {
        self.block.zeroize();
        self.state.zeroize();
    }
}
