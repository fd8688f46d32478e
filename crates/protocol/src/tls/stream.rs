//! A TLS connection as a byte stream that can stop at a time-out and continue later.
//!
//! A write encrypts ("seals") the accepted bytes at once. The sealed bytes are sent when the socket
//! takes them: in the same write, in a later write or flush, or before a read. So a time-out
//! neither loses nor repeats bytes, in either direction. Once there is a [sending half](half), only
//! that one writes. Memory: one sealed batch of [`SEAL_BYTES`], two with a sending half, and one
//! read of [`READ_BYTES`], whatever the amount of data.

mod half;

use crate::keys::PublicIdentity;
use crate::stream::{self, Noted, Stream, TICK, is_tick};
use half::Half;
use rustls::Connection;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Maximum bytes that one write seals: 16 records. They leave in one system call while they are
/// still in the second-level cache.
const SEAL_BYTES: usize = 256 << 10;

/// Maximum bytes of one system call that reads. rustls itself would request 4 KiB.
const READ_BYTES: usize = 256 << 10;

/// The same during a handshake. Its messages are short, and a listening party may have many
/// handshakes under way.
const HANDSHAKE_READ_BYTES: usize = 4 << 10;

/// The byte with which the listening side accepts the dialling side.
const ACCEPTED: u8 = 1;

/// A TLS connection after its handshake.
///
/// A read or write that makes no progress within the socket's time-out fails with
/// [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`]. It has then accepted or delivered
/// no byte and may be repeated. A read calls the socket once. So it also fails that way if less
/// than a record has arrived: a peer that sends a byte now and then cannot block it. A write takes
/// no longer than a tick, however little the peer accepts at a time. A connection that ends without
/// TLS's close alert ends a read with [`io::ErrorKind::UnexpectedEof`], because an attacker may
/// have cut it.
pub struct TlsStream {
    socket: TcpStream,
    connection: Arc<Mutex<Connection>>,
    /// Whether a sending half ended in the middle of a record. The half has a clone of it, by which
    /// this object knows whether there is one.
    cut: Arc<AtomicBool>,
    /// Bytes from the socket that rustls has not consumed: `received[taken..end]`.
    received: Box<[u8]>,
    taken: usize,
    end: usize,
    /// Bytes received so far.
    count: usize,
    /// Whether sealed bytes were sent since the last call of `is_moving`.
    moved: bool,
    peer: PublicIdentity,
    greeted: bool,
    /// The last TLS error. Errors of reads and writes do not carry it in a usable form.
    fault: Option<rustls::Error>,
}

impl TlsStream {
    pub(super) fn new(socket: TcpStream, mut connection: Connection) -> TlsStream {
        // This type bounds writes itself: it seals only when everything sealed before was sent.
        connection.set_buffer_limit(None);
        let peer = PublicIdentity { key: [0; 32], comment: String::new() };
        let received = vec![0; HANDSHAKE_READ_BYTES].into_boxed_slice();
        TlsStream {
            socket,
            connection: Arc::new(Mutex::new(connection)),
            cut: Arc::default(),
            received,
            taken: 0,
            end: 0,
            count: 0,
            moved: false,
            peer,
            greeted: false,
            fault: None,
        }
    }

    /// The identity that the peer has proven. The comment is empty, because it is not transmitted.
    pub fn peer(&self) -> &PublicIdentity {
        &self.peer
    }

    /// Does one step of the handshake: a read or write that takes at most the socket's time-out.
    /// Returns whether the handshake is complete.
    pub(super) fn handshake_step(&mut self, dialled: bool) -> io::Result<bool> {
        match self.send_sealed() {
            Err(error) if is_tick(&error) => return Ok(false),
            result => result?,
        }
        if lock(&self.connection).is_handshaking() {
            return match self.receive() {
                Err(error) if is_tick(&error) => Ok(false),
                Ok(false) => Err(io::ErrorKind::UnexpectedEof.into()),
                result => result.map(|_| false),
            };
        }
        if dialled {
            let mut byte = [0];
            return match self.read(&mut byte) {
                Ok(1) if byte == [ACCEPTED] => Ok(true),
                Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) => Err(self.invalid(rustls::Error::General(
                    "the peer's first byte does not accept this side's key".into(),
                ))),
                Err(error) if is_tick(&error) => Ok(false),
                Err(error) => Err(error),
            };
        }
        if !self.greeted {
            self.greeted = true;
            lock(&self.connection).writer().write_all(&[ACCEPTED])?;
        }
        match self.send_sealed() {
            Err(error) if is_tick(&error) => Ok(false),
            result => result.map(|()| true),
        }
    }

    pub(super) fn finish_handshake(&mut self, peer: PublicIdentity) {
        self.peer = peer;
        // The peer's first messages may have arrived with the end of its handshake.
        let mut received = vec![0; READ_BYTES].into_boxed_slice();
        let rest = &self.received[self.taken..self.end];
        received[..rest.len()].copy_from_slice(rest);
        (self.taken, self.end) = (0, rest.len());
        self.received = received;
    }

    /// The last TLS error, if there was one.
    pub(super) fn fault(&self) -> Option<&rustls::Error> {
        self.fault.as_ref()
    }

    /// Stores a TLS error and converts it to an I/O error.
    fn invalid(&mut self, error: rustls::Error) -> io::Error {
        self.fault = Some(error.clone());
        io::Error::new(io::ErrorKind::InvalidData, error)
    }

    /// Bytes received so far.
    pub(super) fn bytes_received(&self) -> usize {
        self.count
    }

    pub(crate) fn socket(&self) -> &TcpStream {
        &self.socket
    }

    /// Whether this object may write: there is no sending half, and none has cut a record.
    fn is_whole(&self) -> bool {
        Arc::strong_count(&self.cut) == 1 && !self.cut.load(Ordering::Relaxed)
    }

    /// Sends all sealed bytes, or as many as the socket takes within a tick. Sends nothing while
    /// another thread does.
    fn send_sealed(&mut self) -> io::Result<()> {
        if !self.is_whole() {
            return Ok(());
        }
        let mut begin = None;
        let mut connection = lock(&self.connection);
        while connection.wants_write() {
            if begin.get_or_insert_with(Instant::now).elapsed() > TICK {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match connection.write_tls(&mut self.socket) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(_) => self.moved = true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Passes received bytes to rustls, and reads from the socket if there are none. Returns false
    /// at the end of the connection.
    fn receive(&mut self) -> io::Result<bool> {
        if self.taken == self.end {
            // An error that was held back behind valid bytes is reported before waiting for more.
            let processed = lock(&self.connection).process_new_packets();
            processed.map_err(|error| self.invalid(error))?;
            let end = self.socket.read(&mut self.received)?;
            (self.taken, self.end) = (0, end);
            self.count = self.count.saturating_add(end);
        }
        let mut rest = &self.received[self.taken..self.end];
        let at_end = rest.is_empty();
        // rustls also needs to see the end, to distinguish a close alert from a cut connection.
        let mut connection = lock(&self.connection);
        let count = connection.read_tls(&mut rest)?;
        self.taken += count;
        let processed = connection.process_new_packets();
        drop(connection);
        if let Err(error) = processed {
            // The alert gives the peer the reason. Whether it arrives makes no difference here.
            let _ = self.send_sealed();
            return Err(self.invalid(error));
        }
        if count == 0 && !at_end {
            // Anything after a close alert is ignored.
            self.taken = self.end;
            return Ok(false);
        }
        Ok(!at_end)
    }
}

impl Read for TlsStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (mut filled, mut requested) = (0, false);
        match self.send_sealed() {
            Err(error) if is_tick(&error) => {}
            result => result?,
        }
        while filled < buffer.len() {
            let read = lock(&self.connection).reader().read(&mut buffer[filled..]);
            match read {
                // The peer sent its close alert.
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // Read from the socket only for the first byte.
                    if self.taken == self.end {
                        if filled > 0 {
                            break;
                        }
                        if std::mem::replace(&mut requested, true) {
                            return Err(error);
                        }
                    }
                    if let Err(error) = self.receive() {
                        // Deliver the bytes before the damage; the next read returns the error
                        // again.
                        let rest = lock(&self.connection).reader().read(&mut buffer[filled..]);
                        filled += rest.unwrap_or(0);
                        return if filled > 0 { Ok(filled) } else { Err(error) };
                    }
                }
                Err(_) if filled > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Write for TlsStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send_sealed()?;
        let first = &bytes[..bytes.len().min(SEAL_BYTES)];
        let count = lock(&self.connection).writer().write(first)?;
        // The bytes are accepted from here on. The socket takes them now or later.
        match self.send_sealed() {
            Err(error) if !is_tick(&error) => Err(error),
            _ => Ok(count),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send_sealed()
    }
}

impl Stream for TlsStream {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        self.socket.set_nonblocking(on)
    }

    fn is_moving(&mut self) -> bool {
        std::mem::take(&mut self.moved) && lock(&self.connection).wants_write()
    }

    fn has_core_to_send(&self) -> bool {
        self.socket.has_core_to_send()
    }

    fn sending_half(&mut self, moved: Arc<AtomicBool>) -> io::Result<Option<stream::Half>> {
        let socket = Noted { socket: self.socket.try_clone()?, moved };
        Ok(Some(Box::new(Half::new(socket, self.connection.clone(), self.cut.clone()))))
    }

    fn close(&mut self) -> io::Result<()> {
        lock(&self.connection).send_close_notify();
        // Try only once: a peer that no longer reads must not block this side.
        let sent = self.send_sealed();
        self.socket.shutdown(Shutdown::Write)?;
        sent
    }

    /// Discards sealed bytes without decrypting them: after its own close alert a party cannot send
    /// another alert. (In a debug build rustls panics on damaged records after that.)
    fn skip(&mut self, space: &mut [u8]) -> io::Result<usize> {
        self.socket.read(space)
    }
}

/// The connection. A panic elsewhere leaves it as it was between two calls.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for TlsStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TlsStream(with {})", self.peer.fingerprint())
    }
}
