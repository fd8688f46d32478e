//! Accepts a peer by its Ed25519 key alone.

use super::{Expected, ExpectedPeer, TlsError};
use crate::keys::Fingerprint;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{ring as provider, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, PeerIncompatible,
    SignatureScheme,
};
use std::sync::OnceLock;

/// The bytes before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410): a sequence
/// of the algorithm 1.3.101.112 and a bit string.
const SPKI_PREFIX: [u8; 12] =
    [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// The SubjectPublicKeyInfo of an Ed25519 key.
pub(super) fn spki(key: &[u8; 32]) -> Vec<u8> {
    [&SPKI_PREFIX[..], key].concat()
}

/// The verifier of one handshake, on either side. It stores the key that it saw.
#[derive(Debug)]
pub(super) struct Pin {
    expected: Expected,
    seen: OnceLock<[u8; 32]>,
}

impl Pin {
    pub(super) fn new(expected: Expected) -> Pin {
        Pin { expected, seen: OnceLock::new() }
    }

    /// The key that the peer presented, whether or not it was the expected one.
    pub(super) fn seen(&self) -> Option<[u8; 32]> {
        self.seen.get().copied()
    }

    /// Why the presented key is not accepted; `None` if it is accepted, or if no key was presented.
    pub(super) fn foreign(&self) -> Option<TlsError> {
        let actual = Fingerprint::of(self.seen.get()?);
        match &self.expected {
            Expected::Peer(ExpectedPeer::Key(expected)) if *expected != actual => {
                Some(TlsError::WrongIdentity { expected: *expected, actual })
            }
            Expected::OneOf(known) if !known.contains(&actual) => {
                Some(TlsError::Unknown { actual })
            }
            Expected::Peer(_) | Expected::OneOf(_) => None,
        }
    }

    /// Checks the key. [`Pin::check_signature`] checks the signature over the handshake afterwards.
    fn check_key(&self, spki: &[u8]) -> Result<(), Error> {
        let key = spki
            .strip_prefix(&SPKI_PREFIX)
            .and_then(|key| <[u8; 32]>::try_from(key).ok())
            .ok_or(Error::InvalidCertificate(CertificateError::BadEncoding))?;
        self.seen.get_or_init(|| key);
        if self.seen() != Some(key) || self.foreign().is_some() {
            return Err(CertificateError::ApplicationVerificationFailure.into());
        }
        Ok(())
    }

    fn check_signature(
        message: &[u8],
        spki: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = SubjectPublicKeyInfoDer::from(spki.as_ref());
        let algorithms = provider::default_provider().signature_verification_algorithms;
        verify_tls13_signature_with_raw_key(message, &key, signature, &algorithms)
    }
}

impl ServerCertVerifier for Pin {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check_key(end_entity).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerIncompatible::Tls12NotOffered.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Pin::check_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for Pin {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check_key(end_entity).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerIncompatible::Tls12NotOffered.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Pin::check_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
