//! A TLS connection as a byte stream that can stop at a time-out and go on.
//!
//! What a write has accepted is sealed at once and sent as the socket takes it: then, on the next
//! write or flush, or before a read. So a time-out loses and repeats nothing, in whichever
//! direction it happens. Memory: one sealed batch of [`SEAL_BYTES`] and one read of
//! [`READ_BYTES`], whatever the amount of data.

use crate::keys::PublicIdentity;
use crate::stream::{Stream, TICK, is_tick};
use rustls::Connection;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

/// The most that one write seals: 16 records, which leave in one system call and still lie in the
/// second-level cache when they do.
const SEAL_BYTES: usize = 256 << 10;

/// The most that one system call reads. rustls itself would ask for 4 KiB.
const READ_BYTES: usize = 256 << 10;

/// The same in a handshake, whose messages are short: a listening party has many under way.
const HANDSHAKE_READ_BYTES: usize = 4 << 10;

/// The byte by which the listening side says that it accepts the dialling one.
const ACCEPTED: u8 = 1;

/// A TLS connection behind its handshake.
///
/// A read or write that cannot go on within the socket's time-out fails with
/// [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`], has accepted or delivered no byte,
/// and may be tried again. A read asks the socket once, and so fails in the same way where what
/// came is less than a record: a peer that sends a byte now and then holds nobody. A write does not
/// go on for longer than a tick, however little the peer takes at a time. A connection that ends
/// without TLS's own goodbye ends a read with [`io::ErrorKind::UnexpectedEof`], for someone may
/// have cut it.
pub struct TlsStream {
    socket: TcpStream,
    connection: Connection,
    /// Bytes from the socket that rustls has not taken: `received[taken..end]`.
    received: Box<[u8]>,
    taken: usize,
    end: usize,
    /// Bytes received so far.
    count: usize,
    /// Whether sealed bytes have left since somebody asked.
    moved: bool,
    peer: PublicIdentity,
    greeted: bool,
    /// What broke TLS last: reads and writes say no more than that something did.
    fault: Option<rustls::Error>,
}

impl TlsStream {
    pub(super) fn new(socket: TcpStream, mut connection: Connection) -> TlsStream {
        // Writes are bounded here, by sealing only when all that was sealed before has left.
        connection.set_buffer_limit(None);
        let peer = PublicIdentity { key: [0; 32], comment: String::new() };
        let received = vec![0; HANDSHAKE_READ_BYTES].into_boxed_slice();
        TlsStream {
            socket,
            connection,
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

    /// Who the other side has proven to be. The comment is empty: it is not transmitted.
    pub fn peer(&self) -> &PublicIdentity {
        &self.peer
    }

    /// One step of the handshake: a read or write that waits for the socket's time-out at most.
    /// Whether it is done.
    pub(super) fn handshake_step(&mut self, dialled: bool) -> io::Result<bool> {
        if self.connection.wants_write() {
            match self.send_sealed() {
                Err(error) if is_tick(&error) => return Ok(false),
                result => result?,
            }
        }
        if self.connection.is_handshaking() {
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
                    "the peer's first byte is not the one that accepts".into(),
                ))),
                Err(error) if is_tick(&error) => Ok(false),
                Err(error) => Err(error),
            };
        }
        if !self.greeted {
            self.greeted = true;
            self.connection.writer().write_all(&[ACCEPTED])?;
        }
        match self.send_sealed() {
            Err(error) if is_tick(&error) => Ok(false),
            result => result.map(|()| true),
        }
    }

    pub(super) fn finish_handshake(&mut self, peer: PublicIdentity) {
        self.peer = peer;
        // The peer's first messages may have come with the end of its handshake.
        let mut received = vec![0; READ_BYTES].into_boxed_slice();
        let rest = &self.received[self.taken..self.end];
        received[..rest.len()].copy_from_slice(rest);
        (self.taken, self.end) = (0, rest.len());
        self.received = received;
    }

    /// What broke TLS, if anything did.
    pub(super) fn fault(&self) -> Option<&rustls::Error> {
        self.fault.as_ref()
    }

    /// Keeps what broke TLS, and gives it as a read or write has it.
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

    /// Sends all that is sealed, or what the socket takes of it within a tick.
    fn send_sealed(&mut self) -> io::Result<()> {
        let mut begin = None;
        while self.connection.wants_write() {
            if begin.get_or_insert_with(Instant::now).elapsed() > TICK {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match self.connection.write_tls(&mut self.socket) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(_) => self.moved = true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Feeds rustls with what was received, asking the socket if there is nothing. False at the end
    /// of the connection.
    fn receive(&mut self) -> io::Result<bool> {
        if self.taken == self.end {
            // An error that was held back behind good bytes comes before more is waited for.
            self.connection.process_new_packets().map_err(|error| self.invalid(error))?;
            let end = self.socket.read(&mut self.received)?;
            (self.taken, self.end) = (0, end);
            self.count = self.count.saturating_add(end);
        }
        let mut rest = &self.received[self.taken..self.end];
        let at_end = rest.is_empty();
        // rustls must be told of the end too, to tell a goodbye from a cut.
        let count = self.connection.read_tls(&mut rest)?;
        self.taken += count;
        if let Err(error) = self.connection.process_new_packets() {
            // The alert tells the peer why; whether it arrives changes nothing here.
            let _ = self.send_sealed();
            return Err(self.invalid(error));
        }
        if count == 0 && !at_end {
            // Whatever follows a goodbye is to be ignored.
            self.taken = self.end;
            return Ok(false);
        }
        Ok(!at_end)
    }
}

impl Read for TlsStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (mut filled, mut requested) = (0, false);
        if self.connection.wants_write() {
            match self.send_sealed() {
                Err(error) if is_tick(&error) => {}
                result => result?,
            }
        }
        while filled < buffer.len() {
            match self.connection.reader().read(&mut buffer[filled..]) {
                // The peer's goodbye.
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // Ask the socket only for the first byte.
                    if self.taken == self.end {
                        if filled > 0 {
                            break;
                        }
                        if std::mem::replace(&mut requested, true) {
                            return Err(error);
                        }
                    }
                    if let Err(error) = self.receive() {
                        // Bytes that came before the damage are delivered; the error comes again.
                        let rest = self.connection.reader().read(&mut buffer[filled..]);
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
        let count = self.connection.writer().write(&bytes[..bytes.len().min(SEAL_BYTES)])?;
        // From here on the bytes are accepted: what the socket does not take now, it takes later.
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

    fn has_moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }

    fn close(&mut self) -> io::Result<()> {
        self.connection.send_close_notify();
        // A peer that no longer reads must not keep this side: one try.
        let sent = self.send_sealed();
        self.socket.shutdown(Shutdown::Write)?;
        sent
    }

    /// Sealed bytes: whatever they are, a party that has said its goodbye has no alert to give. (In
    /// a debug build rustls panics on damage behind it.)
    fn skip(&mut self, space: &mut [u8]) -> io::Result<usize> {
        self.socket.read(space)
    }
}

impl fmt::Debug for TlsStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TlsStream(with {})", self.peer.fingerprint())
    }
}
