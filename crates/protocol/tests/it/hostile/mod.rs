//! Every message in every state, from a hostile peer.
//!
//! [`model`] defines which messages are allowed in which state. A session runs between two honest
//! parties. Whenever one of them, the *victim*, waits for its peer, the process forks
//! ([`snapshot`]). Each child receives another message ([`messages`]) instead of the honest frame,
//! after which its peer is gone. It is a failure if a child hangs, panics, allocates more than
//! [`victim::MAX_GROWTH`], ends in a way that the model does not allow, or reports a result that is
//! wrong or unverified. The report of a failure has everything needed to repeat it, except the
//! parties' own randomness.
//!
//! The peer of [`follow`] continues after its message and recomputes all checksums and digests. The
//! peer of [`time`] becomes idle. Those of [`records`] use TLS, or break it.
//!
//! This command sends a million messages in all:
//!
//!     HALFGATE_HOSTILE=1000000 cargo nextest run --profile long -p halfgate-protocol \
//!         --run-ignored all hostile::
//!
//! They are divided equally between the two roles and each role's ten states; with 20,000,000 there
//! are a million in every state. `HALFGATE_HOSTILE_SEED` selects other messages. A message takes
//! about a millisecond of a core.

pub mod cases;
mod follow;
pub mod link;
pub mod messages;
mod model;
pub mod outcome;
pub mod records;
pub mod snapshot;
mod time;
mod victim;

use halfgate_circuit::Party;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use victim::{Plan, Tally, attack};

/// Messages in the sample, for each role.
const SAMPLE: u64 = 10_000;

/// Maximum messages in a state of one session. The next session has other secrets.
const AT_ONCE: u64 = 300;

pub fn number(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")),
        Err(_) => otherwise,
    }
}

/// Calls `one` with each number below `count`, on this many threads, because most of the time is
/// spent waiting.
fn on_threads(threads: u64, count: u64, one: &(dyn Fn(u64) + Sync)) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    one(number);
                }
            });
        }
    });
}

/// Sends about `count` messages to `victim`, equally many in each state. Each place where the
/// sessions reach a state gets its share of them.
fn send_all(victim: Party, count: u64) {
    let seed = number("HALFGATE_HOSTILE_SEED", 1);
    let cases = cases::all(seed);
    let mut all = Tally::default();
    let none = BTreeMap::new();
    for case in &cases {
        all.add(attack(case, victim, Plan { each: &none, first: 0, most: 0, seed }));
    }
    let share = count.div_ceil(all.places.len() as u64);
    let each = all.places.iter().map(|(state, places)| (*state, share.div_ceil(*places))).collect();
    let rounds = BTreeMap::values(&each).max().copied().unwrap_or_default();
    let begin = Instant::now();
    for first in (0..rounds).step_by(AT_ONCE as usize) {
        for (index, case) in (0..).zip(&cases) {
            if all.is_enough() {
                break;
            }
            let seed = seed ^ index << 56;
            all.add(attack(case, victim, Plan { each: &each, first, most: AT_ONCE, seed }));
        }
    }
    all.report(victim, seed, begin.elapsed());
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (state, count) in other.messages {
            *self.messages.entry(state).or_default() += count;
        }
        for (state, count) in other.places {
            *self.places.entry(state).or_default() += count;
        }
        self.hung += other.hung;
        self.panicked += other.panicked;
        self.results += other.results;
        self.growth = self.growth.max(other.growth);
        self.complaints.extend(other.complaints);
    }

    fn report(&self, victim: Party, seed: u64, took: Duration) {
        for (state, count) in &self.messages {
            println!("hostile messages to the {victim} that waits for {state:?}: {count}");
        }
        let total: u64 = self.messages.values().sum();
        println!(
            "hostile messages: {total}; hangs {}, panics {}, results {}; at most {} KiB allocated \
             for one; seed {seed}, {took:.1?}",
            self.hung,
            self.panicked,
            self.results,
            self.growth >> 10
        );
        let text = self.complaints.join("\n");
        assert!(
            self.complaints.is_empty(),
            "{} went wrong, of which:\n{text}",
            self.complaints.len()
        );
    }
}

#[test]
fn a_garbler_withstands_every_message_in_every_state() {
    send_all(Party::Garbler, SAMPLE);
}

#[test]
fn an_evaluator_withstands_every_message_in_every_state() {
    send_all(Party::Evaluator, SAMPLE);
}

/// `HALFGATE_HOSTILE` messages in all, half of them to each role; a million by default.
#[test]
#[ignore = "minutes"]
fn a_garbler_withstands_a_million_messages() {
    send_all(Party::Garbler, number("HALFGATE_HOSTILE", 1_000_000) / 2);
}

/// The same for the evaluator.
#[test]
#[ignore = "minutes"]
fn an_evaluator_withstands_a_million_messages() {
    send_all(Party::Evaluator, number("HALFGATE_HOSTILE", 1_000_000) / 2);
}
