//! The speed of memory, and its failures.

use super::LABEL;
use crate::engine::Disturbance;
use halfgate_haac_model::model::config::Config;

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

/// Latency and bandwidth, as in the written contract.
#[derive(Clone, Copy, Debug)]
struct Contract {
    latency: u64,
    /// Credit gained per cycle, its maximum, and the cost of a byte.
    step: u64,
    cap: u64,
    byte: u64,
    /// Bytes for which a label counts.
    wire_bytes: u64,
    credit: u64,
}

/// The timing of memory: fast, disturbed, or with latency and bandwidth of its own.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    contract: Option<Contract>,
    disturbance: Option<Disturbance>,
    failure: Option<Failure>,
    responded: u64,
    state: u64,
}

impl Pace {
    pub fn new(disturbance: Option<Disturbance>, failure: Option<Failure>) -> Pace {
        let state = disturbance.map_or(0, |disturbance| disturbance.seed);
        Pace { contract: None, disturbance, failure, responded: 0, state }
    }

    /// A memory that keeps the contract of `config` by itself: it accepts requests within the
    /// bandwidth, and responds to each after the latency.
    pub fn with_contract(self, config: &Config) -> Pace {
        let contract = Contract {
            latency: config.latency,
            step: config.credit_step,
            cap: config.credit_cap,
            byte: config.credit_byte,
            wire_bytes: config.wire_bytes.into(),
            credit: 0,
        };
        Pace { contract: Some(contract), ..self }
    }

    /// Begins a cycle. Returns the port that comes first in it: if bandwidth limits ports, they
    /// take turns.
    pub fn begin(&mut self, now: u64, ports: usize) -> usize {
        let Some(contract) = &mut self.contract else { return 0 };
        contract.credit = (contract.credit + contract.step).min(contract.cap);
        (now % ports as u64) as usize
    }

    /// Delay of a response, in cycles.
    pub fn late(&mut self) -> u64 {
        let latency = self.contract.map_or(0, |contract| contract.latency.saturating_sub(1));
        match self.disturbance {
            Some(by) => latency + self.random() % (u64::from(by.extra_latency) + 1),
            None => latency,
        }
    }

    /// Whether bandwidth is left for another request in this cycle.
    pub fn has_credit(&self) -> bool {
        self.contract.is_none_or(|contract| contract.credit >= 64 * contract.byte)
    }

    /// Counts a request that was accepted.
    pub fn charge(&mut self, bytes: usize) {
        if let Some(contract) = &mut self.contract {
            let bytes = if bytes == LABEL { contract.wire_bytes } else { bytes as u64 };
            contract.credit = contract.credit.saturating_sub(bytes * contract.byte);
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
