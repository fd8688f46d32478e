//! The half gate, written once for every instruction set: each kernel file instantiates these
//! functions for its vector of labels.
//!
//! The functions here collect a vector's labels from any slots; those of [`wide`](crate::wide) run
//! each operation on adjacent labels. Both use the same [`Role`]s and [`Hash`]es.
//!
//! `Garbler::group` garbles a vector of ANDs: it hashes the labels, and `finish` computes tables
//! and output labels. `Evaluator::group` evaluates a vector of ANDs.
//!
//! The formulas are those of half gates (Zahur, Rosulek, Evans, "Two Halves Make a Whole",
//! EUROCRYPT 2015) as the EMP toolkit arranges them, with the paper's letters:
//!
//! ```text
//!     TG = H(A0,k0) ^ H(A0^Δ,k0) ^ pb·Δ      WG = H(A0,k0) ^ pa·TG
//!     TE = H(B0,k1) ^ H(B0^Δ,k1) ^ A0        WE = H(B0,k1) ^ pb·(TE ^ A0)
//!     C0 = WG ^ WE                           table = TG ‖ TE
//! ```
//!
//! pa and pb, the colour bits of A0 and B0, are secret: they are only used as masks.

use crate::hash::{FixedKey, Hash, Place, ReKeyed};
use crate::label::Label;
use crate::lanes::{Lanes, Row, Table};
use crate::ops::{And, Ops, Segment};
use crate::schedule::{BLOCK, MAX_LANES};
use crate::state::{Hashing, State};

/// Garbles `ops`, in vectors of type `L`; single ANDs in vectors of type `S`.
///
/// # Safety
/// The processor must have the instructions of `L` and `S`. `labels` must point at
/// [`WINDOW`](crate::ops::WINDOW) slots or more, and at all addresses that moves name. The
/// segments' counts must add up to the lengths of the lists. `tables` must be writable for two rows
/// per AND.
#[inline(always)]
pub(crate) unsafe fn garble<L: Lanes, S: Lanes>(
    state: &mut State,
    delta: Label,
    labels: *mut Label,
    ops: &Ops,
    tables: *mut Row,
) {
    // SAFETY: the caller makes the same promise.
    unsafe {
        let role = Garbler { delta: delta.to_u128() };
        chunk::<L, S, Garbler<u128>>((&role, delta), state, labels, ops, tables.cast())
    }
}

/// Evaluates `ops`, in vectors of type `L`; single ANDs in vectors of type `S`.
///
/// # Safety
/// As for [`garble`], with `tables` readable.
#[inline(always)]
pub(crate) unsafe fn evaluate<L: Lanes, S: Lanes>(
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    tables: *const Row,
) {
    // SAFETY: the caller makes the same promise; the evaluator writes no table.
    unsafe {
        let tables = tables.cast_mut().cast();
        chunk::<L, S, Evaluator>((&Evaluator, Label::ZERO), state, labels, ops, tables)
    }
}

/// Runs `ops` for a role and the label that an inversion adds in it.
///
/// # Safety
/// As for [`garble`], with one of the role's tables per AND, writable if the role writes tables.
#[inline(always)]
pub(crate) unsafe fn chunk<L: Lanes, S: Lanes, R: Role>(
    (role, offset): (&R, Label),
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    tables: *mut R::Table,
) {
    let (mut moved, mut xored, mut anded) = (0, 0, 0);
    for &Segment { moves, xors, ands } in ops.segments {
        // SAFETY: the counts add up, so the ranges lie within the lists; the caller promises the
        // addresses.
        unsafe {
            for op in ops.moves.get_unchecked(moved..moved + moves as usize) {
                let label = *labels.add(op.from as usize);
                *labels.add(op.to as usize) = label ^ offset.masked_publicly(op.invert);
            }
            for &op in ops.xors.get_unchecked(xored..xored + xors as usize) {
                S::xor_slots(labels, op);
            }
            let range = anded..anded + ands as usize;
            run::<L, S, R>(
                role,
                state,
                labels,
                ops.ands.get_unchecked(range.clone()),
                ops.positions.get_unchecked(range),
                tables.add(anded),
            );
        }
        moved += moves as usize;
        xored += xors as usize;
        anded += ands as usize;
    }
}

/// Runs any number of independent ANDs under the state's hash, and counts them.
#[inline(always)]
unsafe fn run<L: Lanes, S: Lanes, R: Role>(
    role: &R,
    state: &mut State,
    labels: *mut Label,
    ands: &[And],
    positions: &[u32],
    tables: *mut R::Table,
) {
    let State { hashing, next_and, cycle, first_position, .. } = state;
    // SAFETY: the caller's promise, for parts of the same lists.
    unsafe {
        match hashing {
            Hashing::ReKeyed(schedule) => {
                let mut done = 0;
                while done < ands.len() {
                    let in_block = (*next_and % BLOCK as u64) as usize;
                    let count = (ands.len() - done).min(BLOCK - in_block);
                    let (ands, positions) =
                        (&ands[done..done + count], &positions[done..done + count]);
                    let hash = ReKeyed(schedule.keys(*next_and));
                    let tables = tables.add(done);
                    groups::<L, S, R, _>(role, &hash, in_block, labels, ands, positions, tables);
                    done += count;
                    *next_and += count as u64;
                }
            }
            Hashing::FixedKey { keys, sigma } => {
                // A guard on the arm would change the layout of the code, and cost 2 percent.
                assert!(R::FIXED_KEY, "the suite was checked");
                let first_position = *first_position;
                let hash = FixedKey { keys: &*keys, cycle: *cycle, first_position, sigma: *sigma };
                groups::<L, S, R, _>(role, &hash, 0, labels, ands, positions, tables);
                *next_and += ands.len() as u64;
            }
            Hashing::Rows | Hashing::KeyedRows(_) => unreachable!("kernels run no suites of rows"),
        }
    }
}

/// Runs independent ANDs under one hash: whole vectors first, then the remaining ANDs.
#[inline(always)]
unsafe fn groups<L: Lanes, S: Lanes, R: Role, H: Hash>(
    role: &R,
    hash: &H,
    in_block: usize,
    labels: *mut Label,
    ands: &[And],
    positions: &[u32],
    tables: *mut R::Table,
) {
    let mut done = 0;
    // SAFETY: `done` plus the lanes of a vector never exceeds the number of ANDs, and each AND has
    // a position and a table. A partial vector reads the copies made for it.
    unsafe {
        let group = |done: usize, lanes: usize| Scattered {
            labels,
            ands: ands.as_ptr().add(done),
            positions: positions.as_ptr().add(done),
            tables: tables.add(done),
            in_block: in_block + done,
            lanes,
        };
        while ands.len() - done >= 2 * L::N {
            role.pair::<L, H, _>(hash, [group(done, L::N), group(done + L::N, L::N)]);
            done += 2 * L::N;
        }
        if ands.len() - done >= L::N {
            role.group::<L, H, _>(hash, group(done, L::N));
            done += L::N;
        }
        let left = ands.len() - done;
        if left == 1 && S::N == 1 {
            role.group::<S, H, _>(hash, group(done, 1));
        } else if left > 0 {
            // The spare lanes read the first AND's slots and write nothing.
            let mut spare_ands = [ands[done]; MAX_LANES];
            let mut spare_positions = [0; MAX_LANES];
            let mut spare_tables = [R::SPARE; MAX_LANES];
            spare_ands[..left].copy_from_slice(&ands[done..]);
            spare_positions[..left].copy_from_slice(&positions[done..]);
            let rows = tables.add(done);
            if R::READS_TABLES {
                std::ptr::copy_nonoverlapping(rows, spare_tables.as_mut_ptr(), left);
            }
            let group = Scattered {
                labels,
                ands: spare_ands.as_ptr(),
                positions: spare_positions.as_ptr(),
                tables: spare_tables.as_mut_ptr(),
                in_block: in_block + done,
                lanes: left,
            };
            role.group::<L, H, _>(hash, group);
            if R::WRITES_TABLES {
                std::ptr::copy_nonoverlapping(spare_tables.as_ptr(), rows, left);
            }
        }
    }
}

/// The ANDs of one vector of N labels; lane k is the k-th AND.
///
/// All methods must be inlined into a function that enables the instructions of `L`. Whoever makes
/// a group promises that its addresses are readable, or writable, for as many labels, positions and
/// tables as it states.
pub(crate) trait Group: Place {
    /// What an AND has in the list of tables.
    type Table;

    /// The labels of the first inputs.
    ///
    /// # Safety
    /// The processor must have the instructions of `L`, and the group must be for N lanes, here and
    /// below.
    unsafe fn load_a<L: Lanes>(self) -> L;
    /// The labels of the second inputs.
    unsafe fn load_b<L: Lanes>(self) -> L;
    /// XORs `delta` into the lanes of `x` whose ANDs have `flag`.
    unsafe fn invert<L: Lanes>(self, x: L, flag: u16, delta: L) -> L;
    /// Stores the labels of the outputs.
    unsafe fn store_c<L: Lanes>(self, c: L);
    /// N tables.
    fn tables(self) -> *mut Self::Table;
}

/// ANDs on any slots. For a vector of N lanes, there are N ANDs, N positions and N tables. Only the
/// outputs of the first `lanes` ANDs are stored.
#[derive(Clone, Copy)]
struct Scattered<T> {
    labels: *mut Label,
    ands: *const And,
    positions: *const u32,
    tables: *mut T,
    in_block: usize,
    lanes: usize,
}

impl<T: Copy> Place for Scattered<T> {
    #[inline(always)]
    unsafe fn position(self, k: usize) -> u64 {
        // SAFETY: as above.
        unsafe { u64::from(*self.positions.add(k)) }
    }

    #[inline(always)]
    fn first_key(self) -> usize {
        self.in_block
    }
}

impl<T: Copy> Group for Scattered<T> {
    type Table = T;

    #[inline(always)]
    unsafe fn load_a<L: Lanes>(self) -> L {
        // SAFETY: the group's promise, here and below.
        unsafe { L::gather(self.labels, |k| (*self.ands.add(k)).a) }
    }

    #[inline(always)]
    unsafe fn load_b<L: Lanes>(self) -> L {
        // SAFETY: as above.
        unsafe { L::gather(self.labels, |k| (*self.ands.add(k)).b) }
    }

    #[inline(always)]
    unsafe fn invert<L: Lanes>(self, x: L, flag: u16, delta: L) -> L {
        // SAFETY: as above.
        unsafe { x.xor_flagged(self.ands, flag, delta) }
    }

    #[inline(always)]
    unsafe fn store_c<L: Lanes>(self, c: L) {
        // SAFETY: as above.
        unsafe { c.scatter(self.labels, self.lanes, |k| (*self.ands.add(k)).c) }
    }

    #[inline(always)]
    fn tables(self) -> *mut T {
        self.tables
    }
}

/// The half gate on a vector of ANDs, for one role.
pub(crate) trait Role {
    /// What an AND has in the list of tables.
    type Table: Copy;
    /// A table for a lane without an AND.
    const SPARE: Self::Table;
    /// Whether tables are read before they are written, if they are.
    const READS_TABLES: bool;
    /// Whether tables are written.
    const WRITES_TABLES: bool;
    /// Whether the role runs in suites whose hash has a fixed key.
    const FIXED_KEY: bool;

    /// The labels that an inversion adds in lanes from `lane` on: Δ for the garbler, zero for the
    /// evaluator.
    ///
    /// # Safety
    /// The processor must have L's instructions, and there must be N lanes from `lane` on.
    unsafe fn offset<L: Lanes>(&self, lane: usize) -> L;

    /// Runs one vector of ANDs.
    ///
    /// # Safety
    /// The processor must have L's instructions, and the group must be for N lanes.
    unsafe fn group<L: Lanes, H: Hash, G: Group<Table = Self::Table>>(&self, hash: &H, group: G);

    /// Runs two vectors of ANDs, the second independent of the first.
    ///
    /// # Safety
    /// As for [`group`](Role::group).
    #[inline(always)]
    unsafe fn pair<L: Lanes, H: Hash, G: Group<Table = Self::Table>>(
        &self,
        hash: &H,
        groups: [G; 2],
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            self.group::<L, H, G>(hash, groups[0]);
            self.group::<L, H, G>(hash, groups[1]);
        }
    }
}

/// Δ of each lane.
pub(crate) trait Offsets {
    /// Δ of the lanes from `lane` on.
    ///
    /// # Safety
    /// As for [`Role::offset`].
    unsafe fn of<L: Lanes>(&self, lane: usize) -> L;
}

/// One Δ for all lanes.
impl Offsets for u128 {
    #[inline(always)]
    unsafe fn of<L: Lanes>(&self, _: usize) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { L::splat(*self) }
    }
}

pub(crate) struct Garbler<D> {
    pub delta: D,
}

impl<D: Offsets> Role for Garbler<D> {
    type Table = Table;
    const SPARE: Table = [[0; 16]; 2];
    const READS_TABLES: bool = false;
    const WRITES_TABLES: bool = true;
    const FIXED_KEY: bool = true;

    #[inline(always)]
    unsafe fn offset<L: Lanes>(&self, lane: usize) -> L {
        // SAFETY: the caller's promise.
        unsafe { self.delta.of(lane) }
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, H: Hash, G: Group<Table = Table>>(&self, hash: &H, group: G) {
        // SAFETY: the caller's promise.
        unsafe {
            let (delta, a0, b0, [w, x, y, z]) = self.inputs::<L, H, G>(hash, group);
            let h = L::hash([w, x, y, z], |r, m| hash.key(r, m / 2, group));
            finish((delta, a0, b0), h, group);
        }
    }

    // A garbler hashes four labels per AND. Two vectors side by side keep the processor's AES units
    // busy through the latency of a round.
    #[inline(always)]
    unsafe fn pair<L: Lanes, H: Hash, G: Group<Table = Table>>(&self, hash: &H, groups: [G; 2]) {
        // SAFETY: the caller's promise.
        unsafe {
            let (delta0, a0, b0, x) = self.inputs::<L, H, G>(hash, groups[0]);
            let (delta1, c0, d0, y) = self.inputs::<L, H, G>(hash, groups[1]);
            let all = [x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]];
            let h = L::hash(all, |r, m| hash.key(r, m % 4 / 2, groups[m / 4]));
            finish((delta0, a0, b0), [h[0], h[1], h[2], h[3]], groups[0]);
            finish((delta1, c0, d0), [h[4], h[5], h[6], h[7]], groups[1]);
        }
    }
}

impl<D: Offsets> Garbler<D> {
    /// Δ, A0 and B0 of a group, and the cipher's inputs for A0, A1, B0 and B1.
    #[inline(always)]
    unsafe fn inputs<L: Lanes, H: Hash, G: Group>(&self, hash: &H, group: G) -> (L, L, L, [L; 4]) {
        // SAFETY: the caller's promise.
        unsafe {
            let delta = self.delta.of::<L>(group.first_key());
            let a0 = group.invert(group.load_a::<L>(), And::INVERT_A, delta);
            let b0 = group.invert(group.load_b::<L>(), And::INVERT_B, delta);
            let (x, y) = (hash.input(a0, 0, group), hash.input(b0, 1, group));
            let difference = hash.difference(delta);
            (delta, a0, b0, [x, x.xor(difference), y, y.xor(difference)])
        }
    }
}

/// Computes the tables and C0 from H(A0), H(A1), H(B0) and H(B1).
#[inline(always)]
unsafe fn finish<L: Lanes, G: Group<Table = Table>>(
    (delta, a0, b0): (L, L, L),
    [ha0, ha1, hb0, hb1]: [L; 4],
    group: G,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let hb = hb0.xor(hb1); // = TE ^ A0
        let tg = ha0.xor(ha1).xor(b0.colour_and(delta));
        let wg = ha0.xor(a0.colour_and(tg));
        let we = hb0.xor(b0.colour_and(hb));
        L::store_pairs(tg, hb.xor(a0), group.tables().cast());
        group.store_c(wg.xor(we));
    }
}

pub(crate) struct Evaluator;

impl Role for Evaluator {
    type Table = Table;
    const SPARE: Table = [[0; 16]; 2];
    const READS_TABLES: bool = true;
    const WRITES_TABLES: bool = false;
    const FIXED_KEY: bool = true;

    #[inline(always)]
    unsafe fn offset<L: Lanes>(&self, _: usize) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { L::splat(0) }
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, H: Hash, G: Group<Table = Table>>(&self, hash: &H, group: G) {
        // SAFETY: the caller's promise.
        unsafe {
            let a: L = group.load_a();
            let b: L = group.load_b();
            let x = [hash.input(a, 0, group), hash.input(b, 1, group)];
            let [ha, hb] = L::hash(x, |r, m| hash.key(r, m, group));

            let (tg, te) = L::load_pairs(group.tables().cast());
            let wg = ha.xor(a.colour_and(tg));
            let we = hb.xor(b.colour_and(te.xor(a)));
            group.store_c(wg.xor(we));
        }
    }
}
