//! A hostile peer that stops sending, in each state: idle, sending only heartbeats, or sending a
//! byte at a time.

use super::cases::{self, Case};
use super::link::{End, pipe};
use super::messages::frame;
use super::model::{Model, State, is_life};
use super::outcome::{Outcome, Watch};
use super::{number, on_threads};
use halfgate_circuit::Party;
use halfgate_protocol::frame::{HEADER, Header, Kind};
use halfgate_protocol::session::ErrorClass;
use halfgate_protocol::stream::Stream;
use halfgate_protocol::stream_channel::StreamChannel;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The victim's idle timeout, and the limit of each step.
const IDLE_TIMEOUT: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(1500);

/// The time after which a victim counts as held for ever, even on a busy computer.
const HELD: Duration = Duration::from_secs(20);

/// Time between two bytes or heartbeats.
const OFTEN: Duration = Duration::from_millis(20);

/// What the stalled peer still does.
#[derive(Clone, Copy, Debug)]
enum Stall {
    Idle,
    Lives,
    Drips,
}

const STALLS: [Stall; 3] = [Stall::Idle, Stall::Lives, Stall::Drips];

/// The state in which a peer stalled, and the minimum and maximum number of runs that may be
/// reported then.
type Place = (State, (usize, usize));

/// What the test observes of a session.
struct Seen<'c> {
    model: Model<'c>,
    /// Where the peer stalled.
    place: Option<Place>,
    places: u64,
}

/// The stream of a victim whose peer stalls instead of sending its frame number `at`.
struct Stalled<'c> {
    end: End,
    at: Option<u64>,
    stall: Stall,
    seen: Arc<Mutex<Seen<'c>>>,
    bytes: Vec<u8>,
    read: usize,
    nonblocking: bool,
    stalled: bool,
}

impl Stalled<'_> {
    /// Waits as a read from the stalled peer does.
    fn wait(&mut self) -> io::Result<()> {
        if self.nonblocking {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        std::thread::sleep(OFTEN);
        let sequence = &mut self.seen.lock().unwrap().model.sequence;
        self.bytes = match self.stall {
            Stall::Idle => return Err(io::ErrorKind::WouldBlock.into()),
            Stall::Lives => {
                *sequence += 1;
                frame(Kind::Heartbeat, *sequence - 1, &[0; 8])
            }
            Stall::Drips if self.stalled => vec![0],
            Stall::Drips => {
                let mut header = vec![0; HEADER];
                Header::write_fields(Kind::Tables, *sequence, 1 << 20, &mut header);
                header
            }
        };
        self.stalled = true;
        self.read = 0;
        Ok(())
    }
}

impl Read for Stalled<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.bytes.len() {
            if self.seen.lock().unwrap().place.is_some() {
                self.wait()?;
            } else {
                let next = self.end.take_frame()?;
                let mut seen = self.seen.lock().unwrap();
                let Seen { model, place, places } = &mut *seen;
                let life = next.as_deref().is_some_and(is_life);
                if self.at == Some(*places) && !life {
                    let verdict = model.judge(&[], next.as_deref());
                    *place = Some((model.state(next.as_deref()), verdict.runs));
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                *places += u64::from(!life);
                next.iter().for_each(|next| model.received(next));
                (self.bytes, self.read) = (next.unwrap_or_default(), 0);
            }
        }
        let count = buffer.len().min(self.bytes.len() - self.read);
        buffer[..count].copy_from_slice(&self.bytes[self.read..][..count]);
        self.read += count;
        Ok(count)
    }
}

impl Write for Stalled<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut seen = self.seen.lock().unwrap();
        match seen.place {
            Some(_) => Ok(bytes.len()),
            None => {
                seen.model.sent(bytes);
                drop(seen);
                self.end.write(bytes)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Stalled<'_> {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        self.nonblocking = on;
        self.end.set_nonblocking(on)
    }

    fn close(&mut self) -> io::Result<()> {
        self.end.close()
    }
}

/// Runs a session in which the peer of `victim` stalls instead of sending its frame number `at`, if
/// that is set. Returns the outcome, where the peer stalled, and how many frames it had sent.
fn stall(
    case: &Case,
    victim: Party,
    at: Option<u64>,
    stall: Stall,
) -> (Outcome, Option<Place>, u64) {
    let (near, far) = pipe();
    let seen = Seen { model: Model::new(case, victim), place: None, places: 0 };
    let seen = Arc::new(Mutex::new(seen));
    let stream = Stalled {
        end: near,
        at,
        stall,
        seen: Arc::clone(&seen),
        bytes: Vec::new(),
        read: 0,
        nonblocking: false,
        stalled: false,
    };
    std::thread::scope(|scope| {
        // Ends when the victim's stream is dropped.
        scope.spawn(|| drop(Watch::new(case, victim.other()).run(&mut StreamChannel::new(far))));
        let mut watch = Watch::new(case, victim);
        if at.is_some() {
            watch = watch.within(IDLE_TIMEOUT, STEP);
        }
        let outcome = watch.run(&mut StreamChannel::new(stream));
        let outcome = Outcome::of(case, victim, outcome, &watch);
        let seen = seen.lock().unwrap();
        (outcome, seen.place, seen.places)
    })
}

/// Stalls at `count` places, spread evenly over all.
fn stall_all(count: u64) {
    let cases = cases::all(number("HALFGATE_HOSTILE_SEED", 1));
    let mut places = Vec::new();
    for (case, victim) in
        cases.iter().flat_map(|case| [(case, Party::Garbler), (case, Party::Evaluator)])
    {
        let frames = stall(case, victim, None, Stall::Idle).2;
        // The last place is the end of the connection, where nothing more is expected.
        let all = (0..frames - 1).flat_map(|at| STALLS.map(|stall| (case, victim, at, stall)));
        places.extend(all);
    }
    let count = count.min(places.len() as u64);
    let early = AtomicU64::new(0);
    on_threads(45, count, &|number| {
        let index = number as usize * places.len() / count as usize;
        let (case, victim, at, kind) = places[index];
        let begin = Instant::now();
        let (outcome, stalled, _) = stall(case, victim, Some(at), kind);
        let about = format!("{}, the {victim} at frame {at}, {kind:?}", case.name);
        let Some((state, runs)) = stalled else {
            // On a busy computer the time may be over before the peer stalls.
            let class = outcome.error.as_ref().map(|(class, _)| *class);
            assert_eq!(class, Some(ErrorClass::Timeout), "{about}: {outcome:?}");
            early.fetch_add(1, Ordering::Relaxed);
            return;
        };
        assert!(begin.elapsed() < HELD, "{about}, {state:?}: {outcome:?}");
        assert!(outcome.wrong.is_none(), "{about}, {state:?}: {outcome:?}");
        assert!(
            runs.0 <= outcome.runs && outcome.runs <= runs.1,
            "{about}, {state:?}: {outcome:?}"
        );
        let (class, text) = outcome.error.unwrap_or_else(|| panic!("{about}, {state:?}: no error"));
        // A heartbeat before the first message violates the protocol.
        let first = state == State::Hello && matches!(kind, Stall::Lives);
        let wanted = if first { ErrorClass::Protocol } else { ErrorClass::Timeout };
        assert_eq!(class, wanted, "{about}, {state:?}: {text}");
        assert!(text.contains(&victim.other().to_string()), "{about}, {state:?}: {text}");
    });
    let stalled = count - early.into_inner();
    println!(
        "peers that stalled: {stalled}, at {count} of {} places; hangs 0, results 0",
        places.len()
    );
}

#[test]
fn no_party_is_held_by_a_peer_that_stalls() {
    stall_all(90);
}

/// Each of three ways to stall, in each state of each case, for both roles.
#[test]
#[ignore = "a minute"]
fn no_party_is_held_by_a_peer_that_stalls_anywhere() {
    stall_all(u64::MAX);
}
