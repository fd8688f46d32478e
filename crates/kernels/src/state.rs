//! The progress of a run.

use crate::schedule::{RoundKeys, Schedule};
use crate::suite::Suite;

/// The progress of a run and the keys of its hash, for one garbling or one evaluation.
pub struct State {
    suite: Suite,
    pub(crate) hashing: Hashing,
    pub(crate) next_and: u64,
    pub(crate) cycle: u64,
    pub(crate) first_position: u64,
}

pub(crate) enum Hashing {
    ReKeyed(Schedule),
    FixedKey {
        keys: RoundKeys,
        sigma: bool,
    },
    /// The suites whose tables are three rows. All kernels share their code: see
    /// [`rows`](crate::rows).
    Rows,
    /// The same, with a hash that has a key.
    KeyedRows(Box<Cipher>),
}

impl State {
    /// Makes the state at the start of a run.
    pub(crate) fn new(suite: Suite, hashing: Hashing) -> State {
        State { suite, hashing, next_and: 0, cycle: 0, first_position: 0 }
    }

    /// The suite of the run.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// Starts the next cycle. AND numbers continue, positions restart.
    pub fn next_cycle(&mut self) {
        self.cycle += 1;
    }

    /// Number of ANDs run so far.
    pub fn ands(&self) -> u64 {
        self.next_and
    }

    /// Continues with AND number `and` of the run, which may be lower or higher than the present
    /// one: for machines that do not run ANDs in program order. The caller keeps track of
    /// positions. The call is free among numbers that share a round key table (128), and costs some
    /// key expansions otherwise.
    pub fn go_to(&mut self, and: u64) {
        self.next_and = and;
    }

    /// Continues with this cycle, as if [`next_cycle`](State::next_cycle) had been called that many
    /// times.
    pub fn go_to_cycle(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    /// Adds `first` to the positions of all operations that follow, in later cycles too. It is 0 at
    /// the start. Only suites that tweak by position use it. Sums must be less than 2^63.
    pub fn go_to_position(&mut self, first: u64) {
        self.first_position = first;
    }
}

/// π of `grr3`: AES-128 under a public key.
pub(crate) type Cipher = aes::Aes128Enc;
