//! Connections that may be the peer's: few at a time, and none for long.

use super::{UnknownPeer, Wait};
use crate::net::{Listener, NetError};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The maximum number of connections that have sent nothing yet, and of those that have. In each
/// group the oldest is rejected when there are more.
pub(super) const MAX_EACH: usize = 32;

/// Time between two polls while nothing happens, and after an event.
const IDLE: Duration = Duration::from_millis(5);
const BUSY: Duration = Duration::from_millis(1);

/// How long after an event the short interval is used.
const BUSY_FOR: Duration = Duration::from_millis(50);

const CROWDED: &str = "newer connections displaced it before it proved to be the peer";

/// Reports of unknown peers that may follow at once, and the interval at which one more is allowed.
const REPORTS: u32 = 5;
const REPORT_INTERVAL: Duration = Duration::from_secs(5);

/// A connection that may turn out to be the peer's. Its socket does not block.
pub(super) trait Candidate {
    /// The connection with the peer.
    type Peer;

    /// Whether it has sent anything.
    fn has_sent(&self) -> bool;

    /// Does what is possible without waiting. Returns the peer's connection once this connection
    /// has proven to be the peer's.
    fn step(&mut self) -> Result<Option<Self::Peer>, Refusal>;
}

/// Why a connection is not the peer's.
pub(super) struct Refusal {
    pub reason: String,
    /// Whether a key is the reason.
    pub foreign_key: bool,
}

struct Connection<C> {
    candidate: C,
    address: SocketAddr,
    since: Instant,
}

/// The connections during one wait for the peer, or behind an acceptor. Memory: at most `most`
/// connections in each of the two groups, each with the data of its handshake.
pub(super) struct PendingConnections<'a, C> {
    listener: &'a Listener,
    wait: Wait,
    /// The maximum number of connections that have sent nothing yet, and of those that have.
    most: usize,
    begin: Instant,
    /// In order of arrival.
    connections: Vec<Connection<C>>,
    last_report: Instant,
    /// Whether the last attempt to accept failed. A lasting failure is logged once.
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
            connections: Vec::new(),
            last_report: begin,
            failed: false,
            log: Log::new(unknown_peers),
        }
    }

    /// For an acceptor: at most `most` connections in each group, and every unknown peer is
    /// reported.
    pub fn behind_an_acceptor(self, most: usize) -> PendingConnections<'a, C> {
        PendingConnections { most: most.max(1), log: Log { reports_all: true, ..self.log }, ..self }
    }

    /// The next peer proven within `patience`, and its address.
    pub fn next(
        &mut self,
        patience: Duration,
        candidate: &dyn Fn(TcpStream) -> C,
    ) -> Option<(C::Peer, SocketAddr)> {
        let begin = Instant::now();
        loop {
            self.admit(candidate);
            let peer = self.advance();
            if peer.is_some() || begin.elapsed() >= patience {
                return peer;
            }
            self.rest();
        }
    }

    /// Waits for the peer. `candidate` turns a socket into a candidate.
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
            if let Some((peer, address)) = self.advance() {
                tracing::info!(peer = %address, after = ?self.begin.elapsed(), "peer connected");
                return Ok(peer);
            }
            if self.begin.elapsed() >= self.wait.total {
                return Err(self.timeout_error());
            }
            self.rest();
        }
    }

    /// Sleeps until the next poll.
    fn rest(&self) {
        let busy = self.last_report.elapsed() < BUSY_FOR;
        std::thread::sleep(if busy { BUSY } else { IDLE });
    }

    /// Accepts waiting connections: at most half of `most` per call, so that each is advanced at
    /// least once before newer ones can displace it.
    fn admit(&mut self, candidate: &dyn Fn(TcpStream) -> C) {
        for _ in 0..self.most.div_ceil(2) {
            let (socket, address) = match self.listener.next() {
                Ok(Some(next)) => {
                    self.failed = false;
                    next
                }
                Ok(None) => return,
                Err(error) => {
                    // The connection is gone, or the system is short of a resource. In the second
                    // case dropping the oldest connection frees some.
                    if !std::mem::replace(&mut self.failed, true) {
                        tracing::debug!(%error, "a connection cannot be accepted");
                    }
                    if !self.connections.is_empty() {
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
            self.connections.push(Connection { candidate: candidate(socket), address, since });
            self.last_report = since;
        }
    }

    /// If the group (`has_sent`: has sent something) has more than `most` connections, rejects its
    /// oldest. Returns its index.
    fn crowd_out(&mut self, has_sent: bool, most: usize) -> Option<usize> {
        let is_one = |connection: &Connection<C>| connection.candidate.has_sent() == has_sent;
        if self.connections.iter().filter(|connection| is_one(connection)).count() <= most {
            return None;
        }
        let oldest = self.connections.iter().position(is_one)?;
        self.turn_away(oldest, refusal(CROWDED));
        Some(oldest)
    }

    /// Advances every connection. Returns the peer's connection and its address if there is one.
    fn advance(&mut self) -> Option<(C::Peer, SocketAddr)> {
        let mut index = 0;
        while index < self.connections.len() {
            let connection = &mut self.connections[index];
            let has_sent = connection.candidate.has_sent();
            let refusal = match connection.candidate.step() {
                Ok(Some(peer)) => {
                    let connection = self.connections.remove(index);
                    return Some((peer, connection.address));
                }
                Ok(None) if connection.since.elapsed() < self.wait.each => {
                    if connection.candidate.has_sent() != has_sent {
                        self.last_report = Instant::now();
                        // After a removal another connection is at this index.
                        let gone = self.crowd_out(true, self.most);
                        if gone.is_some_and(|oldest| oldest <= index) {
                            continue;
                        }
                    }
                    index += 1;
                    continue;
                }
                Ok(None) => late(self.wait.each, has_sent),
                Err(refusal) => refusal,
            };
            self.turn_away(index, refusal);
        }
        None
    }

    fn turn_away(&mut self, index: usize, refusal: Refusal) {
        let Connection { address, .. } = self.connections.remove(index);
        self.log.add(address, refusal);
    }

    /// The error when the peer did not connect in time.
    fn timeout_error(self) -> NetError {
        let (address, after) = (self.listener.given_address().to_owned(), self.wait.total);
        let unknown_peers = self.log.count + self.connections.len() as u64;
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

fn late(limit: Duration, has_sent: bool) -> Refusal {
    let what = if has_sent { "did not end its handshake" } else { "sent nothing" };
    refusal(&format!("it {what} within {} s", limit.as_secs_f64()))
}

/// Reports unknown peers at a bounded rate.
struct Log<'a> {
    unknown_peers: &'a mut dyn FnMut(&UnknownPeer),
    /// Reports allowed at once, and when that number last grew.
    allowed: u32,
    since: Instant,
    /// Whether every one is reported, because the caller bounds the rate itself.
    reports_all: bool,
    unreported: u64,
    /// The number of unknown peers so far.
    count: u64,
    /// The refusal of the last unknown peer, or of the last one with a foreign key.
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
            tracing::info!(%address, %reason, unreported, "rejected an unknown peer");
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
