//! Finds the expected peer among unknown peers.
//!
//! A listening party also receives connections from port scans, health checks and other programs.
//! Only the peer ends the wait. Over TLS, the peer is the party that proves the expected identity.
//! In plaintext, the peer is the first party whose first frame is a hello of this protocol. All
//! others are unknown peers. An unknown peer costs a bounded amount of work and memory and is
//! reported at a bounded rate. It is rejected when it sends something invalid, when its time is up,
//! or when it is the oldest connection and newer ones need its place.
//!
//! Connections that have sent something and connections that have sent nothing yet are counted
//! separately. So idle connections never displace a peer during its handshake.
//!
//! A party that serves many peers uses a [`PeerAcceptor`], which accepts one peer after another.

mod acceptor;
mod pending;
mod plaintext;
#[cfg(test)]
mod tests;
mod tls;

use crate::keys::Identity;
use crate::net::{Listener, NetError};
use crate::tls::{Acceptor, Expected, ExpectedPeer, TlsStream};
pub use acceptor::PeerAcceptor;
use pending::PendingConnections;
use plaintext::FirstHello;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tls::Shaking;

/// How long to wait for the peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// How long to wait for the peer, whoever else connects.
    pub total: Duration,
    /// How long each connection has to prove that it is the peer's.
    pub each: Duration,
}

impl Wait {
    /// The longest time allowed for one handshake: enough for slow links and for three
    /// retransmissions.
    pub const EACH: Duration = Duration::from_secs(10);

    /// Waits `total` for the peer, and at most [`EACH`](Wait::EACH) for each handshake.
    pub fn new(total: Duration) -> Wait {
        Wait { total, each: total.min(Wait::EACH) }
    }
}

/// A rejected connection, and why it is not the peer's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPeer {
    /// Its remote address.
    pub address: SocketAddr,
    /// Why it is not the peer.
    pub reason: String,
    /// Whether a key is the reason: the connection uses TLS, and one side rejects the other's key.
    pub foreign_key: bool,
    /// How many unknown peers since the last report were not reported.
    pub unreported: u64,
}

/// Waits until the `expected` peer has completed a TLS handshake. Calls `unknown_peers` for other
/// connections, at a bounded rate.
///
/// # Errors
/// [`NetError::NoPeer`] or [`NetError::OnlyUnknownPeers`] if the peer has not connected in time,
/// [`NetError::Cancelled`] if the flag is set, [`NetError::Identity`].
pub fn accept(
    listener: &Listener,
    identity: &Identity,
    expected: ExpectedPeer,
    wait: Wait,
    cancel: &AtomicBool,
    unknown_peers: &mut dyn FnMut(&UnknownPeer),
) -> Result<TlsStream, NetError> {
    let acceptor = Acceptor::new(identity, Expected::Peer(expected)).map_err(NetError::Identity)?;
    let acceptor = Arc::new(acceptor);
    let begin = |socket| Shaking::new(socket, Arc::clone(&acceptor));
    PendingConnections::new(listener, wait, unknown_peers).wait(cancel, &begin)
}

/// Waits for a connection whose first frame is a hello of this protocol, of any version. There is
/// no identity here: any program that knows the protocol is accepted.
///
/// # Errors
/// As [`accept`].
pub fn accept_plaintext(
    listener: &Listener,
    wait: Wait,
    cancel: &AtomicBool,
    unknown_peers: &mut dyn FnMut(&UnknownPeer),
) -> Result<TcpStream, NetError> {
    PendingConnections::new(listener, wait, unknown_peers).wait(cancel, &FirstHello::new)
}
