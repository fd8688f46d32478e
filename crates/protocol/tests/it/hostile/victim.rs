//! A session whose victim receives hostile messages in each of its states.

use super::cases::Case;
use super::link::{End, pipe};
use super::messages::{Around, Message, Random, message};
use super::model::{Model, State, Verdict, is_life};
use super::outcome::{Outcome, RESULT, Watch};
use super::snapshot::{ChildOutput, Ended};
use crate::memory;
use halfgate_circuit::Party;
use halfgate_protocol::frame::MAX_PAYLOAD;
use halfgate_protocol::stream::Stream;
use halfgate_protocol::stream_channel::StreamChannel;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};

/// Maximum memory that a message, including floods of 4 MiB, may make a victim allocate. The sum
/// of: the longest frame; 4 MiB of tables that an evaluator queues until it has the labels that
/// they need, and 6 MiB that a channel reads ahead; and half as much again for these two while they
/// grow.
pub const MAX_GROWTH: usize = MAX_PAYLOAD + (6 << 20) + (9 << 20);

/// The attack on a session.
pub struct Plan<'p> {
    /// Messages at each place, by the state of the victim there.
    pub each: &'p BTreeMap<State, u64>,
    /// The number of the first message, and the maximum count.
    pub first: u64,
    pub most: u64,
    pub seed: u64,
}

/// The results of attacks.
#[derive(Default)]
pub struct Tally {
    /// Messages by the state of the victim.
    pub messages: BTreeMap<State, u64>,
    pub hung: u64,
    pub panicked: u64,
    /// Results that are wrong or not verified.
    pub results: u64,
    /// The first failures.
    pub complaints: Vec<String>,
    /// The most memory that a message made a victim allocate.
    pub growth: usize,
    /// Places where messages were or could have been sent.
    pub places: BTreeMap<State, u64>,
}

/// In a child: the message's description, how the session may end, and the memory allocated before.
struct Trial {
    verdict: Verdict,
    about: String,
    live: usize,
}

struct Shared<'c> {
    model: Model<'c>,
    tally: Tally,
    child_output: ChildOutput,
    trial: Option<Trial>,
}

/// The victim's stream: honest frames one by one, and in children a message instead.
struct Watched<'c> {
    end: End,
    nonblocking: bool,
    plan: Plan<'c>,
    case: &'c Case,
    victim: Party,
    shared: Arc<Mutex<Shared<'c>>>,
    before: Vec<u8>,
    ended: bool,
    /// The bytes to be read, and how many of them were read.
    bytes: Vec<u8>,
    read: usize,
    piece: usize,
    /// In a child, whether writing fails once everything is read.
    script: Option<bool>,
}

impl Watched<'_> {
    /// Tries all messages instead of the honest peer's frame `next`. In children, the message
    /// arrives instead.
    fn attack(&mut self, next: Option<&[u8]>) {
        let shared = Arc::clone(&self.shared);
        let mut shared = shared.lock().unwrap();
        let Shared { model, tally, child_output, trial } = &mut *shared;
        let state = model.state(next);
        *tally.places.entry(state).or_default() += 1;
        // The place is part of the seed, so that each place has messages of its own.
        let place = tally.places.values().sum::<u64>();
        let each = self.plan.each.get(&state).copied().unwrap_or_default();
        let end = each.min(self.plan.first + self.plan.most);
        let after = self.end.peek_frame();
        let before = if self.before.is_empty() { next } else { Some(&self.before[..]) };
        let around = Around { model, before: before.unwrap(), next, after: after.as_deref() };
        for number in self.plan.first..end {
            if tally.is_enough() {
                return;
            }
            let seed = self.plan.seed ^ (place << 48) ^ (number << 8);
            let message = || message(&around, number + place, &mut Random(seed));
            let Some(child) = child_output.fork() else {
                let message = message();
                let verdict = around.model.judge(&message.bytes, next);
                let about = format!("{}: {}", self.about(state, number, place), message.what);
                self.deliver(message);
                *trial = Some(Trial { verdict, about, live: memory::restart() });
                return;
            };
            *tally.messages.entry(state).or_default() += 1;
            let complaint = match child.wait(child_output) {
                Ended::Output(text) => match text.strip_prefix("grew ") {
                    Some(growth) => {
                        tally.growth = tally.growth.max(growth.parse().unwrap());
                        continue;
                    }
                    None => {
                        tally.results += u64::from(text.contains(RESULT));
                        text
                    }
                },
                Ended::Hung => {
                    tally.hung += 1;
                    format!("{}: hung after {}", self.about(state, number, place), message().what)
                }
                Ended::Panicked(text) => {
                    tally.panicked += 1;
                    let about = self.about(state, number, place);
                    format!("{about}: {}: {text}", message().what)
                }
                Ended::Died => {
                    tally.panicked += 1;
                    format!("{}: died of {}", self.about(state, number, place), message().what)
                }
            };
            tally.complaints.push(complaint);
        }
    }

    fn about(&self, state: State, number: u64, place: u64) -> String {
        format!(
            "{}: the {} waits for {state:?}, seed {} place {} message {number}",
            self.case.name, self.victim, self.plan.seed, place
        )
    }

    fn deliver(&mut self, message: Message) {
        self.script = Some(message.hangs_up);
        (self.bytes, self.read, self.piece) = (message.bytes, 0, message.piece);
    }
}

impl Tally {
    /// Whether to stop: more failures would show nothing new, and a hang takes time.
    pub fn is_enough(&self) -> bool {
        self.hung > 0 || self.complaints.len() > 5
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.bytes.len() && self.script.is_none() && !self.ended {
            // Reading while the victim is busy would make its state depend on timing.
            if self.nonblocking {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let next = self.end.take_frame()?;
            // While children are tried, the honest peer waits and sends heartbeats.
            if !next.as_deref().is_some_and(is_life) {
                self.attack(next.as_deref());
            }
            if self.script.is_none() {
                self.ended = next.is_none();
                (self.bytes, self.read, self.piece) = (next.unwrap_or_default(), 0, usize::MAX);
                if !self.ended {
                    self.shared.lock().unwrap().model.received(&self.bytes);
                    self.before = self.bytes.clone();
                }
            }
        }
        let rest = &self.bytes[self.read..];
        let count = rest.len().min(buffer.len()).min(self.piece);
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.script {
            None => {
                self.shared.lock().unwrap().model.sent(bytes);
                // The peer may have finished and closed while children of this process are still
                // tried.
                let _ = self.end.write(bytes);
                Ok(bytes.len())
            }
            Some(true) if self.read == self.bytes.len() => Err(io::ErrorKind::BrokenPipe.into()),
            Some(_) => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Watched<'_> {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        self.nonblocking = on;
        self.end.set_nonblocking(on)
    }

    fn close(&mut self) -> io::Result<()> {
        if self.script.is_none() { self.end.close() } else { Ok(()) }
    }
}

/// Runs a session between honest parties; in each of its states the victim receives the messages of
/// `plan`. The session itself must succeed.
pub fn attack<'c>(case: &'c Case, victim: Party, plan: Plan<'c>) -> Tally {
    let (near, far) = pipe();
    let model = Model::new(case, victim);
    let (tally, child_output) = (Tally::default(), ChildOutput::new());
    let shared = Arc::new(Mutex::new(Shared { model, tally, child_output, trial: None }));
    let stream = Watched {
        end: near,
        nonblocking: false,
        plan,
        case,
        victim,
        shared: Arc::clone(&shared),
        before: Vec::new(),
        ended: false,
        bytes: Vec::new(),
        read: 0,
        piece: usize::MAX,
        script: None,
    };
    std::thread::scope(|scope| {
        let peer = scope.spawn(|| {
            let mut watch = Watch::new(case, victim.other());
            let outcome = watch.run(&mut StreamChannel::new(far));
            Outcome::of(case, victim.other(), outcome, &watch)
        });
        let mut watch = Watch::new(case, victim);
        let mut channel = StreamChannel::new(stream);
        let outcome = watch.run(&mut channel);
        let outcome = Outcome::of(case, victim, outcome, &watch);
        let mut guard = shared.lock().unwrap();
        if let Some(trial) = guard.trial.take() {
            let text = trial.end(&outcome, victim);
            guard.child_output.exit(&text);
        }
        drop(guard);
        drop(channel);
        let other = peer.join().unwrap();
        let complete = outcome.is_complete(case) && other.is_complete(case);
        assert!(complete, "{}: the {victim}: {outcome:?}; its peer: {other:?}", case.name);
    });
    Arc::into_inner(shared).unwrap().into_inner().unwrap().tally
}

impl Trial {
    /// The child's report about the end of the session.
    fn end(&self, outcome: &Outcome, victim: Party) -> String {
        let growth = memory::peak() - self.live;
        let about = &self.about;
        if let Err(what) = outcome.check(&self.verdict, victim.other()) {
            return format!("{about}: {what}");
        }
        if growth > MAX_GROWTH {
            return format!("{about}: {growth} bytes more were allocated");
        }
        format!("grew {growth}")
    }
}
