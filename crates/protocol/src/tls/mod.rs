//! TLS 1.3 between two pinned identities, as SSH pins host keys: raw Ed25519 public keys (RFC 7250)
//! instead of certificates, both sides authenticated, no certificate authority, no resumption.
//!
//! [`connect`] and [`accept`] shake hands over a connected socket and give a [`TlsStream`]. In TLS
//! 1.3 the dialling side finishes before the listening one has judged its key; so that both learn
//! of a refusal here and not in the middle of a run, the listening side ends the handshake with one
//! byte of application data, which the dialling side waits for.

mod handshake;
mod stream;
#[cfg(test)]
mod tests;
mod verifier;

pub(crate) use handshake::Handshake;
pub use stream::TlsStream;

use crate::keys::{Fingerprint, Identity};
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

/// Whom the other side must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedPeer {
    /// The holder of the key with this fingerprint.
    Key(Fingerprint),
    /// Anyone: only on the user's explicit word. [`TlsStream::peer`] tells who it was.
    Anyone,
}

/// Whom a party takes: an expected peer, or the holder of one of several keys.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    Peer(ExpectedPeer),
    OneOf(Arc<[Fingerprint]>),
}

/// The most that a peer sends in a handshake. Ours needs less than 1 KiB.
const MAX_HANDSHAKE_BYTES: usize = 16 << 10;

/// Why there is no TLS connection.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The peer proved an identity, but another one.
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
    /// The peer proved an identity, and it is none of those that are known here.
    #[error("the peer's key {actual} is none of those that are known here")]
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
    /// What came is not TLS.
    #[error(
        "the peer does not speak TLS ({0}); is it another program, or was it started without TLS?"
    )]
    NotTls(String),
    /// The handshake did not end in time.
    #[error(
        "the TLS handshake did not end within {} s; the peer is stalled or does not speak TLS",
        .0.as_secs_f32()
    )]
    TimedOut(Duration),
    /// The peer sends and sends, and no handshake comes of it.
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

/// Shakes hands as the side that dialled.
///
/// The socket's time-outs are as before on return; reads and writes of the stream obey them.
/// `cancel` is looked at about four times a second.
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

/// Shakes hands as the side that was dialled. As [`connect`] in all else.
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

/// What all handshakes of a listening party have in common.
pub(crate) struct Acceptor {
    provider: Arc<CryptoProvider>,
    key: Arc<CertifiedKey>,
    own: Fingerprint,
    expected: Expected,
}

impl Acceptor {
    /// For a party with this identity.
    ///
    /// # Errors
    /// If the identity's key cannot be used.
    pub fn new(identity: &Identity, expected: Expected) -> Result<Acceptor, TlsError> {
        let own = identity.public().fingerprint();
        Ok(Acceptor { provider: crypto(), key: own_key(identity)?, own, expected })
    }

    /// Begins a handshake with whoever has connected.
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

/// AES-128-GCM first: it is the quickest where there are AES instructions, which garbling wants
/// anyway, and as strong as the labels.
fn crypto() -> Arc<CryptoProvider> {
    let mut provider = provider::default_provider();
    provider.cipher_suites = vec![
        provider::cipher_suite::TLS13_AES_128_GCM_SHA256,
        provider::cipher_suite::TLS13_CHACHA20_POLY1305_SHA256,
    ];
    Arc::new(provider)
}

fn own_key(identity: &Identity) -> Result<Arc<CertifiedKey>, TlsError> {
    let key = provider::sign::any_eddsa_type(&PrivatePkcs8KeyDer::from(identity.pkcs8()))
        .map_err(TlsError::Protocol)?;
    let public = CertificateDer::from(verifier::spki(&identity.public().key));
    Ok(Arc::new(CertifiedKey::new(vec![public], key)))
}
