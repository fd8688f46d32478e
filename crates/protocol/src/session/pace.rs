//! The order of messages in a session, independent of the engines.
//!
//! Two engines that run the same program request its input bits and give its outputs at different
//! times. A processor does so gate by gate, while an accelerator requests all inputs of a cycle at
//! the cycle's start. If messages followed the engines, each party could wait for something that
//! the other sends later. So messages follow the cycles instead:
//!
//! 1. *Before a cycle*, which begins when the engine first requests an input bit or tables of it:
//!    the evaluator sends the transfers for all its bits of the cycle. The garbler reads them and
//!    then sends the labels of all its own bits.
//! 2. The tables of the cycle.
//! 3. *After a cycle*, when its tables have been made or used, its input bits requested and its
//!    outputs given: if it is the last of a [window](super::outputs), the garbler sends a
//!    checkpoint and the evaluator waits for it.
//!
//! Step 1 depends only on the end of the cycle before, step 2 only on step 1, and step 3 only on
//! step 2. Whenever one party sends much at once, the other party reads. The evaluator sends
//! transfers only while the garbler reads them or few are in transit. The garbler sends its labels
//! only after it has read the transfers. Windows with more labels than fit in transit are decoded
//! before either party continues. All other messages (responses, decoding data, up to two batches
//! of transfers and up to a thousand labels ahead) fit into what a channel buffers while it is busy
//! sending.
//!
//! If a run has [parts](super::parts), read "part" for "cycle" in all of this.
//!
//! Each party holds the labels that its own engine requests later than the other party's engine: at
//! most the labels of one cycle's input bits.

use super::parts::Parts;
use super::{SessionError, check_key, contract};
use halfgate_engine::{ContractError, Suite};

/// The position within a run. If the run has several parts, cycles are these parts.
pub(super) struct Pace<'p> {
    suite: Suite,
    /// How many bytes of tables the cycles have.
    bytes: CycleBytes<'p>,
    /// Bytes of tables so far.
    tables: u64,
    /// Cycles whose inputs have been exchanged.
    entered: u64,
    /// The number of bytes of tables at which the next cycle with inputs to exchange begins.
    next_at: u64,
    has_inputs: bool,
}

enum CycleBytes<'p> {
    /// The same for all cycles.
    Each(u64),
    /// Announced by the engine cycle by cycle, if the program skips gates. `begun` cycles have
    /// begun, and the last of them ends at byte `end` of the tables.
    Announced { begun: u64, end: u64 },
    /// Those of each part's ANDs. The table of an AND has `each` bytes.
    Parts { parts: &'p Parts, each: u64 },
}

impl<'p> Pace<'p> {
    /// The start of a run, with its parts if it has any. Otherwise, each of its cycles has
    /// `cycle_bytes` bytes of tables; `None` if the engine announces them. `has_inputs` states
    /// whether cycles have input bits of their own.
    pub fn new(
        suite: Suite,
        (cycle_bytes, parts): (Option<u64>, Option<&'p Parts>),
        has_inputs: bool,
    ) -> Pace<'p> {
        let bytes = match (cycle_bytes, parts) {
            (_, Some(parts)) => CycleBytes::Parts { parts, each: suite.table_bytes() as u64 },
            (Some(bytes), None) => CycleBytes::Each(bytes),
            (None, None) => CycleBytes::Announced { begun: 0, end: 0 },
        };
        Pace { suite, bytes, tables: 0, entered: 0, next_at: 0, has_inputs }
    }

    /// The engine announces that `cycle` begins and has `table_bytes` bytes of tables.
    ///
    /// # Errors
    /// If `cycle` is not the next one, or the engine should not announce cycles;
    /// [`SessionError::KeyLimit`] if the run would exceed the ANDs that the suite allows under one
    /// key.
    pub fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), SessionError> {
        match &mut self.bytes {
            CycleBytes::Announced { begun, end } if *begun == cycle && *end == self.tables => {
                let ands = end.saturating_add(table_bytes) / self.suite.table_bytes() as u64;
                check_key(self.suite, ands, || {
                    format!("this run would pass that in cycle {cycle}")
                })?;
                *begun += 1;
                *end += table_bytes;
                Ok(())
            }
            _ => Err(contract(ContractError::CycleEarly)),
        }
    }

    /// Whether the inputs of `cycle` have not been exchanged.
    pub fn is_new(&self, cycle: u64) -> bool {
        cycle >= self.entered
    }

    /// The cycle that the next table belongs to, if its inputs have not been exchanged.
    #[inline]
    pub fn cycle_to_enter(&self) -> Option<u64> {
        (self.tables >= self.next_at).then_some(self.entered)
    }

    /// Records that the inputs of `cycle` have been exchanged.
    pub fn entered(&mut self, cycle: u64) {
        self.entered = self.entered.max(cycle + 1);
        self.next_at = match self.bytes {
            CycleBytes::Each(bytes) if self.has_inputs && bytes > 0 => {
                self.entered.saturating_mul(bytes)
            }
            CycleBytes::Parts { parts, each } if self.entered < parts.count() => {
                parts.ands(self.entered - 1) * each
            }
            CycleBytes::Parts { .. } => u64::MAX,
            // An engine that skips gates requests inputs before tables.
            CycleBytes::Each(_) | CycleBytes::Announced { .. } => u64::MAX,
        };
    }

    /// The engine makes or uses `bytes` more bytes of tables.
    ///
    /// # Errors
    /// If some of them belong to a cycle that has not begun.
    #[inline]
    pub fn tables(&mut self, bytes: usize) -> Result<(), SessionError> {
        self.tables += bytes as u64;
        let end = match self.bytes {
            CycleBytes::Each(_) | CycleBytes::Parts { .. } => self.next_at,
            CycleBytes::Announced { end, .. } => end,
        };
        match self.tables <= end {
            true => Ok(()),
            false => Err(contract(ContractError::TablesAcrossCycles)),
        }
    }

    /// Whether all tables of the cycles up to and including `cycle` have been made or used.
    pub fn is_over(&self, cycle: u64) -> bool {
        match self.bytes {
            CycleBytes::Each(bytes) => self.tables >= (cycle + 1).saturating_mul(bytes),
            CycleBytes::Parts { parts, each } => self.tables >= parts.ands(cycle) * each,
            CycleBytes::Announced { begun, end } => {
                cycle + 1 < begun || cycle + 1 == begun && self.tables == end
            }
        }
    }

    /// Checks that the engine may request inputs or give outputs of `cycle`.
    ///
    /// # Errors
    /// If not all tables of earlier cycles have been made or used.
    pub fn check_turn(&self, cycle: u64) -> Result<(), SessionError> {
        match cycle == 0 || self.is_over(cycle - 1) {
            true => Ok(()),
            false => Err(contract(ContractError::CycleEarly)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If gates are skipped, the ANDs of a run become known cycle by cycle. The last cycle that
    /// fits runs, and the next one is rejected.
    #[test]
    fn a_run_ends_before_it_exceeds_the_ands_of_its_key() {
        for suite in [Suite::HalfGatesFixedKey, Suite::Grr3] {
            let most = suite.max_ands().unwrap();
            let mut pace = Pace::new(suite, (None, None), false);
            let bytes = |ands: u64| ands * suite.table_bytes() as u64;
            pace.begin_cycle(0, bytes(most - 1)).unwrap();
            pace.tables(usize::try_from(bytes(most - 1)).unwrap()).unwrap();
            pace.begin_cycle(1, bytes(1)).unwrap();
            pace.tables(bytes(1) as usize).unwrap();
            pace.begin_cycle(2, 0).unwrap();
            let error = pace.begin_cycle(3, bytes(1)).unwrap_err();
            assert_eq!(error.class(), crate::session::ErrorClass::Usage);
            let text = error.to_string();
            let wanted = format!("{most} ANDs under one key");
            assert!(text.contains(&wanted) && text.contains("pass that in cycle 3"), "{text}");
        }
        Pace::new(Suite::HalfGates, (None, None), false).begin_cycle(0, 1 << 62).unwrap();
    }
}
