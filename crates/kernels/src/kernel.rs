//! A kernel: the code that runs operations on one instruction set, behind checks that make it safe.

pub use crate::state::State;

use crate::authenticated::{Row3, Step};
use crate::instances::Instances;
use crate::label::{Delta, Label};
use crate::lanes::Row;
use crate::leaky::{Bits, Received, Sent, Work};
use crate::memory::LabelMemory;
use crate::ops::{Ops, Segment, WINDOW, Wide};
use crate::rows::{self, Layout};
use crate::schedule::{RoundKeys, Schedule};
use crate::state::Hashing;
use crate::suite::Suite;
use crate::wide::Lines;
use std::fmt;

/// A kernel: its name, and its functions for one instruction set. [`choose`](crate::choose) lists
/// all kernels.
pub struct Kernel {
    /// The name that `--kernel` takes.
    pub name: &'static str,
    /// A short description.
    pub summary: &'static str,
    pub(crate) available: fn() -> bool,
    pub(crate) expand: fn(u128) -> RoundKeys,
    /// # Safety
    /// For both: see [`batch::garble`](crate::batch::garble).
    pub(crate) garble: unsafe fn(&mut State, Label, *mut Label, &Ops, *mut Row),
    pub(crate) evaluate: unsafe fn(&mut State, *mut Label, &Ops, *const Row),
    /// # Safety
    /// For both: see [`wide::garble`](crate::wide::garble).
    pub(crate) garble_wide: unsafe fn(&mut State, Label, *mut Label, &Ops, Wide<'_>, *mut Row),
    pub(crate) evaluate_wide: unsafe fn(&mut State, *mut Label, &Ops, Wide<'_>, *const Row),
    /// # Safety
    /// See [`instances::garble`](crate::instances::garble).
    pub(crate) garble_instances: unsafe fn(&mut Instances, Lines<'_>, &Ops, *mut Row),
    /// # Safety
    /// See [`authenticated::run`](crate::authenticated::run).
    pub(crate) authenticated: unsafe fn(&mut State, Step<'_>, *mut Label, &Ops, *mut Row3),
    /// # Safety
    /// See [`authenticated::run_wide`](crate::authenticated::run_wide).
    pub(crate) authenticated_wide: unsafe fn(&mut State, Step<'_>, Lines<'_>, &Ops, *mut Row3),
    /// # Safety
    /// See [`leaky::run`](crate::leaky::run).
    pub(crate) leaky: unsafe fn(&mut State, usize, Work<'_>),
    /// Encrypts at least this many blocks in registers, and returns how many. Used only to measure
    /// the rate.
    ///
    /// # Safety
    /// The kernel must be available.
    pub(crate) encrypt: unsafe fn(u64) -> u64,
}

impl Kernel {
    /// Whether this processor has the instructions that the kernel needs.
    pub fn is_available(&self) -> bool {
        (self.available)()
    }

    /// Makes the state at the start of a run under the public `point`: S, or π's key for the
    /// fixed-key suites.
    pub fn start(&self, suite: Suite, point: u128) -> State {
        assert!(self.is_available(), "kernel {} cannot run on this processor", self.name);
        let hashing = match suite {
            Suite::HalfGates => Hashing::ReKeyed(Schedule::new(point, self.expand)),
            Suite::HalfGatesFixedKey => {
                Hashing::FixedKey { keys: (self.expand)(point), sigma: true }
            }
            Suite::HalfGatesFase => Hashing::FixedKey { keys: (self.expand)(point), sigma: false },
            Suite::Grr3Sha1 => Hashing::Rows,
            Suite::Grr3 => Hashing::KeyedRows(Box::new(rows::cipher(point))),
        };
        State::new(suite, hashing)
    }

    /// Makes the state of instances that are garbled side by side, each with its start point and
    /// Δ.
    ///
    /// # Panics
    /// If the suite has no half gates, or the processor lacks the kernel's instructions.
    pub fn start_instances(&self, suite: Suite, instances: &[(u128, &Delta)]) -> Instances {
        assert!(self.is_available(), "kernel {} cannot run on this processor", self.name);
        Instances::new(suite, instances, self.expand)
    }

    /// Garbles `ops`, writing one table of the suite's size to `tables` per AND. Labels and Δ must
    /// have the suite's number of bits.
    ///
    /// # Panics
    /// If counts, addresses and the length of `tables` do not fit together, or the processor lacks
    /// the kernel's instructions.
    pub fn garble(
        &self,
        state: &mut State,
        delta: &Delta,
        labels: &mut LabelMemory,
        ops: &Ops,
        tables: &mut [u8],
    ) {
        self.garble_at(state, delta, labels, 0, ops, tables);
    }

    /// Evaluates `ops` with one table of the suite's size from `tables` per AND.
    ///
    /// # Panics
    /// As for [`garble`](Kernel::garble).
    pub fn evaluate(&self, state: &mut State, labels: &mut LabelMemory, ops: &Ops, tables: &[u8]) {
        self.evaluate_at(state, labels, 0, ops, tables);
    }

    /// Like [`garble`](Kernel::garble), in the frame that begins at the label with address `base`:
    /// slots and the addresses of moves count from there.
    ///
    /// # Panics
    /// As for [`garble`](Kernel::garble), and if a window from `base` on does not fit label memory.
    pub fn garble_at(
        &self,
        state: &mut State,
        delta: &Delta,
        labels: &mut LabelMemory,
        base: u32,
        ops: &Ops,
        tables: &mut [u8],
    ) {
        check(self, labels, base, ops);
        check_tables(state.suite(), ops, 1, tables.len());
        if !state.suite().has_half_gates() {
            let layout = Layout::Frame(base as usize);
            return rows::garble(state, delta.label(), labels, ops, layout, tables);
        }
        // SAFETY: the checks verified all preconditions.
        unsafe {
            let frame = labels.as_mut_ptr().add(base as usize);
            (self.garble)(state, delta.label(), frame, ops, tables.as_mut_ptr().cast())
        }
    }

    /// Like [`evaluate`](Kernel::evaluate), in the frame that begins at address `base`.
    ///
    /// # Panics
    /// As for [`garble_at`](Kernel::garble_at).
    pub fn evaluate_at(
        &self,
        state: &mut State,
        labels: &mut LabelMemory,
        base: u32,
        ops: &Ops,
        tables: &[u8],
    ) {
        check(self, labels, base, ops);
        check_tables(state.suite(), ops, 1, tables.len());
        if !state.suite().has_half_gates() {
            return rows::evaluate(state, labels, ops, Layout::Frame(base as usize), tables);
        }
        // SAFETY: the checks verified all preconditions.
        unsafe {
            let frame = labels.as_mut_ptr().add(base as usize);
            (self.evaluate)(state, frame, ops, tables.as_ptr().cast())
        }
    }

    /// Garbles `ops` on all lanes of `wide`, writing one table per AND and lane.
    ///
    /// # Panics
    /// If there is no lane, an operand has no place, a place lies outside label memory, or counts
    /// and the length of `tables` do not fit together; if the processor lacks the kernel's
    /// instructions.
    pub fn garble_wide(
        &self,
        state: &mut State,
        delta: &Delta,
        labels: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
        tables: &mut [u8],
    ) {
        check_wide(self, labels, ops, wide);
        check_tables(state.suite(), ops, wide.lanes, tables.len());
        if !state.suite().has_half_gates() {
            let layout = Layout::Wide(wide);
            return rows::garble(state, delta.label(), labels, ops, layout, tables);
        }
        let labels = labels.as_mut_ptr();
        let tables = tables.as_mut_ptr().cast();
        // SAFETY: the checks verified all preconditions.
        unsafe { (self.garble_wide)(state, delta.label(), labels, ops, wide, tables) }
    }

    /// Evaluates `ops` on all lanes of `wide`, with one table per AND and lane.
    ///
    /// # Panics
    /// As for [`garble_wide`](Kernel::garble_wide).
    pub fn evaluate_wide(
        &self,
        state: &mut State,
        labels: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
        tables: &[u8],
    ) {
        check_wide(self, labels, ops, wide);
        check_tables(state.suite(), ops, wide.lanes, tables.len());
        if !state.suite().has_half_gates() {
            return rows::evaluate(state, labels, ops, Layout::Wide(wide), tables);
        }
        let labels = labels.as_mut_ptr();
        // SAFETY: the checks verified all preconditions.
        unsafe { (self.evaluate_wide)(state, labels, ops, wide, tables.as_ptr().cast()) }
    }

    /// Garbles `ops` for all lanes of `instances`. Operand x has one label per lane, from address
    /// `places[x]` on. The table of lane l and AND j is number `j * lanes + l` of `tables`.
    ///
    /// # Panics
    /// As for [`garble_wide`](Kernel::garble_wide).
    pub fn garble_instances(
        &self,
        instances: &mut Instances,
        labels: &mut LabelMemory,
        ops: &Ops,
        places: &[u32],
        tables: &mut [u8],
    ) {
        let wide = Wide { lanes: instances.lanes(), places };
        check_wide(self, labels, ops, wide);
        check_tables(instances.suite(), ops, wide.lanes, tables.len());
        let lines = Lines { labels: labels.as_mut_ptr(), wide };
        // SAFETY: the checks verified all preconditions.
        unsafe { (self.garble_instances)(instances, lines, ops, tables.as_mut_ptr().cast()) }
    }

    /// Runs a step of an authenticated run, in the frame that begins at address `base`. `rows` has
    /// three labels per AND, which are read and overwritten: see [`Step`]. The AND number advances
    /// in all steps.
    ///
    /// Like [`garble`](Kernel::garble), leaves labels on the stack, and rows too: see
    /// [`wipe`](crate::wipe).
    ///
    /// # Panics
    /// As for [`garble_at`](Kernel::garble_at), with `rows` for `tables`, and if the suite is not
    /// `half-gates`.
    pub fn authenticated_at(
        &self,
        state: &mut State,
        step: Step<'_>,
        labels: &mut LabelMemory,
        base: u32,
        ops: &Ops,
        rows: &mut [[Label; 3]],
    ) {
        check(self, labels, base, ops);
        check_rows(state.suite(), ops, 1, rows);
        // SAFETY: the checks verified all preconditions.
        unsafe {
            let frame = labels.as_mut_ptr().add(base as usize);
            (self.authenticated)(state, step, frame, ops, rows.as_mut_ptr())
        }
    }

    /// Runs a step of an authenticated run on all lanes of `wide`. The row of AND j and lane l is
    /// number `j * lanes + l` of `rows`. Leaves labels and rows on the stack, as above.
    ///
    /// # Panics
    /// As for [`garble_wide`](Kernel::garble_wide), with `rows` for `tables`, and if the suite is
    /// not `half-gates`.
    pub fn authenticated_wide(
        &self,
        state: &mut State,
        step: Step<'_>,
        labels: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
        rows: &mut [[Label; 3]],
    ) {
        check_wide(self, labels, ops, wide);
        check_rows(state.suite(), ops, wide.lanes, rows);
        let lines = Lines { labels: labels.as_mut_ptr(), wide };
        // SAFETY: the checks verified all preconditions.
        unsafe { (self.authenticated_wide)(state, step, lines, ops, rows.as_mut_ptr()) }
    }

    /// Starts leaky ANDs, as the party that has the keys `x`, each with its own share added: sets
    /// `l` to `H(K[x]) ^ key[z] ^ mac[z]`, and `g` to `H(K[x]) ^ H(K[x] ^ Δ) ^ key[y] ^ mac[y]`.
    /// K\[x\] is `x`, with Δ added if its colour bit is set. Number i is hashed as AND number
    /// `state.ands() + i` hashes its first (`half` 0) or second (1) input. The AND number advances.
    ///
    /// Like [`garble`](Kernel::garble), leaves labels on the stack: see [`wipe`](crate::wipe).
    ///
    /// # Panics
    /// If the suite is not `half-gates`, `half` is neither 0 nor 1, the slices differ in length, or
    /// the processor lacks the kernel's instructions.
    pub fn send_leaky(
        &self,
        state: &mut State,
        half: usize,
        delta: &Delta,
        (x, y, z): (&[Label], Bits<'_>, Bits<'_>),
        (l, g): (&mut [Label], &mut [Label]),
    ) {
        check_leaky(self, state.suite(), half);
        check_lengths(x.len(), [y.key, y.mac, z.key, z.mac, l, g]);
        let work = Work::Send(Sent { delta, x, y, z, l, g });
        // SAFETY: the checks verified all preconditions.
        unsafe { (self.leaky)(state, half, work) }
    }

    /// Completes leaky ANDs, as the party that has the MACs `x`: adds `H(x) ^ (g ^ key[y] ^
    /// mac[y])` to `l`, the second part only where the colour bit of `x` is set. Hashes and leaves
    /// labels as [`send_leaky`](Kernel::send_leaky) does.
    ///
    /// # Panics
    /// As for [`send_leaky`](Kernel::send_leaky).
    pub fn receive_leaky(
        &self,
        state: &mut State,
        half: usize,
        (x, y): (&[Label], Bits<'_>),
        g: &[Label],
        l: &mut [Label],
    ) {
        check_leaky(self, state.suite(), half);
        check_lengths(x.len(), [y.key, y.mac, g, l]);
        let work = Work::Receive(Received { x, y, g, l });
        // SAFETY: the checks verified all preconditions.
        unsafe { (self.leaky)(state, half, work) }
    }

    /// Encrypts at least `blocks` blocks with AES-128 in registers alone, and returns how many. No
    /// garbling can be faster than these AES rounds alone, so benchmarks divide by this rate.
    pub fn encrypt_in_registers(&self, blocks: u64) -> u64 {
        assert!(self.is_available(), "kernel {} cannot run on this processor", self.name);
        // SAFETY: the kernel is available.
        unsafe { (self.encrypt)(blocks) }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Checks the preconditions of narrow operations, but not tables. The cost grows with the number of
/// segments and moves, not of gates. 16-bit slots cannot leave the window.
fn check(kernel: &Kernel, labels: &LabelMemory, base: u32, ops: &Ops) {
    check_counts(kernel, ops);
    let (base, len) = (u64::from(base), labels.len() as u64);
    assert!(base + WINDOW as u64 <= len, "window within memory");
    let inside = |address: u32| base + u64::from(address) < len;
    assert!(ops.moves.iter().all(|m| inside(m.from) && inside(m.to)), "moves within memory");
}

/// Checks the preconditions of wide operations, but not tables, nor that each operand has a place:
/// kernels look that up for all lanes at once, and check it then. The cost grows with the number of
/// segments and of places.
fn check_wide(kernel: &Kernel, labels: &LabelMemory, ops: &Ops, Wide { lanes, places }: Wide<'_>) {
    assert!(lanes > 0, "wide operations have lanes");
    check_counts(kernel, ops);
    // A maximum and not `all`, so that compilers make vector code.
    let last = places.iter().copied().max().map_or(0, |place| place as usize);
    let outside = last.checked_add(lanes).is_none_or(|end| end > labels.len());
    assert!(places.is_empty() || !outside, "places within memory");
}

/// Checks the preconditions of leaky ANDs, but not lengths.
fn check_leaky(kernel: &Kernel, suite: Suite, half: usize) {
    assert!(kernel.is_available(), "kernel {} cannot run on this processor", kernel.name);
    assert_eq!(suite, Suite::HalfGates, "leaky ANDs are of the suite half-gates");
    assert!(half < 2, "an AND has two inputs");
}

/// Checks that all slices have `count` labels.
fn check_lengths<const N: usize>(count: usize, slices: [&[Label]; N]) {
    assert!(slices.iter().all(|labels| labels.len() == count), "{count} labels of each kind");
}

/// Checks that the processor has the instructions, and that the lengths of lists fit together.
fn check_counts(kernel: &Kernel, ops: &Ops) {
    assert!(kernel.is_available(), "kernel {} cannot run on this processor", kernel.name);
    // Sums are in 64 bits: on a 32-bit processor, 32-bit counts could wrap to the lengths and pass.
    let (mut moves, mut xors, mut ands) = (0u64, 0u64, 0u64);
    for Segment { moves: m, xors: x, ands: a } in ops.segments {
        moves += u64::from(*m);
        xors += u64::from(*x);
        ands += u64::from(*a);
    }
    assert_eq!(moves, ops.moves.len() as u64, "segments and moves");
    assert_eq!(xors, ops.xors.len() as u64, "segments and XORs");
    assert_eq!(ands, ops.ands.len() as u64, "segments and ANDs");
    assert_eq!(ands, ops.positions.len() as u64, "ANDs and their positions");
}

/// Checks that there is a table for each AND and lane.
fn check_tables(suite: Suite, ops: &Ops, lanes: usize, table_bytes: usize) {
    let bytes = ops.ands.len() as u128 * lanes as u128 * suite.table_bytes() as u128;
    assert_eq!(bytes, table_bytes as u128, "ANDs and bytes of tables");
}

/// Checks the suite, and that there is a row for each AND and lane.
fn check_rows(suite: Suite, ops: &Ops, lanes: usize, rows: &[Row3]) {
    assert_eq!(suite, Suite::HalfGates, "authenticated runs are in the suite half-gates");
    assert_eq!(ops.ands.len() as u128 * lanes as u128, rows.len() as u128, "ANDs and rows");
}
