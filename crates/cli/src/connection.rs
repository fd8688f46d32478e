//! Makes a channel to the peer from the command's options.

use crate::config::Config;
use crate::session_args::PeerArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::keys::{self, Fingerprint, Identity, KeyError};
use halfgate_protocol::net::{self, Listener, NetError};
use halfgate_protocol::rendezvous::{self, UnknownPeer, Wait};
use halfgate_protocol::session::OtField;
use halfgate_protocol::session::authenticated::ahead::Identities;
use halfgate_protocol::stream_channel::StreamChannel;
use halfgate_protocol::tls::{self, ExpectedPeer, TlsError};
use std::io::ErrorKind;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How this party connects to its peer: checked options and loaded keys.
pub struct Meeting {
    dial: Dial,
    security: Security,
    /// How long to wait for the peer, if that is not the idle timeout.
    wait: Option<Duration>,
    /// The configured field for transfers with this peer.
    ot_field: Option<OtField>,
}

enum Dial {
    Listen(String),
    Connect(String),
}

enum Security {
    Plaintext,
    Tls { identity: Box<Identity>, peer: ExpectedPeer },
}

impl Meeting {
    /// Checks the options and reads the keys.
    ///
    /// # Errors
    /// If options are missing, or keys cannot be used.
    pub fn prepare(args: &PeerArgs) -> Result<Meeting, Failure> {
        let usage = |what: &str| Err(Failure::new(Exit::Usage, what));
        // In plaintext there are no keys and no names, so nothing is looked up.
        let config = match args.insecure_plaintext {
            true => Config::default(),
            false => Config::find(args.config.as_deref())?,
        };
        let named = args.peer.as_deref().map(|name| config.peer(name)).transpose()?.flatten();
        let known = named.as_ref().and_then(|peer| peer.address.clone());
        let dial = match (&args.listen, &args.connect, &known) {
            (Some(address), None, _) => Dial::Listen(net::any_host(address)),
            (None, Some(address), _) | (None, None, Some(address)) => {
                Dial::Connect(address.clone())
            }
            _ => {
                return usage(
                    "no way to reach the peer: add --listen ADDRESS or --connect ADDRESS",
                );
            }
        };
        let wait = args.wait.map(Duration::from_secs_f64);
        if args.insecure_plaintext {
            return Ok(Meeting { dial, security: Security::Plaintext, wait, ot_field: None });
        }
        let Some(identity) = args.identity.clone().or_else(|| config.identity()) else {
            return usage(
                "this party has no identity: add --identity FILE (made by `halfgate keygen FILE`), or set identity in the configuration file; on loopback and trusted links, --insecure-plaintext needs none",
            );
        };
        let ot_field = named.as_ref().and_then(|peer| peer.ot_field);
        let peer = match (named, &args.peer, args.trust_any_peer) {
            (Some(peer), ..) => ExpectedPeer::Key(peer.key),
            (None, Some(peer), _) => ExpectedPeer::Key(expected(peer, &config)?),
            (None, None, true) => ExpectedPeer::Anyone,
            (None, None, false) => {
                return usage(
                    "the peer's identity is missing: add --peer FILE.pub, --peer FINGERPRINT, or --peer NAME of the configuration file (or --trust-any-peer)",
                );
            }
        };
        let identity = Box::new(keys::load(&identity).map_err(key_failure)?);
        Ok(Meeting { dial, security: Security::Tls { identity, peer }, wait, ot_field })
    }

    /// Whether the peer's address is that of this computer.
    pub fn is_local(&self) -> bool {
        let (Dial::Listen(address) | Dial::Connect(address)) = &self.dial;
        net::is_loopback(address)
    }

    /// The configured field for transfers with this peer.
    pub fn ot_field(&self) -> Option<OtField> {
        self.ot_field
    }

    /// Listens or connects, and makes the handshake. A party that listens refuses unknown peers and
    /// continues to wait. Returns who the parties are, too.
    ///
    /// # Errors
    /// If the peer does not connect within `--wait`, or `timeout` without it; if the party that was
    /// connected to is not the expected peer; or if `cancel` is set.
    pub fn rendezvous(
        &self,
        timeout: Duration,
        cancel: &AtomicBool,
    ) -> Result<(Box<dyn Channel>, Identities), Failure> {
        self.warn();
        let total = self.wait.unwrap_or(timeout);
        let (identity, peer) = match &self.security {
            Security::Plaintext => {
                let channel = self.rendezvous_plaintext(total, cancel)?;
                return Ok((channel, Identities::default()));
            }
            Security::Tls { identity, peer } => (identity, *peer),
        };
        let (stream, round_trip) = match &self.dial {
            Dial::Connect(address) => {
                let (socket, time) = net::dial(address, total, cancel).map_err(net_failure)?;
                let stream = tls::connect(socket, identity, peer, timeout, cancel);
                (stream.map_err(tls_failure)?, Some(time))
            }
            Dial::Listen(address) => {
                let (listener, wait) = (listen(address)?, Wait::new(total));
                let stream = rendezvous::accept(
                    &listener,
                    identity,
                    peer,
                    wait,
                    cancel,
                    &mut log_unknown_peer,
                );
                (stream.map_err(net_failure)?, None)
            }
        };
        let fingerprint = stream.peer().fingerprint();
        if peer == ExpectedPeer::Anyone {
            print::warning(&format!("trusting the connected peer, {fingerprint}"));
        }
        let own = Some(identity.public().fingerprint());
        let identities = Identities { own, peer: Some(fingerprint) };
        Ok((Box::new(StreamChannel::new(stream).with_round_trip(round_trip)), identities))
    }

    fn rendezvous_plaintext(
        &self,
        total: Duration,
        cancel: &AtomicBool,
    ) -> Result<Box<dyn Channel>, Failure> {
        let (socket, round_trip) = match &self.dial {
            Dial::Connect(address) => {
                let (socket, time) = net::dial(address, total, cancel).map_err(net_failure)?;
                (socket, Some(time))
            }
            Dial::Listen(address) => {
                let (listener, wait) = (listen(address)?, Wait::new(total));
                let socket =
                    rendezvous::accept_plaintext(&listener, wait, cancel, &mut log_unknown_peer);
                (socket.map_err(net_failure)?, None)
            }
        };
        Ok(Box::new(StreamChannel::new(socket).with_round_trip(round_trip)))
    }

    /// Warns of the security that the options give up, before any byte is exchanged.
    fn warn(&self) {
        match &self.security {
            Security::Plaintext => print::warning(
                "--insecure-plaintext: no encryption and no check of identities; anyone on the network \
                 path can read outputs and change the run",
            ),
            Security::Tls { peer: ExpectedPeer::Anyone, .. } => print::warning(
                "--trust-any-peer: anyone who connects is trusted as the peer, even an attacker; use \
                 --peer to name the right one",
            ),
            Security::Tls { .. } => {}
        }
    }
}

fn listen(address: &str) -> Result<Listener, Failure> {
    let listener = Listener::bind(address).map_err(net_failure)?;
    if let Ok(address) = listener.address() {
        print::note(&format!("listening on {address}"));
    }
    Ok(listener)
}

/// Reports the unknown peer, so that a user whose peer has an unexpected key sees the reason.
fn log_unknown_peer(unknown_peer: &UnknownPeer) {
    let UnknownPeer { address, reason, unreported, .. } = unknown_peer;
    let more = match unreported {
        0 => String::new(),
        more => format!(", and {more} others before it"),
    };
    print::note(&format!("refused an unknown peer from {address}{more}: {reason}; still waiting"));
}

/// The peer that `text` names, by a fingerprint or a file.
fn expected(text: &str, config: &Config) -> Result<Fingerprint, Failure> {
    keys::expected_peer(text).map_err(|error| match error {
        KeyError::File { ref error, .. } if error.kind() == ErrorKind::NotFound => {
            let what = format!(
                "there is no public key file {text}, and no peer of this name in {}",
                config.name()
            );
            Failure::new(Exit::Identity, what)
        }
        error => key_failure(error),
    })
}

/// The error of a key that cannot be used.
pub fn key_failure(error: keys::KeyError) -> Failure {
    let advice = match error {
        KeyError::Exists { .. } => Some(", so only --force does that".to_owned()),
        _ => None,
    };
    Failure::new(Exit::Identity, error).with_advice(advice)
}

/// The error of a connection that was not established.
pub fn net_failure(error: NetError) -> Failure {
    match error {
        NetError::Cancelled => Failure::new(Exit::Cancelled, error),
        NetError::OnlyUnknownPeers { foreign_key: true, .. } => Failure::new(Exit::Identity, error),
        _ => Failure::new(Exit::Network, error),
    }
}

fn tls_failure(error: TlsError) -> Failure {
    let exit = match error {
        TlsError::WrongIdentity { .. } | TlsError::Unknown { .. } | TlsError::Refused { .. } => {
            Exit::Identity
        }
        TlsError::TimedOut(_) => Exit::Timeout,
        TlsError::Cancelled => Exit::Cancelled,
        TlsError::NotTls(_)
        | TlsError::TooLong
        | TlsError::Closed
        | TlsError::Protocol(_)
        | TlsError::Io(_) => Exit::Peer,
    };
    let advice = match error {
        TlsError::NotTls(_) => Some(" (--insecure-plaintext)".to_owned()),
        _ => None,
    };
    Failure::new(exit, error).with_advice(advice)
}
