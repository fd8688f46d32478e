//! How far a run has come.

use crate::schedule::{RoundKeys, Schedule};
use crate::suite::Suite;

/// How far a run has come, and the keys of its hash. One for a garbling or an evaluation.
pub struct State {
    suite: Suite,
    pub(crate) hashing: Hashing,
    pub(crate) next_and: u64,
    pub(crate) cycle: u64,
}

pub(crate) enum Hashing {
    ReKeyed(Schedule),
    FixedKey {
        keys: RoundKeys,
        sigma: bool,
    },
    /// No kernel's own: see [`rows`](crate::rows).
    Rows,
    /// The same, under a key.
    KeyedRows(Box<Cipher>),
}

impl State {
    /// The start of a run.
    pub(crate) fn new(suite: Suite, hashing: Hashing) -> State {
        State { suite, hashing, next_and: 0, cycle: 0 }
    }

    /// The suite of the run.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// Starts the next run of the body; AND numbers go on, positions begin anew.
    pub fn next_cycle(&mut self) {
        self.cycle += 1;
    }

    /// ANDs run so far.
    pub fn ands(&self) -> u64 {
        self.next_and
    }

    /// Goes on with AND number `and` of the run, be it before or after those that were run: for
    /// machines that do not run ANDs in program order. Positions are the caller's affair. Costs
    /// nothing among numbers that share a round key table (128), some expansions of a key
    /// elsewhere.
    pub fn go_to(&mut self, and: u64) {
        self.next_and = and;
    }

    /// Goes on with this run of the body, as if [`next_cycle`](State::next_cycle) had been called
    /// so often.
    pub fn go_to_cycle(&mut self, cycle: u64) {
        self.cycle = cycle;
    }
}

/// π of `grr3`: AES-128 under a public key.
pub(crate) type Cipher = aes::Aes128Enc;
