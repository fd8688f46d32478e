//! The half gate of authenticated garbling (Katz, Ranellucci, Rosulek, Wang, "Optimizing
//! Authenticated Garbling for Faster Secure Two-Party Computation", CRYPTO 2018), for both parties.
//!
//! Every wire has a secret mask λ, of which each party has an authenticated share: X = K ^ r·Δ the
//! garbler, M = X ^ λ·Δ the evaluator. The evaluator knows Λ, the wire's value XOR λ. False labels
//! have colour bit 0, so the colour bit of an active label is Λ. An AND has inputs α and β, output
//! γ, and σ = λα·λβ:
//!
//! ```text
//!     G0 = H(A0,k0) ^ H(A0^Δ,k0) ^ Xβ          C  = H(A0,k0) ^ H(B0,k1) ^ Xσ ^ Xγ
//!     G1 = H(B0,k1) ^ H(B0^Δ,k1) ^ A0 ^ Xα     C0 = C ^ b, b the colour bit of C
//!     active C = H(A,k0) ^ H(B,k1) ^ Mσ ^ Mγ ^ b ^ Λα·(G0 ^ Mβ) ^ Λβ·(G1 ^ Mα ^ A)
//! ```
//!
//! An inversion flips the mask of its wire and leaves labels and Λ as they are. So garbling and
//! evaluating ignore inversions, and only [`Step::Shares`] adds something for them.
//!
//! Operations run as in [`batch`] and [`wide`]. In place of a table, an AND has a [`Row3`], which
//! is read and overwritten.

use crate::batch::{self, Group, Role};
use crate::hash::Hash;
use crate::label::{Delta, Label};
use crate::lanes::Lanes;
use crate::ops::{And, Ops};
use crate::state::State;
use crate::wide::{self, Lines};

/// What an authenticated run does with operations, and with the three labels that an AND has in the
/// caller's list of rows. The letters are those of the source file's formulas.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Computes the shares of all wires. Label memory holds a party's authenticated shares. An AND
    /// replaces its row `[fresh, _, _]` by `[first, second, fresh]`, the shares of its inputs and
    /// its output.
    Shares {
        /// What an inversion XORs: the Δ of one party, zero for the other.
        offset: Label,
    },
    /// Garbles. An AND replaces its row `[Xα, Xβ, Xσ ^ Xγ]` by `[G0, G1, C]`. The colour bit of C
    /// is b; in label memory it is cleared.
    Garble {
        /// The garbler's Δ.
        delta: &'a Delta,
    },
    /// Evaluates. An AND replaces its row `[G0 ^ Mβ, G1 ^ Mα, Mσ ^ Mγ ^ b]` by the active labels of
    /// its inputs and its output.
    Evaluate,
}

/// Three labels of an AND.
pub(crate) type Row3 = [Label; 3];

/// Runs `ops` for a step, in vectors of type `L`; single ANDs in vectors of type `S`.
///
/// # Safety
/// As for [`batch::garble`], with one row per AND in `rows`, readable and writable. The state must
/// be of `half-gates`.
#[inline(always)]
pub(crate) unsafe fn run<L: Lanes, S: Lanes>(
    state: &mut State,
    step: Step<'_>,
    labels: *mut Label,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise.
    unsafe {
        match step {
            Step::Shares { offset } => {
                let role = Shares { offset: offset.to_u128() };
                batch::chunk::<L, S, Shares>((&role, offset), state, labels, ops, rows);
            }
            Step::Garble { delta } => {
                let role = Garbler { delta: delta.label().to_u128() };
                batch::chunk::<L, S, Garbler>((&role, Label::ZERO), state, labels, ops, rows);
            }
            Step::Evaluate => {
                let role = (&Evaluator, Label::ZERO);
                batch::chunk::<L, S, Evaluator>(role, state, labels, ops, rows);
            }
        }
    }
}

/// Runs `ops` for a step on all lanes, in vectors of type `L`; single lanes in vectors of type `S`.
///
/// # Safety
/// As for [`wide::garble`], with one row per AND and lane in `rows`, readable and writable. The
/// state must be of `half-gates`.
///
/// # Panics
/// If an operand of `ops` has no place.
#[inline(always)]
pub(crate) unsafe fn run_wide<L: Lanes, S: Lanes>(
    state: &mut State,
    step: Step<'_>,
    lines: Lines<'_>,
    ops: &Ops,
    rows: *mut Row3,
) {
    // SAFETY: the caller makes the same promise.
    unsafe {
        match step {
            Step::Shares { offset } => {
                let role = Shares { offset: offset.to_u128() };
                wide::chunk::<L, S, Shares>(&role, state, lines, ops, rows);
            }
            Step::Garble { delta } => {
                let role = Garbler { delta: delta.label().to_u128() };
                wide::chunk::<L, S, Garbler>(&role, state, lines, ops, rows);
            }
            Step::Evaluate => {
                wide::chunk::<L, S, Evaluator>(&Evaluator, state, lines, ops, rows);
            }
        }
    }
}

struct Shares {
    offset: u128,
}

impl Role for Shares {
    type Table = Row3;
    const SPARE: Row3 = [Label::ZERO; 3];
    const READS_TABLES: bool = true;
    const WRITES_TABLES: bool = true;
    const FIXED_KEY: bool = false;

    #[inline(always)]
    unsafe fn offset<L: Lanes>(&self, _: usize) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { L::splat(self.offset) }
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, H: Hash, G: Group<Table = Row3>>(&self, _: &H, group: G) {
        // SAFETY: the caller's promise.
        unsafe {
            let offset = L::splat(self.offset);
            let first = group.invert(group.load_a::<L>(), And::INVERT_A, offset);
            let second = group.invert(group.load_b::<L>(), And::INVERT_B, offset);
            let fresh = load::<L>(group.tables(), 0);
            store([first, second, fresh], group.tables());
            group.store_c(fresh);
        }
    }
}

struct Garbler {
    delta: u128,
}

impl Role for Garbler {
    type Table = Row3;
    const SPARE: Row3 = [Label::ZERO; 3];
    const READS_TABLES: bool = true;
    const WRITES_TABLES: bool = true;
    const FIXED_KEY: bool = false;

    #[inline(always)]
    unsafe fn offset<L: Lanes>(&self, _: usize) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { L::splat(0) }
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, H: Hash, G: Group<Table = Row3>>(&self, hash: &H, group: G) {
        // SAFETY: the caller's promise.
        unsafe {
            let (a0, x) = self.inputs::<L, H, G>(hash, group);
            let h = L::hash(x, |r, m| hash.key(r, m / 2, group));
            finish(a0, h, group);
        }
    }

    // Two vectors side by side, as without authentication.
    #[inline(always)]
    unsafe fn pair<L: Lanes, H: Hash, G: Group<Table = Row3>>(&self, hash: &H, groups: [G; 2]) {
        // SAFETY: the caller's promise.
        unsafe {
            let (a0, x) = self.inputs::<L, H, G>(hash, groups[0]);
            let (c0, y) = self.inputs::<L, H, G>(hash, groups[1]);
            let all = [x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]];
            let h = L::hash(all, |r, m| hash.key(r, m % 4 / 2, groups[m / 4]));
            finish(a0, [h[0], h[1], h[2], h[3]], groups[0]);
            finish(c0, [h[4], h[5], h[6], h[7]], groups[1]);
        }
    }
}

impl Garbler {
    /// A0 of a group, and the cipher's inputs for A0, A0^Δ, B0 and B0^Δ.
    #[inline(always)]
    unsafe fn inputs<L: Lanes, H: Hash, G: Group>(&self, hash: &H, group: G) -> (L, [L; 4]) {
        // SAFETY: the caller's promise.
        unsafe {
            let (a0, b0) = (group.load_a::<L>(), group.load_b::<L>());
            let (x, y) = (hash.input(a0, 0, group), hash.input(b0, 1, group));
            let difference = hash.difference(L::splat(self.delta));
            (a0, [x, x.xor(difference), y, y.xor(difference)])
        }
    }
}

/// Computes the rows and C0 from H(A0), H(A0^Δ), H(B0) and H(B0^Δ).
#[inline(always)]
unsafe fn finish<L: Lanes, G: Group<Table = Row3>>(a0: L, [ha0, ha1, hb0, hb1]: [L; 4], group: G) {
    // SAFETY: the caller's promise.
    unsafe {
        let rows = group.tables();
        let g0 = ha0.xor(ha1).xor(load(rows, 1));
        let g1 = hb0.xor(hb1).xor(a0).xor(load(rows, 0));
        let c = ha0.xor(hb0).xor(load(rows, 2));
        store([g0, g1, c], rows);
        group.store_c(c.and(L::splat(!1)));
    }
}

struct Evaluator;

impl Role for Evaluator {
    type Table = Row3;
    const SPARE: Row3 = [Label::ZERO; 3];
    const READS_TABLES: bool = true;
    const WRITES_TABLES: bool = true;
    const FIXED_KEY: bool = false;

    #[inline(always)]
    unsafe fn offset<L: Lanes>(&self, _: usize) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { L::splat(0) }
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, H: Hash, G: Group<Table = Row3>>(&self, hash: &H, group: G) {
        // SAFETY: the caller's promise.
        unsafe {
            let (a, b) = (group.load_a::<L>(), group.load_b::<L>());
            let x = [hash.input(a, 0, group), hash.input(b, 1, group)];
            let [ha, hb] = L::hash(x, |r, m| hash.key(r, m, group));

            let rows = group.tables();
            let of_a = a.colour_and(load(rows, 0));
            let of_b = b.colour_and(load::<L>(rows, 1).xor(a));
            let c = ha.xor(hb).xor(load(rows, 2)).xor(of_a).xor(of_b);
            store([a, b, c], rows);
            group.store_c(c);
        }
    }
}

/// Loads label `place` of each of N rows.
///
/// # Safety
/// The processor must have L's instructions, and `rows` must be readable for N rows.
#[inline(always)]
unsafe fn load<L: Lanes>(rows: *const Row3, place: usize) -> L {
    // SAFETY: the caller's promise; a row is three labels.
    unsafe { L::gather(rows.cast(), |k| (3 * k + place) as u16) }
}

/// Stores three labels of each of N rows.
///
/// # Safety
/// The processor must have L's instructions, and `rows` must be writable for N rows.
#[inline(always)]
unsafe fn store<L: Lanes>([first, second, third]: [L; 3], rows: *mut Row3) {
    // SAFETY: the caller's promise; a row is three labels.
    unsafe {
        first.scatter(rows.cast(), L::N, |k| (3 * k) as u16);
        second.scatter(rows.cast(), L::N, |k| (3 * k + 1) as u16);
        third.scatter(rows.cast(), L::N, |k| (3 * k + 2) as u16);
    }
}
