//! A kernel: the code that runs operations on one instruction set, behind checks that make it safe.

pub use crate::state::State;

use crate::label::{Delta, Label};
use crate::lanes::Row;
use crate::memory::LabelMemory;
use crate::ops::{Ops, Segment};
use crate::rows;
use crate::schedule::{RoundKeys, Schedule};
use crate::state::Hashing;
use crate::suite::Suite;
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
        check(self, state.suite(), labels, ops, tables.len());
        if !state.suite().has_half_gates() {
            return rows::garble(state, delta.label(), labels, ops, tables);
        }
        // SAFETY: `check` verified all preconditions.
        unsafe {
            (self.garble)(
                state,
                delta.label(),
                labels.as_mut_ptr(),
                ops,
                tables.as_mut_ptr().cast(),
            )
        }
    }

    /// Evaluates `ops` with one table of the suite's size from `tables` per AND.
    ///
    /// # Panics
    /// As for [`garble`](Kernel::garble).
    pub fn evaluate(&self, state: &mut State, labels: &mut LabelMemory, ops: &Ops, tables: &[u8]) {
        check(self, state.suite(), labels, ops, tables.len());
        if !state.suite().has_half_gates() {
            return rows::evaluate(state, labels, ops, tables);
        }
        // SAFETY: `check` verified all preconditions.
        unsafe { (self.evaluate)(state, labels.as_mut_ptr(), ops, tables.as_ptr().cast()) }
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

/// Checks the kernels' preconditions. The cost grows with the number of segments and moves, not of
/// gates. 16-bit slots cannot leave label memory, which is never smaller than the window.
fn check(kernel: &Kernel, suite: Suite, labels: &LabelMemory, ops: &Ops, table_bytes: usize) {
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
    let bytes = ands * suite.table_bytes() as u64;
    assert_eq!(bytes, table_bytes as u64, "ANDs and bytes of tables");
    let inside = |address: u32| (address as usize) < labels.len();
    assert!(ops.moves.iter().all(|m| inside(m.from) && inside(m.to)), "moves within memory");
}
