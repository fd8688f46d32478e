//! The limits of peers, and their current usage.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The limits of a peer.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Maximum number of concurrent sessions.
    pub sessions: u32,
    /// Maximum sessions per minute. This many may start at once; then one more may start each time
    /// 60 s divided by `rate` have passed.
    pub rate: u32,
    /// Maximum ANDs of a session.
    pub ands: Option<u64>,
    /// Maximum bytes of a session, both directions together.
    pub bytes: Option<u64>,
    /// Maximum duration of a session.
    pub deadline: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let deadline = Duration::from_secs(3600);
        Limits { sessions: 4, rate: 60, ands: None, bytes: None, deadline }
    }
}

/// Why a known peer is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One word, for metrics.
    pub reason: &'static str,
    /// A sentence for the peer.
    pub text: String,
}

/// The sessions in progress, and each peer's remaining rate. Memory: an entry for each peer that
/// was ever in a configuration of this process.
#[derive(Debug, Default)]
pub struct Usage(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    running: usize,
    peers: HashMap<String, PeerUsage>,
}

#[derive(Debug)]
struct PeerUsage {
    running: u32,
    /// Sessions that may start now, and when that number was computed.
    tokens: f64,
    counted: Instant,
}

/// A session's place. Released when it is dropped.
#[derive(Debug)]
pub struct Place<'u> {
    usage: &'u Usage,
    peer: String,
}

impl Usage {
    /// Sessions in progress.
    pub fn running(&self) -> usize {
        self.tables().running
    }

    /// Takes a place for a session of `peer` that starts at `now`. The server has `most` places.
    ///
    /// # Errors
    /// The reason if no place is available.
    pub fn enter(
        &self,
        peer: &str,
        limits: &Limits,
        most: usize,
        now: Instant,
    ) -> Result<Place<'_>, Refusal> {
        let mut tables = self.tables();
        let all_taken = tables.running >= most;
        let (allowed, rate) = (limits.sessions, f64::from(limits.rate));
        let usage = tables.peers.entry(peer.to_owned()).or_insert_with(|| PeerUsage {
            running: 0,
            tokens: rate,
            counted: now,
        });
        let refusal = |reason, text| Err(Refusal { reason, text });
        if usage.running >= allowed {
            let what = format!("at most {} at a time for {peer}", count(allowed, "session"));
            return refusal("sessions", format!("{what}; try again later"));
        }
        if all_taken {
            let what = format!("this server has {most} sessions at a time, and all are taken");
            return refusal("busy", format!("{what}; try again later"));
        }
        let passed = now.saturating_duration_since(usage.counted).as_secs_f64();
        usage.tokens = (usage.tokens + passed * rate / 60.0).min(rate);
        usage.counted = now;
        if usage.tokens < 1.0 {
            let what = format!("at most {} a minute for {peer}", count(limits.rate, "session"));
            let wait = ((1.0 - usage.tokens) * 60.0 / rate).ceil();
            return refusal("rate", format!("{what}; try again in {wait} s"));
        }
        usage.tokens -= 1.0;
        usage.running += 1;
        tables.running += 1;
        Ok(Place { usage: self, peer: peer.to_owned() })
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        // No code under this lock panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut tables = self.usage.tables();
        tables.running -= 1;
        if let Some(usage) = tables.peers.get_mut(&self.peer) {
            usage.running -= 1;
        }
    }
}

fn count(number: u32, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(sessions: u32, rate: u32) -> Limits {
        Limits { sessions, rate, ..Limits::default() }
    }

    #[test]
    fn places_are_released() {
        let (usage, now) = (Usage::default(), Instant::now());
        let limits = limits(2, 100);
        let first = usage.enter("alice", &limits, 3, now).unwrap();
        let second = usage.enter("alice", &limits, 3, now).unwrap();
        let refused = usage.enter("alice", &limits, 3, now).unwrap_err();
        assert_eq!(refused.reason, "sessions");
        assert_eq!(refused.text, "at most 2 sessions at a time for alice; try again later");
        let bob = usage.enter("bob", &limits, 3, now).unwrap();
        assert_eq!(usage.enter("carol", &limits, 3, now).unwrap_err().reason, "busy");
        assert_eq!(usage.running(), 3);
        drop((first, bob));
        assert_eq!(usage.running(), 1);
        let _again = usage.enter("alice", &limits, 3, now).unwrap();
        drop(second);
        assert_eq!(usage.running(), 1);
    }

    #[test]
    fn a_rate_refills_with_time_and_not_beyond_a_minute() {
        let (usage, now) = (Usage::default(), Instant::now());
        let limits = limits(9, 2);
        let begins = |after: u64| {
            usage.enter("alice", &limits, 9, now + Duration::from_secs(after)).map(drop)
        };
        assert!(begins(0).is_ok() && begins(0).is_ok());
        let refused = begins(0).unwrap_err();
        assert_eq!(refused.reason, "rate");
        assert_eq!(refused.text, "at most 2 sessions a minute for alice; try again in 30 s");
        assert!(begins(29).is_err() && begins(30).is_ok() && begins(31).is_err());
        assert!(begins(1000).is_ok() && begins(1000).is_ok() && begins(1000).is_err());
    }
}
