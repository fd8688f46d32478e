//! Garbling and evaluating, once for every instruction set: what the kernel files instantiate.
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
//! pa and pb, the colour bits of A0 and B0, are secret: they only ever make masks.

use crate::kernel::{Hashing, State};
use crate::label::Label;
use crate::lanes::{Lanes, Row};
use crate::ops::{And, Ops, Segment};
use crate::schedule::{BLOCK, Keys, MAX_LANES, RoundKeys, STRIDE};

/// Garbles `ops`: vectors of `L`, single ANDs in `S`.
///
/// # Safety
/// The processor must have the instructions of `L` and `S`. `labels` must point at
/// [`WINDOW`](crate::ops::WINDOW) slots or more, and at all that moves name. The segments' counts
/// must add up to the lengths of the lists; `tables` must be writable for two rows an AND.
#[inline(always)]
pub(crate) unsafe fn garble<L: Lanes, S: Lanes>(
    state: &mut State,
    delta: Label,
    labels: *mut Label,
    ops: &Ops,
    tables: *mut Row,
) {
    // SAFETY: the same promise.
    unsafe {
        chunk::<L, S, Garbler>(&Garbler { delta: delta.to_u128() }, state, labels, ops, tables)
    }
}

/// Evaluates `ops`: vectors of `L`, single ANDs in `S`.
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
    // SAFETY: the same promise; the evaluator writes no table.
    unsafe { chunk::<L, S, Evaluator>(&Evaluator, state, labels, ops, tables.cast_mut()) }
}

#[inline(always)]
unsafe fn chunk<L: Lanes, S: Lanes, R: Role>(
    role: &R,
    state: &mut State,
    labels: *mut Label,
    ops: &Ops,
    tables: *mut Row,
) {
    let (mut moved, mut xored, mut anded) = (0, 0, 0);
    for &Segment { moves, xors, ands } in ops.segments {
        // SAFETY: the counts add up, so the ranges lie within the lists; addresses are the
        // caller's promise.
        unsafe {
            for op in ops.moves.get_unchecked(moved..moved + moves as usize) {
                let label = *labels.add(op.from as usize);
                *labels.add(op.to as usize) = label ^ role.offset().masked(op.invert);
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
                tables.add(2 * anded),
            );
        }
        moved += moves as usize;
        xored += xors as usize;
        anded += ands as usize;
    }
}

/// Runs independent ANDs of any number under the state's hash, and counts them.
#[inline(always)]
unsafe fn run<L: Lanes, S: Lanes, R: Role>(
    role: &R,
    state: &mut State,
    labels: *mut Label,
    ands: &[And],
    positions: &[u32],
    tables: *mut Row,
) {
    let State { hashing, next_and, cycle } = state;
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
                    let tables = tables.add(2 * done);
                    groups::<L, S, R, _>(role, &hash, in_block, labels, ands, positions, tables);
                    done += count;
                    *next_and += count as u64;
                }
            }
            Hashing::FixedKey { keys, sigma } => {
                let hash = FixedKey { keys, cycle: *cycle, sigma: *sigma };
                groups::<L, S, R, _>(role, &hash, 0, labels, ands, positions, tables);
                *next_and += ands.len() as u64;
            }
        }
    }
}

/// Runs independent ANDs under one hash: two vectors at a time, then one, then what is left.
#[inline(always)]
unsafe fn groups<L: Lanes, S: Lanes, R: Role, H: Hash>(
    role: &R,
    hash: &H,
    in_block: usize,
    labels: *mut Label,
    ands: &[And],
    positions: &[u32],
    tables: *mut Row,
) {
    let count = ands.len();
    let mut done = 0;
    // SAFETY: `done` plus the lanes of a group never exceeds `count`, for which there are ANDs,
    // positions and tables; spare lanes read the copies made for them.
    unsafe {
        let place = |done: usize| Place {
            in_block: in_block + done,
            positions: positions.as_ptr().add(done),
        };
        let at = |done: usize| move |k: usize| *ands.get_unchecked(done + k);
        while count - done >= 2 * L::N {
            let rows = tables.add(2 * done);
            role.group::<L, H, 2>(hash, place(done), L::N, labels, at(done), rows);
            done += 2 * L::N;
        }
        if count - done >= L::N {
            let rows = tables.add(2 * done);
            role.group::<L, H, 1>(hash, place(done), L::N, labels, at(done), rows);
            done += L::N;
        }
        let left = count - done;
        let rows = tables.add(2 * done);
        if left == 1 && S::N == 1 {
            role.group::<S, H, 1>(hash, place(done), S::N, labels, at(done), rows);
        } else if left > 0 {
            // The spare lanes read the last AND's slots and write nothing.
            let mut spare_rows = [[0; 16]; 2 * MAX_LANES];
            let mut spare_positions = [0; MAX_LANES];
            spare_positions[..left].copy_from_slice(&positions[done..]);
            if !R::WRITES_TABLES {
                std::ptr::copy_nonoverlapping(rows, spare_rows.as_mut_ptr(), 2 * left);
            }
            let place = Place { in_block: in_block + done, positions: spare_positions.as_ptr() };
            let lane = |k: usize| *ands.get_unchecked((done + k).min(count - 1));
            role.group::<L, H, 1>(hash, place, left, labels, lane, spare_rows.as_mut_ptr());
            if R::WRITES_TABLES {
                std::ptr::copy_nonoverlapping(spare_rows.as_ptr(), rows, 2 * left);
            }
        }
    }
}

/// How a suite keys and tweaks its hash.
trait Hash {
    /// What enters the cipher for `x`: group lane k is `ands[k]`, `half` says which input.
    unsafe fn input<L: Lanes>(&self, x: L, half: usize, place: Place) -> L;
    /// Round key r for inputs of `half`.
    unsafe fn key<L: Lanes>(&self, r: usize, half: usize, place: Place) -> L;
}

/// Where in the run a group of ANDs stands.
#[derive(Clone, Copy)]
struct Place {
    /// Number of the first AND, modulo [`BLOCK`].
    in_block: usize,
    /// Positions of the group's ANDs, readable for N entries.
    positions: *const u32,
}

/// `half-gates`: H(x,k) = AES_k(σ(x)) ^ σ(x).
struct ReKeyed<'a>(Keys<'a>);

impl Hash for ReKeyed<'_> {
    #[inline(always)]
    unsafe fn input<L: Lanes>(&self, x: L, _half: usize, _place: Place) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { x.sigma() }
    }

    #[inline(always)]
    unsafe fn key<L: Lanes>(&self, r: usize, half: usize, place: Place) -> L {
        let row = (half * 11 + r) * STRIDE;
        debug_assert!(place.in_block + L::N <= STRIDE && self.0.low.len() == 22 * STRIDE);
        // SAFETY: a row has STRIDE entries, and a group starts before BLOCK and has at most
        // STRIDE - BLOCK lanes.
        unsafe {
            let low = L::load(self.0.low.as_ptr().add(row + place.in_block).cast());
            L::splat(self.0.high[r]).xor(low)
        }
    }
}

/// `half-gates-fixed-key`: H(x,T) = π(σ(x)^T) ^ σ(x) ^ T; and `half-gates-fase` without the σ.
struct FixedKey<'a> {
    keys: &'a RoundKeys,
    cycle: u64,
    sigma: bool,
}

impl Hash for FixedKey<'_> {
    #[inline(always)]
    unsafe fn input<L: Lanes>(&self, x: L, half: usize, place: Place) -> L {
        let mut tweaks = [[0; 16]; MAX_LANES];
        debug_assert!(L::N <= tweaks.len());
        for (k, tweak) in tweaks[..L::N].iter_mut().enumerate() {
            // SAFETY: a place's positions are readable for N entries.
            let g = unsafe { *place.positions.add(k) };
            let number = u128::from(g) << 1 | half as u128;
            *tweak = (u128::from(self.cycle) << 64 | number).to_le_bytes();
        }
        // SAFETY: the caller promises the instructions; N tweaks were filled in.
        unsafe {
            let x = if self.sigma { x.sigma() } else { x };
            x.xor(L::load(tweaks.as_ptr()))
        }
    }

    #[inline(always)]
    unsafe fn key<L: Lanes>(&self, r: usize, _half: usize, _place: Place) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { L::splat(self.keys[r]) }
    }
}

/// What a group of ANDs does, for either role.
trait Role {
    /// Whether tables are written rather than read.
    const WRITES_TABLES: bool;

    /// What an inversion adds to a label: Δ for the garbler, nothing for the evaluator.
    fn offset(&self) -> Label;

    /// Runs `B` (1 or 2) vectors of ANDs, lane k of vector v being `ands(v * N + k)`. `tables`
    /// has room for 2·B·N rows, `place` for as many positions; the first `lanes` lanes of each
    /// vector leave their output behind.
    ///
    /// # Safety
    /// The processor must have L's instructions; slots and rows must be as said.
    unsafe fn group<L: Lanes, H: Hash, const B: usize>(
        &self,
        hash: &H,
        place: Place,
        lanes: usize,
        labels: *mut Label,
        ands: impl Fn(usize) -> And + Copy,
        tables: *mut Row,
    );
}

struct Garbler {
    delta: u128,
}

impl Role for Garbler {
    const WRITES_TABLES: bool = true;

    #[inline(always)]
    fn offset(&self) -> Label {
        Label::from_u128(self.delta)
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, H: Hash, const B: usize>(
        &self,
        hash: &H,
        place: Place,
        lanes: usize,
        labels: *mut Label,
        ands: impl Fn(usize) -> And + Copy,
        tables: *mut Row,
    ) {
        // SAFETY: the instructions, the slots and the room for tables are the caller's promise.
        unsafe {
            let delta = L::splat(self.delta);
            // Two vectors at most, by name: see `Lanes::hash` on arrays and closures.
            let second = place.after(L::N);
            let (a, b) = self.inputs::<L>(labels, delta, ands);
            let x = hash_inputs(hash, place, a, b, delta);
            if B == 1 {
                let h = L::hash(x, |r, m| hash.key(r, m / 2, place));
                self.finish(delta, a, b, h, tables).scatter(labels, lanes, |k| ands(k).c);
                return;
            }
            let next = move |k: usize| ands(L::N + k);
            let (c, d) = self.inputs::<L>(labels, delta, next);
            let y = hash_inputs(hash, second, c, d, delta);
            let h = L::hash([x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]], |r, m| {
                hash.key(r, m % 4 / 2, if m < 4 { place } else { second })
            });
            let (h, i) = ([h[0], h[1], h[2], h[3]], [h[4], h[5], h[6], h[7]]);
            self.finish(delta, a, b, h, tables).scatter(labels, lanes, |k| ands(k).c);
            self.finish(delta, c, d, i, tables.add(2 * L::N)).scatter(labels, lanes, |k| next(k).c);
        }
    }
}

impl Place {
    /// The place `ands` ANDs on.
    #[inline(always)]
    fn after(self, ands: usize) -> Place {
        let positions = self.positions.wrapping_add(ands);
        Place { in_block: self.in_block + ands, positions }
    }
}

impl Garbler {
    /// A0 and B0 of the ANDs of one vector.
    #[inline(always)]
    unsafe fn inputs<L: Lanes>(
        &self,
        labels: *mut Label,
        delta: L,
        ands: impl Fn(usize) -> And + Copy,
    ) -> (L, L) {
        // SAFETY: the caller's promise.
        unsafe {
            let a = L::gather(labels, |k| ands(k).a);
            let b = L::gather(labels, |k| ands(k).b);
            (
                a.xor_where(L::flags(ands, And::INVERT_A), delta),
                b.xor_where(L::flags(ands, And::INVERT_B), delta),
            )
        }
    }

    /// From H(A0), H(A1), H(B0), H(B1): writes the tables and returns C0.
    #[inline(always)]
    unsafe fn finish<L: Lanes>(
        &self,
        delta: L,
        a0: L,
        b0: L,
        [ha0, ha1, hb0, hb1]: [L; 4],
        tables: *mut Row,
    ) -> L {
        // SAFETY: the caller's promise.
        unsafe {
            let hb = hb0.xor(hb1); // = TE ^ A0
            let tg = ha0.xor(ha1).xor(b0.colour_and(delta));
            let wg = ha0.xor(a0.colour_and(tg));
            let we = hb0.xor(b0.colour_and(hb));
            L::store_pairs(tg, hb.xor(a0), tables);
            wg.xor(we)
        }
    }
}

#[inline(always)]
unsafe fn hash_inputs<L: Lanes, H: Hash>(hash: &H, place: Place, a0: L, b0: L, delta: L) -> [L; 4] {
    // SAFETY: the caller's promise. σ is linear, but spelling out all four costs two shuffles
    // and leaves the fixed-key tweaks in one place.
    unsafe {
        [
            hash.input(a0, 0, place),
            hash.input(a0.xor(delta), 0, place),
            hash.input(b0, 1, place),
            hash.input(b0.xor(delta), 1, place),
        ]
    }
}

struct Evaluator;

impl Role for Evaluator {
    const WRITES_TABLES: bool = false;

    #[inline(always)]
    fn offset(&self) -> Label {
        Label::ZERO
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, H: Hash, const B: usize>(
        &self,
        hash: &H,
        place: Place,
        lanes: usize,
        labels: *mut Label,
        ands: impl Fn(usize) -> And + Copy,
        tables: *mut Row,
    ) {
        // SAFETY: the instructions, the slots and the tables are the caller's promise.
        unsafe {
            let second = place.after(L::N);
            let a = L::gather(labels, |k| ands(k).a);
            let b = L::gather(labels, |k| ands(k).b);
            let (x, y) = (hash.input(a, 0, place), hash.input(b, 1, place));
            if B == 1 {
                let h = L::hash([x, y], |r, m| hash.key(r, m, place));
                self.finish(a, b, h, tables).scatter(labels, lanes, |k| ands(k).c);
                return;
            }
            let next = move |k: usize| ands(L::N + k);
            let c = L::gather(labels, |k| next(k).a);
            let d = L::gather(labels, |k| next(k).b);
            let (z, w) = (hash.input(c, 0, second), hash.input(d, 1, second));
            let [hx, hy, hz, hw] = L::hash([x, y, z, w], |r, m| {
                hash.key(r, m % 2, if m < 2 { place } else { second })
            });
            self.finish(a, b, [hx, hy], tables).scatter(labels, lanes, |k| ands(k).c);
            let tables = tables.add(2 * L::N);
            self.finish(c, d, [hz, hw], tables).scatter(labels, lanes, |k| next(k).c);
        }
    }
}

impl Evaluator {
    /// From H(A) and H(B): reads the tables and returns C.
    #[inline(always)]
    unsafe fn finish<L: Lanes>(&self, a: L, b: L, [ha, hb]: [L; 2], tables: *mut Row) -> L {
        // SAFETY: the caller's promise.
        unsafe {
            let (tg, te) = L::load_pairs(tables);
            let wg = ha.xor(a.colour_and(tg));
            let we = hb.xor(b.colour_and(te.xor(a)));
            wg.xor(we)
        }
    }
}
