//! TCP connections: listening and dialling.
//!
//! Either role may listen. [`Listener`] is the listening side. [`connect`] is the dialling side and
//! retries until its timeout, so the two may be started in either order. Both return a
//! [`TcpStream`] with the time-outs of a [`Stream`](crate::stream::Stream). Wrap it in TLS if
//! wanted, then in a [`StreamChannel`](crate::stream_channel::StreamChannel).

use crate::stream;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The text is not an address.
    #[error("{address:?} is not an address: {error}; use HOST:PORT")]
    Address {
        /// The text.
        address: String,
        /// What is wrong with it.
        error: io::Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {}", listen_cause(.error))]
    Listen {
        /// The address.
        address: String,
        /// Why: perhaps another program listens there.
        error: io::Error,
    },
    /// No connection arrived.
    #[error("nobody connected to {address} within {} s", .after.as_secs_f64())]
    NoPeer {
        /// The address that was listened on.
        address: String,
        /// The timeout.
        after: Duration,
    },
    /// Only unknown peers connected.
    #[error(
        "the peer did not connect to {address} within {} s (unknown peers rejected: \
         {unknown_peers}; the last because: {reason})",
        .after.as_secs_f64()
    )]
    OnlyUnknownPeers {
        /// The address that was listened on.
        address: String,
        /// The timeout.
        after: Duration,
        /// How many connected.
        unknown_peers: u64,
        /// Why the last unknown peer was rejected. A peer with a foreign key takes precedence over
        /// others.
        reason: String,
        /// Whether the peer of `reason` had a foreign key, or rejected this side's key.
        foreign_key: bool,
    },
    /// This side's identity cannot be used.
    #[error("cannot offer TLS with this side's identity: {0}")]
    Identity(crate::tls::TlsError),
    /// No attempt to connect succeeded.
    #[error("cannot connect to {address} (tried for {} s): {error}", .after.as_secs_f64())]
    Connect {
        /// The address.
        address: String,
        /// The timeout.
        after: Duration,
        /// The error of the last attempt.
        error: io::Error,
    },
    /// The cancel flag was set.
    #[error("cancelled while waiting for the other party")]
    Cancelled,
    /// The connection failed right after it was made.
    #[error("the connection with {address} failed: {error}")]
    Failed {
        /// The address.
        address: String,
        /// The cause.
        error: io::Error,
    },
}

fn listen_cause(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => "another program uses this port".to_owned(),
        ErrorKind::PermissionDenied => "this user may not use this port".to_owned(),
        _ => error.to_string(),
    }
}

/// How often to check for a connection and for the cancel flag.
const STEP: Duration = Duration::from_millis(5);

/// Length of the system's queue of connections that wait to be accepted.
const BACKLOG: i32 = 1024;

/// A listening port.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: String,
}

impl Listener {
    /// Listens on `address`, `HOST:PORT`; with port 0 the system chooses the port.
    ///
    /// # Errors
    /// [`NetError::Address`] or [`NetError::Listen`].
    pub fn bind(address: &str) -> Result<Listener, NetError> {
        let addresses = resolve(address)?;
        let failed = |error| NetError::Listen { address: address.to_owned(), error };
        let socket = TcpListener::bind(&addresses[..]).map_err(failed)?;
        socket.set_nonblocking(true).map_err(failed)?;
        // The peer must find a free place in this queue. If the system refuses the longer queue, a
        // shorter one will do.
        let _ = socket2::SockRef::from(&socket).listen(BACKLOG);
        // Port 0 in a message would not say where the peer should have connected to.
        let address = match (address.strip_suffix(":0"), socket.local_addr()) {
            (Some(host), Ok(actual)) => format!("{host}:{}", actual.port()),
            _ => address.to_owned(),
        };
        tracing::debug!(?address, "listening");
        Ok(Listener { socket, address })
    }

    /// The address, with the port that the system chose.
    ///
    /// # Errors
    /// Those of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Waits for the first connection, from whichever peer. [`rendezvous`](crate::rendezvous) waits
    /// for the expected peer.
    ///
    /// # Errors
    /// [`NetError::NoPeer`] after `timeout`, [`NetError::Cancelled`] if the flag is set,
    /// [`NetError::Failed`].
    pub fn accept(
        &self,
        timeout: Duration,
        cancel: &AtomicBool,
    ) -> Result<(TcpStream, SocketAddr), NetError> {
        let begin = Instant::now();
        loop {
            match self.socket.accept() {
                Ok((socket, peer)) => {
                    tracing::info!(%peer, "a peer connected");
                    let failed = |error| NetError::Failed { address: peer.to_string(), error };
                    return Ok((stream::prepare(socket).map_err(failed)?, peer));
                }
                Err(error) if stream::is_tick(&error) => {}
                // A client that disconnected before it was accepted is no reason to fail.
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    return Err(NetError::Failed { address: self.address.clone(), error });
                }
            }
            pause(cancel)?;
            if begin.elapsed() >= timeout {
                return Err(NetError::NoPeer { address: self.address.clone(), after: timeout });
            }
        }
    }
}

impl Listener {
    /// The next connection, if one waits to be accepted.
    ///
    /// # Errors
    /// Those of the system. They may concern this connection only, or be temporary.
    pub(crate) fn next(&self) -> io::Result<Option<(TcpStream, SocketAddr)>> {
        match self.socket.accept() {
            Ok(next) => Ok(Some(next)),
            Err(error) if stream::is_tick(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The address as it was given, with the port that the system chose.
    pub(crate) fn given_address(&self) -> &str {
        &self.address
    }
}

/// [`dial`] without the round trip.
///
/// # Errors
/// Those of [`dial`].
pub fn connect(
    address: &str,
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<TcpStream, NetError> {
    dial(address, timeout, cancel).map(|(socket, _)| socket)
}

/// Expands a listening address from the user: `:PORT` means that port on all addresses of this
/// computer.
pub fn any_host(address: &str) -> String {
    match address.strip_prefix(':') {
        Some(port) => format!("0.0.0.0:{port}"),
        None => address.to_owned(),
    }
}

/// Whether `address`, `HOST:PORT`, is written as one of this computer alone: `localhost` or a
/// loopback address.
pub fn is_loopback(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || number.is_ok_and(|number| number.to_canonical().is_loopback())
}

/// Dials `address`, `HOST:PORT`, and retries for `timeout` while the connection fails. Also
/// measures the round trip of TCP's handshake, to which the peer's operating system responds
/// without its program. For a loopback address it is zero, since there is no link. The operating
/// system's time to resolve a name is not limited, nor can it be cancelled.
///
/// # Errors
/// [`NetError::Address`], [`NetError::Connect`] after `timeout`, [`NetError::Cancelled`] if the
/// flag is set, [`NetError::Failed`].
pub fn dial(
    address: &str,
    timeout: Duration,
    cancel: &AtomicBool,
) -> Result<(TcpStream, Duration), NetError> {
    let addresses = resolve(address)?;
    tracing::debug!(?address, resolved = ?addresses, "dialling");
    let begin = Instant::now();
    let mut last = io::Error::from(ErrorKind::NotFound);
    loop {
        for peer in &addresses {
            let left = timeout.saturating_sub(begin.elapsed()).max(STEP);
            let dialled = Instant::now();
            match TcpStream::connect_timeout(peer, left.min(Duration::from_secs(5))) {
                Ok(socket) => {
                    let round_trip = match peer.ip().is_loopback() {
                        true => Duration::ZERO,
                        false => dialled.elapsed(),
                    };
                    tracing::info!(%peer, ?round_trip, after = ?begin.elapsed(), "connected");
                    let failed = |error| NetError::Failed { address: address.to_owned(), error };
                    return Ok((stream::prepare(socket).map_err(failed)?, round_trip));
                }
                Err(error) => {
                    tracing::trace!(%peer, %error, "the attempt to connect failed");
                    last = error;
                }
            }
        }
        pause(cancel)?;
        if begin.elapsed() >= timeout {
            let address = address.to_owned();
            return Err(NetError::Connect { address, after: timeout, error: last });
        }
    }
}

fn resolve(address: &str) -> Result<Vec<SocketAddr>, NetError> {
    let failed = |error| NetError::Address { address: address.to_owned(), error };
    let addresses: Vec<_> = address.to_socket_addrs().map_err(failed)?.collect();
    if addresses.is_empty() {
        return Err(failed(io::Error::other("the name has no address")));
    }
    Ok(addresses)
}

fn pause(cancel: &AtomicBool) -> Result<(), NetError> {
    if cancel.load(Ordering::Relaxed) {
        return Err(NetError::Cancelled);
    }
    std::thread::sleep(STEP);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(100);

    #[test]
    fn addresses_of_this_computer_alone_are_loopback() {
        for address in [
            "localhost:7766",
            "127.0.0.1:7766",
            "127.8.0.1:1",
            "[::1]:7766",
            "[::ffff:127.0.0.1]:1",
        ] {
            assert!(is_loopback(address), "{address}");
        }
        for address in ["0.0.0.0:7766", "[::]:7766", "10.0.0.1:7766", "host:7766", ":7766", ""] {
            assert!(!is_loopback(address), "{address}");
        }
    }

    #[test]
    fn a_port_in_use_is_named() {
        let first = Listener::bind("127.0.0.1:0").unwrap();
        let address = first.address().unwrap().to_string();
        let text = Listener::bind(&address).unwrap_err().to_string();
        assert_eq!(text, format!("cannot listen on {address}: another program uses this port"));
    }

    #[test]
    fn a_missing_peer_is_an_error_on_either_side_within_the_timeout() {
        let never = AtomicBool::new(false);
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        let address = listener.address().unwrap().to_string();
        let begin = Instant::now();
        let error = listener.accept(SHORT, &never).unwrap_err();
        assert!(matches!(error, NetError::NoPeer { .. }));
        assert!(error.to_string().contains(&address), "the port that the system chose: {error}");
        drop(listener);
        let error = connect(&address, SHORT, &never).unwrap_err();
        assert!(error.to_string().contains(&address), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(2));
    }

    #[test]
    fn either_side_may_start_first() {
        let never = AtomicBool::new(false);
        // A free port. If the dialler is first, it has to wait for the listener.
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        let address = listener.address().unwrap().to_string();
        drop(listener);
        std::thread::scope(|scope| {
            let dialling = scope.spawn(|| connect(&address, Duration::from_secs(5), &never));
            std::thread::sleep(SHORT);
            let listener = Listener::bind(&address).unwrap();
            listener.accept(Duration::from_secs(5), &never).unwrap();
            dialling.join().unwrap().unwrap();
        });
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for address in ["", "localhost", "127.0.0.1:port", "127.0.0.1:70000"] {
            assert!(matches!(Listener::bind(address), Err(NetError::Address { .. })), "{address}");
        }
    }

    #[test]
    fn a_set_flag_ends_the_waiting() {
        let cancelled = AtomicBool::new(true);
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        let hour = Duration::from_secs(3600);
        assert!(matches!(listener.accept(hour, &cancelled), Err(NetError::Cancelled)));
    }
}
