//! Accepts many peers on one port.

use super::pending::PendingConnections;
use super::tls::Shaking;
use super::{UnknownPeer, Wait};
use crate::keys::{Fingerprint, Identity};
use crate::net::{Listener, NetError};
use crate::tls::{Acceptor, Expected, TlsStream};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Accepts peers one after another and rejects unknown ones. ([`accept`](super::accept) ends with
/// the first peer.) Handshakes that are under way continue at the next call, after the caller has
/// served the peer that [`next`](PeerAcceptor::next) returned.
pub struct PeerAcceptor<'a> {
    pending: PendingConnections<'a, Shaking>,
    acceptor: Arc<Acceptor>,
}

impl<'a> PeerAcceptor<'a> {
    /// An acceptor for the holders of the `known` keys. `crowd` is the maximum number of
    /// connections that have sent nothing yet, and also of those in a handshake. It should exceed
    /// the number of peers that may connect at once. `unknown_peers` is called for every rejected
    /// connection, without a rate limit.
    ///
    /// # Errors
    /// [`NetError::Identity`].
    pub fn new(
        listener: &'a Listener,
        identity: &Identity,
        known: Arc<[Fingerprint]>,
        crowd: usize,
        unknown_peers: &'a mut dyn FnMut(&UnknownPeer),
    ) -> Result<PeerAcceptor<'a>, NetError> {
        let wait = Wait { total: Duration::MAX, each: Wait::EACH };
        let pending =
            PendingConnections::new(listener, wait, unknown_peers).behind_an_acceptor(crowd);
        Ok(PeerAcceptor { pending, acceptor: acceptor(identity, known)? })
    }

    /// Accepts these keys from now on. Handshakes under way keep the old ones.
    ///
    /// # Errors
    /// [`NetError::Identity`].
    pub fn know(&mut self, identity: &Identity, known: Arc<[Fingerprint]>) -> Result<(), NetError> {
        self.acceptor = acceptor(identity, known)?;
        Ok(())
    }

    /// The next peer that completes its handshake within `patience`, and its address.
    pub fn next(&mut self, patience: Duration) -> Option<(TlsStream, SocketAddr)> {
        let acceptor = &self.acceptor;
        self.pending.next(patience, &|socket| Shaking::new(socket, Arc::clone(acceptor)))
    }
}

fn acceptor(identity: &Identity, known: Arc<[Fingerprint]>) -> Result<Arc<Acceptor>, NetError> {
    let acceptor = Acceptor::new(identity, Expected::OneOf(known));
    acceptor.map(Arc::new).map_err(NetError::Identity)
}
