//! A door for many peers.

use super::pending::PendingConnections;
use super::tls::Shaking;
use super::{UnknownPeer, Wait};
use crate::keys::{Fingerprint, Identity};
use crate::net::{Listener, NetError};
use crate::tls::{Acceptor, Expected, TlsStream};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Where peers come in, one after another, while strangers are turned away:
/// [`accept`](super::accept) without an end. Whoever is shaking hands goes on while the caller
/// serves a peer that came, as soon as the door is looked at again.
pub struct PeerAcceptor<'a> {
    pending: PendingConnections<'a, Shaking>,
    acceptor: Arc<Acceptor>,
}

impl<'a> PeerAcceptor<'a> {
    /// A door for the holders of the `known` keys. `crowd` is the most connections that have sent
    /// nothing yet, and the most that are shaking hands: more than peers that may come at once.
    /// `unknown_peers` gets each one that is turned away, as often as they come.
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

    /// Takes these keys from now on. Handshakes under way end as they began.
    ///
    /// # Errors
    /// [`NetError::Identity`].
    pub fn know(&mut self, identity: &Identity, known: Arc<[Fingerprint]>) -> Result<(), NetError> {
        self.acceptor = acceptor(identity, known)?;
        Ok(())
    }

    /// The next peer that has shaken hands within `patience`, and from where it came.
    pub fn next(&mut self, patience: Duration) -> Option<(TlsStream, SocketAddr)> {
        let acceptor = &self.acceptor;
        self.pending.next(patience, &|socket| Shaking::new(socket, Arc::clone(acceptor)))
    }
}

fn acceptor(identity: &Identity, known: Arc<[Fingerprint]>) -> Result<Arc<Acceptor>, NetError> {
    let acceptor = Acceptor::new(identity, Expected::OneOf(known));
    acceptor.map(Arc::new).map_err(NetError::Identity)
}
