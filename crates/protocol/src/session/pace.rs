//! In which order things happen in a session, whatever the engines do.
//!
//! Two engines that run one program want its input bits at other moments, and give its outputs at
//! other moments: a processor as it comes to them, an accelerator all inputs of a cycle at its
//! start. If what is sent followed the engines, each could wait for what the other sends later. So
//! what is sent follows the cycles instead:
//!
//! 1. *Before a cycle*, which begins when the engine first wants an input bit or tables of it: the
//!    evaluator sends the transfers for all its bits of the cycle, then the garbler, having read
//!    them, the labels of all its own bits.
//! 2. The tables of the cycle.
//! 3. *After a cycle*, when its tables have been made or used, its input bits asked for and its
//!    outputs given: if it is the last of a [window](super::outputs), the garbler sends a
//!    checkpoint and the evaluator waits for it.
//!
//! Nothing of 1 waits for anything but the end of the cycle before, nothing of 2 but for 1, and
//! nothing of 3 but for 2. Where a party sends much at once, the other one reads: the evaluator
//! sends transfers only while the garbler reads them or few are under way, the garbler its labels
//! only when it has read them; and windows of more labels than fit under way are decoded before
//! either goes on. What is sent besides (answers, decoding data, transfers up to two batches and
//! labels up to a thousand ahead) fits what a channel takes in while it is busy sending.
//!
//! Both parties hold what the other one's engine wanted earlier: at most the labels of the input
//! bits of a cycle.

use super::{SessionError, check_key, contract};
use halfgate_engine::{ContractError, Suite};

/// How far a run is.
pub(super) struct Pace {
    suite: Suite,
    /// How many bytes of tables the cycles have.
    bytes: CycleBytes,
    /// Bytes of tables so far.
    tables: u64,
    /// Cycles whose inputs have been exchanged.
    entered: u64,
    /// At so many bytes of tables the next cycle begins whose inputs must be exchanged.
    next_at: u64,
    has_inputs: bool,
}

enum CycleBytes {
    /// All the same.
    Each(u64),
    /// As the engine says where the program skips, cycle by cycle: so many have begun, and the last
    /// of them ends at so many bytes of tables.
    Reported { begun: u64, end: u64 },
}

impl Pace {
    /// A run whose cycles have `cycle_bytes` bytes of tables, or as the engine says, and input bits
    /// of their own or not.
    pub fn new(suite: Suite, cycle_bytes: Option<u64>, has_inputs: bool) -> Pace {
        let bytes = match cycle_bytes {
            Some(bytes) => CycleBytes::Each(bytes),
            None => CycleBytes::Reported { begun: 0, end: 0 },
        };
        Pace { suite, bytes, tables: 0, entered: 0, next_at: 0, has_inputs }
    }

    /// The engine says that `cycle` begins, and how many bytes of tables it has.
    ///
    /// # Errors
    /// If it is not the next one's turn, or the engine need not say; [`SessionError::KeyLimit`] if
    /// the cycle would pass the ANDs that the suite allows under one key.
    pub fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), SessionError> {
        match &mut self.bytes {
            CycleBytes::Reported { begun, end } if *begun == cycle && *end == self.tables => {
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

    /// The inputs of `cycle` have been exchanged.
    pub fn entered(&mut self, cycle: u64) {
        self.entered = self.entered.max(cycle + 1);
        self.next_at = match self.bytes {
            CycleBytes::Each(bytes) if self.has_inputs && bytes > 0 => {
                self.entered.saturating_mul(bytes)
            }
            // An engine that skips asks for inputs before tables.
            CycleBytes::Each(_) | CycleBytes::Reported { .. } => u64::MAX,
        };
    }

    /// The engine makes or uses so many bytes of tables.
    ///
    /// # Errors
    /// If some are of a cycle after the one that is due.
    #[inline]
    pub fn tables(&mut self, bytes: usize) -> Result<(), SessionError> {
        self.tables += bytes as u64;
        let end = match self.bytes {
            CycleBytes::Each(_) => self.next_at,
            CycleBytes::Reported { end, .. } => end,
        };
        match self.tables <= end {
            true => Ok(()),
            false => Err(contract(ContractError::TablesAcrossCycles)),
        }
    }

    /// Whether all tables up to and with those of `cycle` have been made or used.
    pub fn is_over(&self, cycle: u64) -> bool {
        match self.bytes {
            CycleBytes::Each(bytes) => self.tables >= (cycle + 1).saturating_mul(bytes),
            CycleBytes::Reported { begun, end } => {
                cycle + 1 < begun || cycle + 1 == begun && self.tables == end
            }
        }
    }

    /// # Errors
    /// If the engine asks for inputs or gives outputs of `cycle` before all tables of those before
    /// it.
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

    /// Where programs skip, the ANDs of a run are known cycle by cycle: the last cycle that fits
    /// runs, and the next one does not begin.
    #[test]
    fn a_key_that_wears_out_ends_the_run_before_its_cap_is_passed() {
        for suite in [Suite::HalfGatesFixedKey, Suite::Grr3] {
            let most = suite.max_ands().unwrap();
            let mut pace = Pace::new(suite, None, false);
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
        Pace::new(Suite::HalfGates, None, false).begin_cycle(0, 1 << 62).unwrap();
    }
}
