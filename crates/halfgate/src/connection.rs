//! Connecting the parties: identities, and connections over TLS or plain TCP.

use crate::error::Error;
use crate::options::Options;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::keys::{self, Fingerprint, KeyError, PublicIdentity};
use halfgate_protocol::net;
use halfgate_protocol::rendezvous::{self, Wait};
use halfgate_protocol::session::authenticated::ahead::Identities;
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::tls::{self, ExpectedPeer};
use std::path::Path;

/// This party's identity: an Ed25519 key pair.
pub struct Identity(keys::Identity);

impl Identity {
    /// Creates a key pair, once. The private key is written to a new file at `path` that only its
    /// owner may read. The public one is written beside it with `.pub` appended, to be given to the
    /// other party. `halfgate keygen` does the same.
    ///
    /// # Errors
    /// If a file exists already or cannot be written.
    pub fn generate(path: impl AsRef<Path>) -> Result<Identity, Error> {
        keys::generate(path.as_ref(), false)?;
        Identity::load(path)
    }

    /// Reads the private key at `path`.
    ///
    /// # Errors
    /// If the file cannot be read or is not a key, or if users other than its owner may read it.
    pub fn load(path: impl AsRef<Path>) -> Result<Identity, Error> {
        Ok(Identity(keys::load(path.as_ref())?))
    }

    /// A key pair that is in no file, for tests and for peers that connect only once.
    ///
    /// # Errors
    /// If the system provides no random bytes.
    pub fn ephemeral() -> Result<Identity, Error> {
        Ok(Identity(keys::Identity::ephemeral()?))
    }

    /// The public half.
    pub fn public(&self) -> &PublicIdentity {
        self.0.public()
    }

    /// The identifier by which the other party recognises this one: short enough to be read aloud.
    pub fn fingerprint(&self) -> Fingerprint {
        self.public().fingerprint()
    }

    fn with(&self, peer: &PublicIdentity) -> Identities {
        Identities { own: Some(self.fingerprint()), peer: Some(peer.fingerprint()) }
    }
}

/// Which identity the other party must have.
#[derive(Clone, Copy, Debug)]
pub struct Peer(ExpectedPeer);

impl Peer {
    /// The holder of the public key in the file at `path`, which that party created.
    ///
    /// # Errors
    /// If the file cannot be read or holds no public key.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Peer, Error> {
        Ok(PublicIdentity::from_file(path.as_ref())?.fingerprint().into())
    }

    /// The holder of the key with this fingerprint, `SHA256:…`.
    ///
    /// # Errors
    /// If the text is not a fingerprint.
    pub fn from_fingerprint(text: &str) -> Result<Peer, Error> {
        let fingerprint: Result<Fingerprint, KeyError> = text.parse();
        Ok(fingerprint?.into())
    }

    /// Any peer. The connection is encrypted, but the peer may be anyone.
    pub fn anyone() -> Peer {
        Peer(ExpectedPeer::Anyone)
    }
}

impl From<Fingerprint> for Peer {
    fn from(fingerprint: Fingerprint) -> Peer {
        Peer(ExpectedPeer::Key(fingerprint))
    }
}

/// A connection with the other party, which serves one session. Either role may listen.
pub struct Connection {
    pub(crate) channel: Box<dyn Channel>,
    pub(crate) identities: Identities,
}

impl Connection {
    /// Listens on `address` (`HOST:PORT`) for `peer`, and completes a TLS 1.3 handshake with it.
    ///
    /// # Errors
    /// If `peer` does not connect within the default timeout. Other peers do not end the wait.
    pub fn listen(address: &str, identity: &Identity, peer: &Peer) -> Result<Connection, Error> {
        Listener::bind(address)?.accept(identity, peer, &Options::default())
    }

    /// Dials `address` (`HOST:PORT`), retrying while the connection fails, and completes a TLS 1.3
    /// handshake with `peer`.
    ///
    /// # Errors
    /// If no connection is made within the default timeout, or the other party is not `peer`.
    pub fn connect(address: &str, identity: &Identity, peer: &Peer) -> Result<Connection, Error> {
        Connection::connect_with(address, identity, peer, &Options::default())
    }

    /// As [`connect`](Connection::connect), with the timeout and cancel flag of `options`.
    ///
    /// # Errors
    /// As [`connect`](Connection::connect), and if it is cancelled.
    pub fn connect_with(
        address: &str,
        identity: &Identity,
        peer: &Peer,
        options: &Options,
    ) -> Result<Connection, Error> {
        let (timeout, cancel) = (options.timeout, &*options.cancel);
        let (socket, round_trip) = net::dial(address, timeout, cancel)?;
        let stream = tls::connect(socket, &identity.0, peer.0, timeout, cancel)?;
        let identities = identity.with(stream.peer());
        let channel = Box::new(StreamChannel::new(stream).with_round_trip(Some(round_trip)));
        Ok(Connection { channel, identities })
    }

    /// Listens on `address` and accepts any peer, without encryption: for a single computer and for
    /// trusted links.
    ///
    /// # Errors
    /// If no peer connects within the default timeout.
    pub fn listen_insecure(address: &str) -> Result<Connection, Error> {
        Listener::bind(address)?.accept_insecure(&Options::default())
    }

    /// Dials `address` without encryption: for a single computer and for trusted links.
    ///
    /// # Errors
    /// If no connection is made within the default timeout.
    pub fn connect_insecure(address: &str) -> Result<Connection, Error> {
        Connection::connect_insecure_with(address, &Options::default())
    }

    /// As [`connect_insecure`](Connection::connect_insecure), with the timeout and cancel flag of
    /// `options`.
    ///
    /// # Errors
    /// As [`connect_insecure`](Connection::connect_insecure), and if it is cancelled.
    pub fn connect_insecure_with(address: &str, options: &Options) -> Result<Connection, Error> {
        let (socket, round_trip) = net::dial(address, options.timeout, &options.cancel)?;
        Ok(Connection::without_keys(StreamChannel::new(socket).with_round_trip(Some(round_trip))))
    }
}

impl Connection {
    fn without_keys(channel: impl Channel + 'static) -> Connection {
        Connection::from(Box::new(channel) as Box<dyn Channel>)
    }
}

/// Accepts any channel of [`halfgate_protocol`].
impl From<Box<dyn Channel>> for Connection {
    fn from(channel: Box<dyn Channel>) -> Connection {
        Connection { channel, identities: Identities::default() }
    }
}

/// The channel and both identities, for callers that run sessions of [`halfgate_protocol`]
/// themselves.
impl From<Connection> for (Box<dyn Channel>, Identities) {
    fn from(connection: Connection) -> (Box<dyn Channel>, Identities) {
        (connection.channel, connection.identities)
    }
}

/// The channel alone.
impl From<Connection> for Box<dyn Channel> {
    fn from(connection: Connection) -> Box<dyn Channel> {
        connection.channel
    }
}

/// A listening port, for parties that serve several sessions or let the system choose the port.
pub struct Listener(net::Listener);

impl Listener {
    /// Listens on `address` (`HOST:PORT`); with port 0 the system chooses the port.
    ///
    /// # Errors
    /// If the address is invalid, or cannot be listened on.
    pub fn bind(address: &str) -> Result<Listener, Error> {
        Ok(Listener(net::Listener::bind(address)?))
    }

    /// The address with the actual port; empty if the system does not report it.
    pub fn address(&self) -> String {
        self.0.address().map(|address| address.to_string()).unwrap_or_default()
    }

    /// Waits for `peer`, and completes a TLS 1.3 handshake with it. Other peers are rejected and do
    /// not end the wait.
    ///
    /// # Errors
    /// If `peer` does not connect in time, or the wait is cancelled.
    pub fn accept(
        &self,
        identity: &Identity,
        peer: &Peer,
        options: &Options,
    ) -> Result<Connection, Error> {
        let (wait, cancel) = (Wait::new(options.timeout), &*options.cancel);
        let stream = rendezvous::accept(&self.0, &identity.0, peer.0, wait, cancel, &mut |_| {})?;
        let identities = identity.with(stream.peer());
        Ok(Connection { channel: Box::new(StreamChannel::new(stream)), identities })
    }

    /// Waits for any peer that uses this protocol, without encryption.
    ///
    /// # Errors
    /// If no peer connects in time, or the wait is cancelled.
    pub fn accept_insecure(&self, options: &Options) -> Result<Connection, Error> {
        // The peer may have much to do before its first message, so it has the whole time.
        let wait = Wait { total: options.timeout, each: options.timeout };
        let socket = rendezvous::accept_plaintext(&self.0, wait, &options.cancel, &mut |_| {})?;
        Ok(Connection::without_keys(StreamChannel::new(socket)))
    }
}
