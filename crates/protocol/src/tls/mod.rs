//! TLS 1.3 between two pinned identities, as SSH pins host keys: raw Ed25519 public keys (RFC 7250)
//! instead of certificates, both sides authenticated, no certificate authority, no resumption.
//!
//! [`connect`] and [`accept`] complete a handshake over a connected socket and return a
//! [`TlsStream`]. In TLS 1.3 the dialling side finishes before the listening side has checked its
//! key. But both should detect a rejection during the handshake and not in the middle of a run. So
//! the listening side ends the handshake with one byte of application data, and the dialling side
//! waits for it.

mod handshake;
mod stream;
#[cfg(test)]
mod tests;
mod verifier;

pub(crate) use handshake::Handshake;
pub use stream::TlsStream;

use crate::keys::{Fingerprint, Identity};
use halfgate_engine::wipe;
use rustls::client::{AlwaysResolvesClientRawPublicKeys, Resumption};
use rustls::crypto::{CryptoProvider, ring as provider};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName};
use rustls::server::{AlwaysResolvesServerRawPublicKeys, NoServerSessionStorage};
use rustls::sign::CertifiedKey;
use rustls::version::TLS13;
use rustls::{ClientConfig, ClientConnection, ServerConfig, ServerConnection};
use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use verifier::Pin;

/// Which identity the peer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedPeer {
    /// The holder of the key with this fingerprint.
    Key(Fingerprint),
    /// Any identity: only if the user explicitly allows it. [`TlsStream::peer`] returns the
    /// identity.
    Anyone,
}

/// The identities that a party accepts: an expected peer, or the holders of several keys.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    Peer(ExpectedPeer),
    OneOf(Arc<[Fingerprint]>),
}

/// The most bytes that a peer may send in a handshake. Ours needs less than 1 KiB.
const MAX_HANDSHAKE_BYTES: usize = 16 << 10;

/// Why there is no TLS connection.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The peer proved an identity other than the expected one.
    #[error(
        "the peer is not the one expected: its key is {actual}, expected was {expected}; if its \
         key has changed, ask its owner for the new fingerprint"
    )]
    WrongIdentity {
        /// The pinned fingerprint.
        expected: Fingerprint,
        /// The fingerprint of the peer's key.
        actual: Fingerprint,
    },
    /// The peer proved an identity that is not on the list of known ones.
    #[error("the peer's key {actual} is not among the keys that are known here")]
    Unknown {
        /// The fingerprint of the peer's key.
        actual: Fingerprint,
    },
    /// The peer did not accept this side's identity.
    #[error("the peer refuses this side's key {own}: it expects another")]
    Refused {
        /// This side's fingerprint.
        own: Fingerprint,
    },
    /// The received bytes are not TLS.
    #[error(
        "the peer does not use TLS ({0}); is it another program, or was it started without TLS?"
    )]
    NotTls(String),
    /// The handshake did not end in time.
    #[error(
        "the TLS handshake did not end within {} s; the peer is stalled or does not use TLS",
        .0.as_secs_f32()
    )]
    TimedOut(Duration),
    /// The peer exceeded the maximum length of a handshake.
    #[error("the peer sent more than {MAX_HANDSHAKE_BYTES} bytes without ending the TLS handshake")]
    TooLong,
    /// The peer closed the connection before the handshake ended.
    #[error("the peer closed the connection during the TLS handshake")]
    Closed,
    /// The user interrupted the handshake.
    #[error("cancelled during the TLS handshake")]
    Cancelled,
    /// The handshake failed otherwise: no common parameters, a forged signature, damage.
    #[error("the TLS handshake failed: {0}")]
    Protocol(rustls::Error),
    /// The socket failed.
    #[error("the connection failed during the TLS handshake: {0}")]
    Io(io::Error),
}

/// Completes a TLS handshake as the dialling side.
///
/// On return the socket has its previous time-outs; reads and writes of the stream obey them.
/// `cancel` is checked about four times a second.
///
/// # Errors
/// [`TlsError`], within `timeout` whatever the peer does.
pub fn connect(
    socket: TcpStream,
    identity: &Identity,
    expected: ExpectedPeer,
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<TlsStream, TlsError> {
    let pin = Arc::new(Pin::new(Expected::Peer(expected)));
    let mut config = ClientConfig::builder_with_provider(crypto())
        .with_protocol_versions(&[&TLS13])
        .map_err(TlsError::Protocol)?
        .dangerous()
        .with_custom_certificate_verifier(pin.clone())
        .with_client_cert_resolver(Arc::new(AlwaysResolvesClientRawPublicKeys::new(own_key(
            identity,
        )?)));
    config.resumption = Resumption::disabled();
    config.enable_sni = false;
    // The name is neither sent nor checked: the key is the identity.
    let name = ServerName::try_from("halfgate.invalid").expect("a constant that is a valid name");
    let connection = ClientConnection::new(Arc::new(config), name).map_err(TlsError::Protocol)?;
    let own = identity.public().fingerprint();
    Handshake::new(socket, connection.into(), pin, own).drive(timeout, cancel)
}

/// Completes a TLS handshake as the listening side. See [`connect`] for the rest.
///
/// # Errors
/// [`TlsError`], within `timeout` whatever the peer does.
pub fn accept(
    socket: TcpStream,
    identity: &Identity,
    expected: ExpectedPeer,
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<TlsStream, TlsError> {
    Acceptor::new(identity, Expected::Peer(expected))?.begin(socket)?.drive(timeout, cancel)
}

/// What all handshakes of a listening party share.
pub(crate) struct Acceptor {
    provider: Arc<CryptoProvider>,
    key: Arc<CertifiedKey>,
    own: Fingerprint,
    expected: Expected,
}

impl Acceptor {
    /// An acceptor for a party with this identity.
    ///
    /// # Errors
    /// If the identity's key cannot be used.
    pub fn new(identity: &Identity, expected: Expected) -> Result<Acceptor, TlsError> {
        let own = identity.public().fingerprint();
        Ok(Acceptor { provider: crypto(), key: own_key(identity)?, own, expected })
    }

    /// Starts a handshake on a new connection.
    ///
    /// # Errors
    /// If TLS cannot be configured.
    pub fn begin(&self, socket: TcpStream) -> Result<Handshake, TlsError> {
        let pin = Arc::new(Pin::new(self.expected.clone()));
        let mut config = ServerConfig::builder_with_provider(self.provider.clone())
            .with_protocol_versions(&[&TLS13])
            .map_err(TlsError::Protocol)?
            .with_client_cert_verifier(pin.clone())
            .with_cert_resolver(Arc::new(AlwaysResolvesServerRawPublicKeys::new(self.key.clone())));
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        let connection = ServerConnection::new(Arc::new(config)).map_err(TlsError::Protocol)?;
        Ok(Handshake::new(socket, connection.into(), pin, self.own))
    }
}

/// AES-128-GCM comes first. It is as strong as the labels, and the fastest where there are AES
/// instructions, which garbling needs anyway.
fn crypto() -> Arc<CryptoProvider> {
    let mut provider = provider::default_provider();
    provider.cipher_suites = vec![
        provider::cipher_suite::TLS13_AES_128_GCM_SHA256,
        provider::cipher_suite::TLS13_CHACHA20_POLY1305_SHA256,
    ];
    Arc::new(provider)
}

fn own_key(identity: &Identity) -> Result<Arc<CertifiedKey>, TlsError> {
    // The library leaves copies of the private key on the stack.
    let key = wipe::stack_after(|| {
        provider::sign::any_eddsa_type(&PrivatePkcs8KeyDer::from(identity.pkcs8()))
    });
    let key = key.map_err(TlsError::Protocol)?;
    let public = CertificateDer::from(verifier::spki(&identity.public().key));
    Ok(Arc::new(CertifiedKey::new(vec![public], key)))
}
