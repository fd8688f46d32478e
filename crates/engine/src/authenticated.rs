//! Walks of an authenticated run: malicious security by authenticated garbling (Katz, Ranellucci,
//! Rosulek, Wang, CRYPTO 2018).
//!
//! Each wire w has a mask λw, which neither party knows. The garbler has the share Xw and the
//! evaluator the share Mw, with `Mw = Xw ^ λw·Δ`; Δ is the garbler's offset. The masked value
//! `Λw = value ^ λw` is public. The false label of each wire has colour bit 0, so the colour bit of
//! the active label is Λw. An inversion changes neither labels nor Λw. It flips the mask: the
//! garbler XORs Δ to its share.
//!
//! So a run is three [walks](Authenticated::walk) through a program, one for each [`Step`]. Each
//! party walks shares; then the garbler garbles, and the evaluator evaluates. A walk has one *row*
//! of three labels for each AND, in program order, which the caller fills and takes back in
//! [windows](AuthenticatedIo::rows).

use crate::{Counters, EngineError, IoError, RunKey};
use halfgate_circuit::Wire;
use halfgate_kernels::Label;
pub use halfgate_kernels::Step;

/// The input and output of a walk of an authenticated run. An error returned from a method ends the
/// walk and reaches the caller.
///
/// The order of inputs and the rules for cycles and outputs are those of [`io`](crate::io), with
/// rows in place of tables. All walks of a program on one engine call the methods in the same
/// order. The label of the public constant 0 is zero in every step, and is never requested.
pub trait AuthenticatedIo {
    /// Fills `labels[i]` with the label of input bit `bits[i]` in `cycle`: its share, its false
    /// label with colour bit 0, or its active label.
    fn inputs(&mut self, cycle: u64, bits: &[Wire], labels: &mut [Label]) -> Result<(), IoError>;

    /// Returns rows for the next ANDs: at least one, at most `most`, and fewer than `most` at the
    /// end of a window. The caller has filled them as the [`Step`] requires. The engine replaces
    /// them by the step's results before it calls any other method, and then calls
    /// [`rows_ready`](AuthenticatedIo::rows_ready).
    fn rows(&mut self, most: usize) -> Result<&mut [[Label; 3]], IoError>;

    /// Reports that the last rows hold the results.
    fn rows_ready(&mut self) -> Result<(), IoError>;

    /// Takes labels of output bits (numbered through all outputs, in order) in `cycle`: shares,
    /// false labels or active labels. For a bit that is an inverted wire, the inversion is applied
    /// to shares, and changes no other label.
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError>;

    /// Passes on a note for the user.
    fn note(&mut self, what: &str) -> Result<(), IoError> {
        let _ = what;
        Ok(())
    }

    /// Reports progress, from time to time: the cycles and ANDs done, including skipped ANDs.
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        let _ = (cycles, ands);
        Ok(())
    }
}

/// A prepared program whose engine can walk it for an authenticated run. Several walks may run at
/// the same time, on different threads. A walk uses no thread but its caller's.
pub trait Authenticated: Sync {
    /// Runs `step` on `cycles` cycles of the body. The caller wipes the stack afterwards, as after
    /// [`garble`](crate::Prepared::garble).
    ///
    /// # Errors
    /// Those of `io`, unchanged, as [`EngineError::Io`], and if the suite is not
    /// [`HalfGates`](crate::Suite::HalfGates).
    fn walk(
        &self,
        key: RunKey,
        step: Step<'_>,
        cycles: u64,
        io: &mut dyn AuthenticatedIo,
    ) -> Result<Counters, EngineError>;
}
