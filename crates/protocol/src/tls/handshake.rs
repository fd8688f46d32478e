//! A handshake that proceeds step by step, so that one party may have several under way.

use super::verifier::Pin;
use super::{MAX_HANDSHAKE_BYTES, TlsError, TlsStream};
use crate::keys::{Fingerprint, PublicIdentity};
use crate::stream::TICK;
use halfgate_engine::wipe;
use rustls::Connection;
use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A handshake under way, on either side. The data it keeps from the peer is bounded by
/// [`MAX_HANDSHAKE_BYTES`].
pub(crate) struct Handshake {
    stream: TlsStream,
    pin: Arc<Pin>,
    own: Fingerprint,
    dialled: bool,
}

impl Handshake {
    pub(super) fn new(
        socket: TcpStream,
        connection: Connection,
        pin: Arc<Pin>,
        own: Fingerprint,
    ) -> Handshake {
        let dialled = matches!(connection, Connection::Client(_));
        Handshake { stream: TlsStream::new(socket, connection), pin, own, dialled }
    }

    /// Does one step and returns whether the handshake is complete. Waits for at most the socket's
    /// time-out, or not at all if the socket is non-blocking.
    ///
    /// # Errors
    /// [`TlsError`]: the handshake has failed.
    pub fn step(&mut self) -> Result<bool, TlsError> {
        // A step signs with the private key, and the library leaves that and keys of the session on
        // the stack.
        let done = wipe::stack_after(|| self.stream.handshake_step(self.dialled));
        let done =
            done.map_err(|error| explain(error, self.stream.fault(), &self.pin, self.own))?;
        if !done && self.stream.bytes_received() > MAX_HANDSHAKE_BYTES {
            return Err(TlsError::TooLong);
        }
        Ok(done)
    }

    /// The connection, after the last step. The socket's settings are unchanged.
    ///
    /// # Errors
    /// If the peer has not presented a key.
    pub fn finish(mut self) -> Result<TlsStream, TlsError> {
        // An anonymous peer would have failed the handshake: client authentication is mandatory.
        let missing = TlsError::Protocol(rustls::Error::NoCertificatesPresented);
        let peer = PublicIdentity { key: self.pin.seen().ok_or(missing)?, comment: String::new() };
        tracing::info!(peer = %peer.fingerprint(), "TLS 1.3 session with the peer");
        self.stream.finish_handshake(peer);
        Ok(self.stream)
    }

    /// Does all steps, within `timeout` whatever the peer does. On return the socket has its
    /// previous time-outs.
    pub(super) fn drive(
        mut self,
        timeout: Duration,
        cancel: &AtomicBool,
    ) -> Result<TlsStream, TlsError> {
        let socket = self.stream.socket();
        let time_outs = (
            socket.read_timeout().map_err(TlsError::Io)?,
            socket.write_timeout().map_err(TlsError::Io)?,
        );
        let begin = Instant::now();
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(TlsError::Cancelled);
            }
            let left = timeout.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(TlsError::TimedOut(timeout));
            }
            // The system rejects a time-out of zero, and may round shorter ones down to it.
            let wait = Some(left.clamp(Duration::from_millis(1), TICK));
            self.stream.socket().set_read_timeout(wait).map_err(TlsError::Io)?;
            self.stream.socket().set_write_timeout(wait).map_err(TlsError::Io)?;
            if self.step()? {
                break;
            }
        }
        let stream = self.finish()?;
        stream.socket().set_read_timeout(time_outs.0).map_err(TlsError::Io)?;
        stream.socket().set_write_timeout(time_outs.1).map_err(TlsError::Io)?;
        Ok(stream)
    }
}

/// Converts a failure of the handshake to an error for the user.
fn explain(
    error: io::Error,
    fault: Option<&rustls::Error>,
    pin: &Pin,
    own: Fingerprint,
) -> TlsError {
    use rustls::{AlertDescription, Error};
    if let Some(error) = pin.foreign() {
        return error;
    }
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => return TlsError::Closed,
        _ => {}
    }
    match fault {
        Some(Error::AlertReceived(AlertDescription::AccessDenied)) => TlsError::Refused { own },
        Some(cause @ Error::InvalidMessage(_)) => TlsError::NotTls(cause.to_string()),
        Some(cause) => TlsError::Protocol(cause.clone()),
        None => TlsError::Io(error),
    }
}
