//! Wide operations: each move, XOR and AND runs on many lanes, whose labels are adjacent in label
//! memory. So vectors are full whatever the circuit looks like, and no labels are collected.
//!
//! The half gate is that of [`batch`](crate::batch). One AND at a time runs on all lanes: with 16
//! lanes, it fills four vectors of four labels.

use crate::batch::{Evaluator, Garbler, Group, Role};
use crate::hash::{FixedKey, Hash, Place, ReKeyed};
use crate::label::Label;
use crate::lanes::{Lanes, Row};
use crate::ops::{And, Move, Ops, Segment, Wide, Xor};
use crate::schedule::{BLOCK, MAX_LANES};
use crate::state::{Hashing, State};

/// Rows between the tables that the evaluator reads and those that it prefetches: 8 KiB.
const PREFETCH_ROWS: usize = 512;
/// Rows in a cache line.
const LINE_ROWS: usize = 4;
/// Vectors of a XOR that run without a branch between them: those of 16 lanes of 512 bits.
pub(crate) const UNROLLED: usize = 4;

/// Garbles `ops` on all lanes, in vectors of type `L`; single lanes in vectors of type `S`.
///
/// # Safety
/// The processor must have the instructions of `L` and `S`. There must be at least one lane.
/// `labels` must point at memory that holds the labels of all places. The segments' counts must add
/// up to the lengths of the lists. `tables` must be writable for two rows per AND and lane.
///
/// # Panics
/// If an operand of `ops` has no place.
#[inline(always)]
pub(crate) unsafe fn garble<L: Lanes, S: Lanes>(
    state: &mut State,
    delta: Label,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise.
    unsafe {
        let role = Garbler { delta: delta.to_u128() };
        chunk::<L, S, Garbler<u128>>(&role, state, Lines { labels, wide }, ops, tables.cast());
    }
}

/// Evaluates `ops` on all lanes, in vectors of type `L`; single lanes in vectors of type `S`.
///
/// # Safety
/// As for [`garble`], with `tables` readable.
#[inline(always)]
pub(crate) unsafe fn evaluate<L: Lanes, S: Lanes>(
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    wide: Wide<'_>,
    tables: *const Row,
) {
    // SAFETY: the caller makes the same promise; the evaluator writes no table.
    unsafe {
        let lines = Lines { labels, wide };
        chunk::<L, S, Evaluator>(&Evaluator, state, lines, ops, tables.cast_mut().cast());
    }
}

/// Label memory, with the places of operands in it.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a> {
    pub labels: *mut Label,
    pub wide: Wide<'a>,
}

impl Lines<'_> {
    /// The labels of operand `x`.
    ///
    /// # Safety
    /// All places must lie in label memory.
    ///
    /// # Panics
    /// If `x` has no place. The check costs little beside the work on all lanes.
    #[inline(always)]
    unsafe fn of(self, x: usize) -> *mut Label {
        let place = self.wide.places.get(x).expect("every operand has a place");
        // SAFETY: the caller's promise.
        unsafe { self.labels.add(*place as usize) }
    }
}

/// Runs `ops` on all lanes for a role.
///
/// # Safety
/// As for [`garble`], with one of the role's tables per AND and lane, writable if the role writes
/// tables.
#[inline(always)]
pub(crate) unsafe fn chunk<L: Lanes, S: Lanes, R: Role>(
    role: &R,
    state: &mut State,
    lines: Lines<'_>,
    ops: &Ops,
    mut tables: *mut R::Table,
) {
    let (mut moved, mut xored, mut anded) = (0, 0, 0);
    for &Segment { moves, xors, ands } in ops.segments {
        // SAFETY: the counts add up, so the ranges lie within the lists; the caller promises the
        // places.
        unsafe {
            for &op in ops.moves.get_unchecked(moved..moved + moves as usize) {
                move_lanes::<L, R>(role, lines, op);
            }
            let parts = ops.xors.get_unchecked(xored..xored + xors as usize);
            if lines.wide.lanes.is_multiple_of(UNROLLED * L::N) {
                parts.iter().for_each(|&op| xor_vectors::<L>(lines, op));
            } else {
                parts.iter().for_each(|&op| xor_lanes::<L>(lines, op));
            }
            let range = anded..anded + ands as usize;
            let positions = ops.positions.get_unchecked(range.clone());
            let ands = ops.ands.get_unchecked(range);
            run::<L, S, R>(role, state, lines, ands, positions, tables);
            tables = tables.add(ands.len() * lines.wide.lanes);
        }
        moved += moves as usize;
        xored += xors as usize;
        anded += ands as usize;
    }
}

/// Runs a move on all lanes.
///
/// # Safety
/// The processor must have the instructions of `L`, and `lines` as for [`garble`].
#[inline(always)]
pub(crate) unsafe fn move_lanes<L: Lanes, R: Role>(role: &R, lines: Lines<'_>, op: Move) {
    // SAFETY: the caller promises the places, each of which has all lanes.
    unsafe {
        let (from, to) = (lines.of(op.from as usize), lines.of(op.to as usize));
        let inverts = L::splat(ALL_IF[usize::from(op.invert)]);
        let (lanes, mut done) = (lines.wide.lanes, 0);
        while done < lanes {
            let count = L::N.min(lanes - done);
            let offset = role.offset::<L>(done).and(inverts);
            L::load_labels(from.add(done), count).xor(offset).store_labels(to.add(done), count);
            done += count;
        }
    }
}

/// Runs a XOR on all lanes, whose number is a multiple of [`UNROLLED`] vectors.
///
/// # Safety
/// As for [`xor_lanes`].
#[inline(always)]
pub(crate) unsafe fn xor_vectors<L: Lanes>(lines: Lines<'_>, op: Xor) {
    // SAFETY: the caller promises the places, each of which has all lanes.
    unsafe {
        let (a, b) = (lines.of(op.a as usize), lines.of(op.b as usize));
        let c = lines.of(op.c as usize);
        let mut done = 0;
        while done < lines.wide.lanes {
            for _ in 0..UNROLLED {
                let (a, b) = (a.add(done), b.add(done));
                let label = L::load_labels(a, L::N).xor(L::load_labels(b, L::N));
                label.store_labels(c.add(done), L::N);
                done += L::N;
            }
        }
    }
}

/// Runs a XOR on all lanes.
///
/// # Safety
/// The processor must have the instructions of `L`, and `lines` as for [`garble`].
#[inline(always)]
pub(crate) unsafe fn xor_lanes<L: Lanes>(lines: Lines<'_>, op: Xor) {
    // SAFETY: the caller promises the places, each of which has all lanes.
    unsafe {
        let (a, b) = (lines.of(op.a as usize), lines.of(op.b as usize));
        let c = lines.of(op.c as usize);
        let (lanes, mut done) = (lines.wide.lanes, 0);
        while lanes - done >= L::N {
            let label = L::load_labels(a.add(done), L::N).xor(L::load_labels(b.add(done), L::N));
            label.store_labels(c.add(done), L::N);
            done += L::N;
        }
        if done < lanes {
            let left = lanes - done;
            let label = L::load_labels(a.add(done), left).xor(L::load_labels(b.add(done), left));
            label.store_labels(c.add(done), left);
        }
    }
}

/// Runs any number of independent ANDs on all lanes under the state's hash, and counts them.
///
/// # Safety
/// As for [`garble`], with as many positions as `ands`.
#[inline(always)]
unsafe fn run<L: Lanes, S: Lanes, R: Role>(
    role: &R,
    state: &mut State,
    lines: Lines<'_>,
    ands: &[And],
    positions: &[u32],
    tables: *mut R::Table,
) {
    let State { hashing, next_and, cycle, first_position, .. } = state;
    let lanes = lines.wide.lanes;
    // SAFETY: the caller's promise, for parts of the same lists.
    unsafe {
        match hashing {
            Hashing::ReKeyed(schedule) => {
                for (j, &and) in ands.iter().enumerate() {
                    let gate = Adjacent::new(lines, and, 0, tables.add(j * lanes));
                    let mut done = 0;
                    while done < lanes {
                        let in_block = (*next_and % BLOCK as u64) as usize;
                        let count = (lanes - done).min(BLOCK - in_block);
                        let hash = ReKeyed(schedule.keys(*next_and));
                        let part = Adjacent { first_key: in_block, ..gate.part(done, count) };
                        groups::<L, S, R, _>(role, &hash, part);
                        done += count;
                        *next_and += count as u64;
                    }
                }
            }
            Hashing::FixedKey { keys, sigma } => {
                // A guard on the arm would change the layout of the code, and cost 2 percent.
                assert!(R::FIXED_KEY, "the suite was checked");
                let first_position = *first_position;
                let hash = FixedKey { keys: &*keys, cycle: *cycle, first_position, sigma: *sigma };
                for (j, (&and, &position)) in ands.iter().zip(positions).enumerate() {
                    let position = u64::from(position) * lanes as u64;
                    let gate = Adjacent::new(lines, and, position, tables.add(j * lanes));
                    groups::<L, S, R, _>(role, &hash, gate);
                }
                *next_and += (ands.len() * lanes) as u64;
            }
            Hashing::Rows | Hashing::KeyedRows(_) => unreachable!("kernels run no suites of rows"),
        }
    }
}

/// If the role reads tables: starts to load those that `lanes` lanes use soon.
///
/// # Safety
/// The processor must have the instructions of `L`.
#[inline(always)]
unsafe fn prefetch<L: Lanes, R: Role>(tables: *mut R::Table, lanes: usize) {
    let rows = lanes * (size_of::<R::Table>() / size_of::<Row>());
    let mut row = 0;
    while R::READS_TABLES && row < rows {
        // SAFETY: the caller's promise; any address may be prefetched.
        unsafe { L::prefetch(tables.cast::<Row>().wrapping_add(PREFETCH_ROWS + row)) };
        row += LINE_ROWS;
    }
}

/// Runs all lanes of an AND under one hash: whole vectors first, then the remaining lanes.
///
/// # Safety
/// The processor must have the instructions of `L` and `S`. The labels and tables of all lanes of
/// `gate` must be readable, or writable.
#[inline(always)]
pub(crate) unsafe fn groups<L: Lanes, S: Lanes, R: Role, H: Hash>(
    role: &R,
    hash: &H,
    gate: Adjacent<R::Table>,
) {
    let mut done = 0;
    // SAFETY: `done` plus the lanes of a vector never exceeds the number of lanes. A partial vector
    // reads and writes its own lanes only, but for the copies of tables made for it.
    unsafe {
        while gate.lanes - done >= 2 * L::N {
            prefetch::<L, R>(gate.tables.add(done), 2 * L::N);
            role.pair::<L, H, _>(hash, [gate.part(done, L::N), gate.part(done + L::N, L::N)]);
            done += 2 * L::N;
        }
        if gate.lanes - done >= L::N {
            prefetch::<L, R>(gate.tables.add(done), L::N);
            role.group::<L, H, _>(hash, gate.part(done, L::N));
            done += L::N;
        }
        let left = gate.lanes - done;
        if left == 1 && S::N == 1 {
            role.group::<S, H, _>(hash, gate.part(done, 1));
        } else if left > 0 {
            let part = gate.part(done, left);
            let mut spare = [R::SPARE; MAX_LANES];
            if R::READS_TABLES {
                std::ptr::copy_nonoverlapping(part.tables, spare.as_mut_ptr(), left);
            }
            role.group::<L, H, _>(hash, Adjacent { tables: spare.as_mut_ptr(), ..part });
            if R::WRITES_TABLES {
                std::ptr::copy_nonoverlapping(spare.as_ptr(), part.tables, left);
            }
        }
    }
}

/// Some lanes of one AND; each lane counts as an AND of the group. The labels, `lanes` for each
/// operand, are adjacent. So are the tables: N for a vector of N lanes.
#[derive(Clone, Copy)]
pub(crate) struct Adjacent<T> {
    a: *const Label,
    b: *const Label,
    c: *mut Label,
    flags: u16,
    /// Position of the first lane, and how far that of the next lane is from it: 1, or 0 if lanes
    /// are instances.
    position: u64,
    position_step: u64,
    tables: *mut T,
    first_key: usize,
    lanes: usize,
}

impl<T> Adjacent<T> {
    /// All lanes of `and`, with the hash's first keys.
    ///
    /// # Safety
    /// `lines` must be as for [`garble`].
    #[inline(always)]
    pub unsafe fn new(lines: Lines<'_>, and: And, position: u64, tables: *mut T) -> Adjacent<T> {
        // SAFETY: the caller's promise.
        unsafe {
            let (a, b) = (lines.of(and.a as usize), lines.of(and.b as usize));
            let c = lines.of(and.c as usize);
            let (flags, lanes, position_step) = (and.flags, lines.wide.lanes, 1);
            Adjacent { a, b, c, flags, position, position_step, tables, first_key: 0, lanes }
        }
    }

    /// The same with one position for all lanes, which are instances.
    #[inline(always)]
    pub fn at_one_position(self) -> Adjacent<T> {
        Adjacent { position_step: 0, ..self }
    }

    /// The lanes `first..first + lanes` of the group.
    ///
    /// # Safety
    /// The group must have these lanes.
    #[inline(always)]
    unsafe fn part(self, first: usize, lanes: usize) -> Adjacent<T> {
        // SAFETY: the caller's promise.
        unsafe {
            Adjacent {
                a: self.a.add(first),
                b: self.b.add(first),
                c: self.c.add(first),
                flags: self.flags,
                position: self.position + first as u64 * self.position_step,
                position_step: self.position_step,
                tables: self.tables.add(first),
                first_key: self.first_key + first,
                lanes,
            }
        }
    }
}

/// The mask of all bits, if indexed by 1.
static ALL_IF: [u128; 2] = [0, u128::MAX];

impl<T: Copy> Place for Adjacent<T> {
    #[inline(always)]
    unsafe fn position(self, k: usize) -> u64 {
        self.position + k as u64 * self.position_step
    }

    #[inline(always)]
    fn first_key(self) -> usize {
        self.first_key
    }
}

impl<T: Copy> Group for Adjacent<T> {
    type Table = T;

    #[inline(always)]
    unsafe fn load_a<L: Lanes>(self) -> L {
        // SAFETY: the group's promise, here and below.
        unsafe { L::load_labels(self.a, self.lanes) }
    }

    #[inline(always)]
    unsafe fn load_b<L: Lanes>(self) -> L {
        // SAFETY: as above.
        unsafe { L::load_labels(self.b, self.lanes) }
    }

    #[inline(always)]
    unsafe fn invert<L: Lanes>(self, x: L, flag: u16, delta: L) -> L {
        // SAFETY: as above.
        unsafe { x.xor(delta.and(L::splat(ALL_IF[usize::from(self.flags & flag != 0)]))) }
    }

    #[inline(always)]
    unsafe fn store_c<L: Lanes>(self, c: L) {
        // SAFETY: as above.
        unsafe { c.store_labels(self.c, self.lanes) }
    }

    #[inline(always)]
    fn tables(self) -> *mut T {
        self.tables
    }
}
