//! The one peer among strangers.
//!
//! A party that listens is found by port scans, health checks and whoever else connects. Only the
//! peer ends the wait: over TLS the one that proves the expected identity, in plaintext the first
//! whose first frame is a hello of this protocol. Everybody else is a stranger. A stranger costs a
//! bounded amount of work and memory, is reported at a bounded rate, and is turned away: when it
//! says something wrong, when its time is up, or when it is the oldest and others come.
//!
//! Connections that have sent nothing yet and those that have are counted apart. So connections
//! that idle never push out a peer that is shaking hands.
//!
//! A party that serves many peers keeps a [`PeerAcceptor`], which does the same without an end.

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
    /// For the peer to come, strangers or not.
    pub total: Duration,
    /// For each that comes to show that it is the peer.
    pub each: Duration,
}

impl Wait {
    /// The longest that anybody's handshake takes: enough for slow links, and for three
    /// retransmissions.
    pub const EACH: Duration = Duration::from_secs(10);

    /// `total` for the peer to come, and not more than [`EACH`](Wait::EACH) for each that comes.
    pub fn new(total: Duration) -> Wait {
        Wait { total, each: total.min(Wait::EACH) }
    }
}

/// Somebody who came and is not the peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPeer {
    /// From where.
    pub address: SocketAddr,
    /// Why it is not the peer.
    pub reason: String,
    /// Whether a key is the reason: it speaks TLS, and its key or this side's is foreign.
    pub foreign_key: bool,
    /// How many came before it since the last one that was reported.
    pub unreported: u64,
}

/// Waits until the `expected` peer has shaken hands over TLS. Of the others, `unknown_peers` gets some,
/// at a bounded rate.
///
/// # Errors
/// [`NetError::NoPeer`] or [`NetError::OnlyUnknownPeers`] if the peer has not come in time,
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

/// Waits until somebody connects whose first frame is a hello of this protocol, of any version.
/// Nobody has an identity here: it may be anybody who knows the protocol.
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
