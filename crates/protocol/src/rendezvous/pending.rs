//! Those who have connected and may be the peer: few, and none for long.

use super::{UnknownPeer, Wait};
use crate::net::{Listener, NetError};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most connections that have sent nothing yet, and the most that have: each kind's oldest
/// makes way.
pub(super) const MAX_EACH: usize = 32;

/// Time between two looks while nothing happens, and after something has.
const IDLE: Duration = Duration::from_millis(5);
const BUSY: Duration = Duration::from_millis(1);

/// How long after something happened the looks follow each other closely.
const BUSY_FOR: Duration = Duration::from_millis(50);

const CROWDED: &str = "many others came before it had shown that it is the peer";

/// Strangers that are reported at once, and how often one more is.
const REPORTS: u32 = 5;
const REPORT_INTERVAL: Duration = Duration::from_secs(5);

/// A connection that may turn out to be the peer's. Its socket does not block.
pub(super) trait Candidate {
    /// The connection with the peer.
    type Peer;

    /// Whether it has sent anything.
    fn has_spoken(&self) -> bool;

    /// Does what can be done without waiting: the peer, if it is that.
    fn step(&mut self) -> Result<Option<Self::Peer>, Refusal>;
}

/// Why somebody is not the peer.
pub(super) struct Refusal {
    pub reason: String,
    /// Whether a key is the reason.
    pub foreign_key: bool,
}

struct Guest<C> {
    candidate: C,
    address: SocketAddr,
    since: Instant,
}

/// One wait for the peer, or the room behind a door. Memory: `most` connections of either kind,
/// each with what its handshake may send.
pub(super) struct PendingConnections<'a, C> {
    listener: &'a Listener,
    wait: Wait,
    /// The most guests that have sent nothing yet, and the most that have.
    most: usize,
    begin: Instant,
    /// In the order in which they came.
    guests: Vec<Guest<C>>,
    last_report: Instant,
    /// Whether the last try to accept failed: a failure that lasts is logged once.
    failed: bool,
    log: Log<'a>,
}

impl<'a, C: Candidate> PendingConnections<'a, C> {
    pub fn new(
        listener: &'a Listener,
        wait: Wait,
        unknown_peers: &'a mut dyn FnMut(&UnknownPeer),
    ) -> PendingConnections<'a, C> {
        let begin = Instant::now();
        PendingConnections {
            listener,
            wait,
            most: MAX_EACH,
            begin,
            guests: Vec::new(),
            last_report: begin,
            failed: false,
            log: Log::new(unknown_peers),
        }
    }

    /// The room behind a door: for `most` guests of either kind, each of whom is reported who is no
    /// peer.
    pub fn behind_an_acceptor(self, most: usize) -> PendingConnections<'a, C> {
        PendingConnections { most: most.max(1), log: Log { reports_all: true, ..self.log }, ..self }
    }

    /// The next peer that shows up within `patience`, and from where it came.
    pub fn next(
        &mut self,
        patience: Duration,
        candidate: &dyn Fn(TcpStream) -> C,
    ) -> Option<(C::Peer, SocketAddr)> {
        let begin = Instant::now();
        loop {
            self.admit(candidate);
            let peer = self.look();
            if peer.is_some() || begin.elapsed() >= patience {
                return peer;
            }
            self.rest();
        }
    }

    /// Waits for the peer; `candidate` makes a candidate of a socket.
    pub fn wait(
        mut self,
        cancel: &AtomicBool,
        candidate: &dyn Fn(TcpStream) -> C,
    ) -> Result<C::Peer, NetError> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(NetError::Cancelled);
            }
            self.admit(candidate);
            if let Some((peer, address)) = self.look() {
                tracing::info!(peer = %address, after = ?self.begin.elapsed(), "the peer came");
                return Ok(peer);
            }
            if self.begin.elapsed() >= self.wait.total {
                return Err(self.nobody());
            }
            self.rest();
        }
    }

    /// Sleeps until it is time to look again.
    fn rest(&self) {
        let busy = self.last_report.elapsed() < BUSY_FOR;
        std::thread::sleep(if busy { BUSY } else { IDLE });
    }

    /// Accepts some of those who wait at the door: half as many as there is room for, so that
    /// nobody makes way unseen.
    fn admit(&mut self, candidate: &dyn Fn(TcpStream) -> C) {
        for _ in 0..self.most.div_ceil(2) {
            let (socket, address) = match self.listener.next() {
                Ok(Some(next)) => {
                    self.failed = false;
                    next
                }
                Ok(None) => return,
                Err(error) => {
                    // The connection is gone, or the system is short of something. Then the oldest
                    // guest gives back what it has.
                    if !std::mem::replace(&mut self.failed, true) {
                        tracing::debug!(%error, "a connection cannot be accepted");
                    }
                    if !self.guests.is_empty() {
                        self.turn_away(0, refusal("the system is short of descriptors or memory"));
                    }
                    return;
                }
            };
            if let Err(error) = socket.set_nonblocking(true).and_then(|()| socket.set_nodelay(true))
            {
                self.log.add(address, refusal(&error.to_string()));
                continue;
            }
            self.crowd_out(false, self.most - 1);
            let since = Instant::now();
            self.guests.push(Guest { candidate: candidate(socket), address, since });
            self.last_report = since;
        }
    }

    /// Has the oldest guest make way of those that have sent something, or of those that have not,
    /// if these are more than `most`. Where it stood.
    fn crowd_out(&mut self, spoken: bool, most: usize) -> Option<usize> {
        let is_one = |guest: &Guest<C>| guest.candidate.has_spoken() == spoken;
        if self.guests.iter().filter(|guest| is_one(guest)).count() <= most {
            return None;
        }
        let oldest = self.guests.iter().position(is_one)?;
        self.turn_away(oldest, refusal(CROWDED));
        Some(oldest)
    }

    /// Does for each guest what can be done: the peer, if it is among them, and its address.
    fn look(&mut self) -> Option<(C::Peer, SocketAddr)> {
        let mut index = 0;
        while index < self.guests.len() {
            let guest = &mut self.guests[index];
            let spoken = guest.candidate.has_spoken();
            let refusal = match guest.candidate.step() {
                Ok(Some(peer)) => {
                    let guest = self.guests.remove(index);
                    return Some((peer, guest.address));
                }
                Ok(None) if guest.since.elapsed() < self.wait.each => {
                    if guest.candidate.has_spoken() != spoken {
                        self.last_report = Instant::now();
                        // Behind one that is gone stands another at this place.
                        let gone = self.crowd_out(true, self.most);
                        if gone.is_some_and(|oldest| oldest <= index) {
                            continue;
                        }
                    }
                    index += 1;
                    continue;
                }
                Ok(None) => late(self.wait.each, spoken),
                Err(refusal) => refusal,
            };
            self.turn_away(index, refusal);
        }
        None
    }

    fn turn_away(&mut self, index: usize, refusal: Refusal) {
        let Guest { address, .. } = self.guests.remove(index);
        self.log.add(address, refusal);
    }

    /// The peer did not come.
    fn nobody(self) -> NetError {
        let (address, after) = (self.listener.given_address().to_owned(), self.wait.total);
        let unknown_peers = self.log.count + self.guests.len() as u64;
        if unknown_peers == 0 {
            return NetError::NoPeer { address, after };
        }
        let Refusal { reason, foreign_key } =
            self.log.last.unwrap_or_else(|| late(self.wait.total, false));
        NetError::OnlyUnknownPeers { address, after, unknown_peers, reason, foreign_key }
    }
}

fn refusal(reason: &str) -> Refusal {
    Refusal { reason: reason.to_owned(), foreign_key: false }
}

fn late(limit: Duration, spoken: bool) -> Refusal {
    let what = if spoken { "did not end its handshake" } else { "was silent" };
    refusal(&format!("it {what} within {} s", limit.as_secs_f64()))
}

/// Reports strangers, but not many.
struct Log<'a> {
    unknown_peers: &'a mut dyn FnMut(&UnknownPeer),
    /// Reports that may be made at once, and when there was last one more.
    allowed: u32,
    since: Instant,
    /// Whether the rate has no bound, as the caller has one of its own.
    reports_all: bool,
    unreported: u64,
    /// All strangers so far.
    count: u64,
    /// The last one, or the last with a foreign key.
    last: Option<Refusal>,
}

impl<'a> Log<'a> {
    fn new(unknown_peers: &'a mut dyn FnMut(&UnknownPeer)) -> Log<'a> {
        let since = Instant::now();
        Log {
            unknown_peers,
            allowed: REPORTS,
            since,
            reports_all: false,
            unreported: 0,
            count: 0,
            last: None,
        }
    }

    fn add(&mut self, address: SocketAddr, refusal: Refusal) {
        self.count += 1;
        if self.allowed < REPORTS && self.since.elapsed() >= REPORT_INTERVAL {
            self.since = Instant::now();
            self.allowed += 1;
        }
        if self.reports_all || self.allowed > 0 {
            self.allowed = self.allowed.saturating_sub(1);
            let foreign_key = refusal.foreign_key;
            let reason = refusal.reason.clone();
            let unreported = std::mem::take(&mut self.unreported);
            tracing::info!(%address, %reason, unreported, "a stranger was turned away");
            (self.unknown_peers)(&UnknownPeer { address, reason, foreign_key, unreported });
        } else {
            self.unreported += 1;
        }
        let keeps = self.last.as_ref().is_some_and(|last| last.foreign_key) && !refusal.foreign_key;
        if !keeps {
            self.last = Some(refusal);
        }
    }
}
