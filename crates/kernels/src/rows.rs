//! The suites `grr3-sha1` and `grr3`, shared by all kernels: point and permute with one row
//! reduced, and free XOR.
//!
//! From Fang, Ioannidis and Leeser, sections 2.1.3 and 3.1.1, and Kulp: four hashes garble an AND,
//! and three rows are sent. Let pa and pb be the colours of A0 and B0. Row (i, j) is for the labels
//! A and B with colours i and j, which stand for `pa ^ i` and `pb ^ j`:
//!
//! ```text
//!     H(i,j) = H(A, B, T)                                C0 = H(0,0) ^ (pa & pb)·Δ
//!     row (i,j) = H(i,j) ^ C0 ^ ((pa ^ i) & (pb ^ j))·Δ
//!     table = row (0,1) ‖ row (1,0) ‖ row (1,1)
//!     grr3-sha1: H = first 80 bits of SHA-1(A ‖ B ‖ T), T the AND's number
//!     grr3:      H = π(x) ^ x, x = 2A ^ 4B ^ T, T from the AND's position;
//!                π is AES under the run's public key
//! ```
//!
//! The hashes are from libraries, which use the processor's instructions where it has them. Colours
//! are only used as masks, behind a library's barriers. Without these barriers, the compiler turns
//! colours into addresses.

use crate::label::Label;
use crate::memory::LabelMemory;
use crate::ops::{And, Ops, Segment, Wide};
use crate::state::{Cipher, Hashing, State};
use aes::cipher::{Block, BlockEncrypt, KeyInit};
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

/// The cipher π under the key K.
pub(crate) fn cipher(point: u128) -> Cipher {
    Cipher::new(&point.to_le_bytes().into())
}

/// Bytes of a label in a row of `grr3-sha1`.
const ROW: usize = 10;
/// The colours of the rows that are sent.
const SENT: [[u8; 2]; 3] = [[0, 1], [1, 0], [1, 1]];

/// A hash of two labels, and the layout of labels in rows.
trait PairHash {
    /// Bytes of a row.
    const BYTES: usize;
    /// The hash for the AND with this tweak.
    fn of(&mut self, a: Label, b: Label, tweak: Tweak) -> Label;
    fn put(label: Label, row: &mut [u8]);
    fn take(row: &[u8]) -> Label;
}

/// Identifies an AND.
#[derive(Clone, Copy)]
struct Tweak {
    number: u64,
    cycle: u64,
    position: u64,
}

impl Tweak {
    /// The next AND, if its position is 0.
    fn next(state: &State) -> Tweak {
        Tweak { number: state.next_and, cycle: state.cycle, position: state.first_position }
    }
}

/// Where the labels of operands lie.
#[derive(Clone, Copy)]
pub(crate) enum Layout<'a> {
    /// One lane: slots and addresses count from this address.
    Frame(usize),
    Wide(Wide<'a>),
}

impl Layout<'_> {
    fn lanes(self) -> usize {
        match self {
            Layout::Frame(_) => 1,
            Layout::Wide(wide) => wide.lanes,
        }
    }

    /// The address of operand `x` in lane 0.
    fn address(self, x: u32) -> usize {
        match self {
            Layout::Frame(base) => base + x as usize,
            Layout::Wide(wide) => wide.places[x as usize] as usize,
        }
    }
}

/// Garbles `ops` into one table per AND and lane. The segments' counts must add up to the lengths
/// of the lists.
pub(crate) fn garble(
    state: &mut State,
    delta: Label,
    labels: &mut LabelMemory,
    ops: &Ops,
    layout: Layout<'_>,
    tables: &mut [u8],
) {
    let first = Tweak::next(state);
    match &state.hashing {
        Hashing::KeyedRows(cipher) => {
            let mut hash = Keyed { cipher, block: Block::<Cipher>::default() };
            garble_with(&mut hash, first, delta, labels, ops, layout, tables);
        }
        _ => garble_with(&mut Hash::new(), first, delta, labels, ops, layout, tables),
    }
    state.next_and += (ops.ands.len() * layout.lanes()) as u64;
}

/// Evaluates `ops` with one table per AND and lane. The segments' counts must add up to the lengths
/// of the lists.
pub(crate) fn evaluate(
    state: &mut State,
    labels: &mut LabelMemory,
    ops: &Ops,
    layout: Layout<'_>,
    tables: &[u8],
) {
    let first = Tweak::next(state);
    match &state.hashing {
        Hashing::KeyedRows(cipher) => {
            let mut hash = Keyed { cipher, block: Block::<Cipher>::default() };
            evaluate_with(&mut hash, first, labels, ops, layout, tables);
        }
        _ => evaluate_with(&mut Hash::new(), first, labels, ops, layout, tables),
    }
    state.next_and += (ops.ands.len() * layout.lanes()) as u64;
}

fn garble_with<H: PairHash>(
    hash: &mut H,
    first: Tweak,
    delta: Label,
    labels: &mut LabelMemory,
    ops: &Ops,
    layout: Layout<'_>,
    tables: &mut [u8],
) {
    let mut tables = tables.chunks_exact_mut(3 * H::BYTES);
    run(first, delta, labels, ops, layout, |[a, b], flags, tweak| {
        let inverted = |flag| delta.masked_publicly(flags & flag != 0);
        let (a0, b0) = (a ^ inverted(And::INVERT_A), b ^ inverted(And::INVERT_B));
        let (pa, pb) = (colour(a0), colour(b0));
        // The hash of a row, with Δ added if the AND of its values is true.
        let mut row = |[i, j]: [u8; 2]| {
            let (a, b) = (pa ^ Choice::from(i), pb ^ Choice::from(j));
            hash.of(a0 ^ when(a, delta), b0 ^ when(b, delta), tweak) ^ when(a & b, delta)
        };
        let c0 = row([0, 0]);
        let table = tables.next().expect("as many tables as ANDs");
        for (bytes, colours) in table.chunks_exact_mut(H::BYTES).zip(SENT) {
            H::put(row(colours) ^ c0, bytes);
        }
        c0
    });
}

fn evaluate_with<H: PairHash>(
    hash: &mut H,
    first: Tweak,
    labels: &mut LabelMemory,
    ops: &Ops,
    layout: Layout<'_>,
    tables: &[u8],
) {
    let mut tables = tables.chunks_exact(3 * H::BYTES);
    run(first, Label::ZERO, labels, ops, layout, |[a, b], _, tweak| {
        let (sa, sb) = (colour(a), colour(b));
        let mut c = hash.of(a, b, tweak);
        let table = tables.next().expect("as many tables as ANDs");
        for (bytes, [i, j]) in table.chunks_exact(H::BYTES).zip(SENT) {
            let points_here = !(sa ^ Choice::from(i)) & !(sb ^ Choice::from(j));
            c ^= when(points_here, H::take(bytes));
        }
        c
    });
}

/// Runs operations in order, each on all lanes. `first` is the tweak of the first AND if its
/// position is 0. `and` computes the output of each AND from its inputs, flags and tweak.
fn run(
    first: Tweak,
    offset: Label,
    labels: &mut LabelMemory,
    ops: &Ops,
    layout: Layout<'_>,
    mut and: impl FnMut([Label; 2], u16, Tweak) -> Label,
) {
    let labels = labels.as_mut_slice();
    let lanes = layout.lanes();
    let places = |a: u16, b: u16, c: u16| [a, b, c].map(|x| layout.address(x.into()));
    let (mut moves, mut xors) = (ops.moves.iter(), ops.xors.iter());
    let mut ands = ops.ands.iter().zip(ops.positions);
    let mut number = first.number;
    for segment in ops.segments {
        let Segment { moves: m, xors: x, ands: a } = *segment;
        for op in moves.by_ref().take(m as usize) {
            let (from, to) = (layout.address(op.from), layout.address(op.to));
            for lane in 0..lanes {
                labels[to + lane] = labels[from + lane] ^ offset.masked_publicly(op.invert);
            }
        }
        for op in xors.by_ref().take(x as usize) {
            let [a, b, c] = places(op.a, op.b, op.c);
            for lane in 0..lanes {
                labels[c + lane] = labels[a + lane] ^ labels[b + lane];
            }
        }
        for (op, &position) in ands.by_ref().take(a as usize) {
            let [a, b, c] = places(op.a, op.b, op.c);
            let position = first.position + u64::from(position) * lanes as u64;
            for lane in 0..lanes {
                let tweak = Tweak { number, position: position + lane as u64, ..first };
                labels[c + lane] = and([labels[a + lane], labels[b + lane]], op.flags, tweak);
                number += 1;
            }
        }
    }
}

fn colour(label: Label) -> Choice {
    Choice::from((label.to_u128() & 1) as u8)
}

fn when(condition: Choice, label: Label) -> Label {
    Label::from_u128(u128::conditional_select(&0, &label.to_u128(), condition))
}

/// `grr3`'s hash. Its block is wiped on drop.
struct Keyed<'c> {
    cipher: &'c Cipher,
    block: Block<Cipher>,
}

impl PairHash for Keyed<'_> {
    const BYTES: usize = 16;

    fn of(&mut self, a: Label, b: Label, tweak: Tweak) -> Label {
        let tweak = u128::from(tweak.cycle) << 64 | u128::from(tweak.position) << 1;
        let x = double(a.to_u128() ^ double(b.to_u128())) ^ tweak;
        *AsMut::<[u8; 16]>::as_mut(&mut self.block) = x.to_le_bytes();
        self.cipher.encrypt_block(&mut self.block);
        Label::from_u128(u128::from_le_bytes(self.block.into()) ^ x)
    }

    fn put(label: Label, row: &mut [u8]) {
        *row.first_chunk_mut().expect("16 bytes") = label.to_bytes();
    }

    fn take(row: &[u8]) -> Label {
        Label::from_u128(u128::from_le_bytes(*row.first_chunk().expect("16 bytes")))
    }
}

impl Drop for Keyed<'_> {
    fn drop(&mut self) {
        self.block.as_mut_slice().zeroize();
    }
}

/// 2x in GF(2^128) modulo z^128 + z^7 + z^2 + z + 1; no branch.
fn double(x: u128) -> u128 {
    x << 1 ^ ((x as i128 >> 127) as u128 & 0x87)
}

/// SHA-1 of two labels and a number, as one block padded per FIPS 180-4. Wiped on drop.
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
}

impl PairHash for Hash {
    const BYTES: usize = ROW;

    /// The first 80 bits of SHA-1(A‖B‖T).
    fn of(&mut self, a: Label, b: Label, tweak: Tweak) -> Label {
        let number = tweak.number;
        // Labels are combined as integers, not copied as bytes: a call of a copying function would
        // find labels in registers and could save them to the stack.
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

    fn put(label: Label, row: &mut [u8]) {
        let bytes: &mut [u8; ROW] = row.first_chunk_mut().expect("10 bytes");
        *bytes = *label.to_bytes().first_chunk().expect("10 of 16 bytes");
    }

    fn take(row: &[u8]) -> Label {
        let row: &[u8; ROW] = row.first_chunk().expect("10 bytes");
        let (low, high) = row.split_first_chunk::<8>().expect("8 of 10 bytes");
        let high = high.first_chunk::<2>().map_or(0, |bytes| u16::from_le_bytes(*bytes));
        Label::from_u128(u128::from(u64::from_le_bytes(*low)) | u128::from(high) << 64)
    }
}

/// Bits of a label.
const BITS: usize = 8 * ROW;
const MASK: u128 = (1 << BITS) - 1;
/// Bytes of the hashed message.
const MESSAGE: usize = 2 * ROW + 8;
/// The padding bit that follows the message, at its place in the second 16 bytes.
const END: u128 = 0x80 << (8 * (MESSAGE - 16));

/// SHA-1's initial state (FIPS 180-4, section 5.3.1).
const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

impl Drop for Hash {
    fn drop(&mut self) {
        self.block.zeroize();
        self.state.zeroize();
    }
}
