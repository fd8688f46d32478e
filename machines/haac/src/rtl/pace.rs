//! How fast memory answers, and whether it does.

use crate::engine::Disturbance;

/// Where memory fails, for tests of what happens then: requests are counted as they are answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The answer after so many is an error (SLVERR).
    ErrorAfter(u64),
    /// After so many nothing is answered any more.
    IdleAfter(u64),
}

/// Quick, or disturbed.
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

    /// Cycles that an answer is late.
    pub fn late(&mut self) -> u64 {
        match self.disturbance {
            Some(by) => self.random() % (u64::from(by.extra_latency) + 1),
            None => 0,
        }
    }

    /// Whether a channel takes anything in this cycle.
    pub fn accepts(&mut self) -> bool {
        match self.disturbance {
            Some(by) => !self.chance(by.refuse_percent),
            None => true,
        }
    }

    /// Whether a channel begins to answer in this cycle what it could.
    pub fn responses(&mut self) -> bool {
        if matches!(self.failure, Some(Failure::IdleAfter(after)) if self.responded >= after) {
            return false;
        }
        self.responded += 1;
        true
    }

    /// Whether the answer that is begun is an error.
    pub fn fails(&self) -> bool {
        matches!(self.failure, Some(Failure::ErrorAfter(after)) if self.responded == after + 1)
    }

    /// Which engines may not issue in this cycle, a bit each.
    pub fn stalls(&mut self, engines: u32) -> u64 {
        let Some(by) = self.disturbance.filter(|by| by.stall_percent > 0) else { return 0 };
        (0..engines).filter(|_| self.chance(by.stall_percent)).fold(0, |mask, e| mask | 1 << e)
    }

    /// Whether engines ever may not.
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
