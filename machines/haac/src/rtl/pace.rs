//! The speed of memory, and its failures.

use crate::engine::Disturbance;

/// Failures of memory, for tests. They happen after a number of responses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The response after this number of responses is an error (SLVERR).
    ErrorAfter(u64),
    /// RLAST is inverted in all read responses after this number of responses.
    WrongLastAfter(u64),
    /// After this number of responses, memory sends no more.
    IdleAfter(u64),
}

/// The timing of memory: fast, or disturbed.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    disturbance: Option<Disturbance>,
    failure: Option<Failure>,
    responded: u64,
    state: u64,
}

impl Pace {
    pub fn new(disturbance: Option<Disturbance>, failure: Option<Failure>) -> Pace {
        let state = disturbance.map_or(0, |disturbance| disturbance.seed);
        Pace { disturbance, failure, responded: 0, state }
    }

    /// Delay of a response, in cycles.
    pub fn late(&mut self) -> u64 {
        match self.disturbance {
            Some(by) => self.random() % (u64::from(by.extra_latency) + 1),
            None => 0,
        }
    }

    /// Whether a channel accepts transfers in this cycle.
    pub fn accepts(&mut self) -> bool {
        match self.disturbance {
            Some(by) => !self.chance(by.refuse_percent),
            None => true,
        }
    }

    /// Whether a channel starts a due response in this cycle.
    pub fn responses(&mut self) -> bool {
        if matches!(self.failure, Some(Failure::IdleAfter(after)) if self.responded >= after) {
            return false;
        }
        self.responded += 1;
        true
    }

    /// Whether the response that has been started is an error.
    pub fn fails(&self) -> bool {
        matches!(self.failure, Some(Failure::ErrorAfter(after)) if self.responded == after + 1)
    }

    /// Whether RLAST is wrong in the response that has been started.
    pub fn inverts_last(&self) -> bool {
        matches!(self.failure, Some(Failure::WrongLastAfter(after)) if self.responded > after)
    }

    /// Engines that may not issue in this cycle, as a bit mask.
    pub fn stalls(&mut self, engines: u32) -> u64 {
        let Some(by) = self.disturbance.filter(|by| by.stall_percent > 0) else { return 0 };
        (0..engines).filter(|_| self.chance(by.stall_percent)).fold(0, |mask, e| mask | 1 << e)
    }

    /// Whether engines can be kept from issuing at all.
    pub fn has_stalls(&self) -> bool {
        self.disturbance.is_some_and(|by| by.stall_percent > 0)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random() % 100 < u64::from(percent)
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
