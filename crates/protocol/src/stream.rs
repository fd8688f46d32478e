//! Byte streams that never block for longer than a tick.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

/// The longest that a read or write of a [`Stream`] blocks. Between ticks a channel checks its
/// deadline and its cancel flag, and sends a heartbeat if one is due.
///
/// Fuzzing runs millions of sessions in which both sides wait for a deadline, so its tick is short.
pub const TICK: Duration = Duration::from_millis(if cfg!(fuzzing) { 2 } else { 250 });

/// The sending half of a [`Stream`], for a thread of its own. As those of a stream, its writes and
/// flushes block for at most a tick.
pub type Half = Box<dyn Write + Send>;

/// A connected byte stream. A read or write that makes no progress within about a [`TICK`] fails
/// with [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`] and has moved no byte.
pub trait Stream: Read + Write + Send {
    /// Sets whether reads and writes fail at once where they would block, instead of after a tick.
    ///
    /// # Errors
    /// Those of the system.
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()>;

    /// Whether bytes that were accepted earlier have been sent since the last call, and more are
    /// left. For streams whose writes accept bytes before they send them.
    fn is_moving(&mut self) -> bool {
        false
    }

    /// Whether a thread that sends would have a core of its own.
    fn has_core_to_send(&self) -> bool {
        false
    }

    /// The sending half, for another thread: from now on, this object does not write until it is
    /// [closed](Stream::close), and the half is dropped before that. The half sets `moved` when the
    /// system takes bytes. `None` if the stream cannot be divided.
    ///
    /// # Errors
    /// Those of the system.
    fn sending_half(&mut self, moved: Arc<AtomicBool>) -> io::Result<Option<Half>> {
        let _ = moved;
        Ok(None)
    }

    /// Ends the writing direction, so that the peer's reads end.
    ///
    /// # Errors
    /// Those of the system.
    fn close(&mut self) -> io::Result<()>;

    /// Reads and discards bytes, after [`close`](Stream::close). Returns 0 when the peer ends the
    /// connection.
    ///
    /// # Errors
    /// As a read.
    fn skip(&mut self, space: &mut [u8]) -> io::Result<usize> {
        self.read(space)
    }
}

impl<S: Stream + ?Sized> Stream for Box<S> {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        (**self).set_nonblocking(on)
    }

    fn is_moving(&mut self) -> bool {
        (**self).is_moving()
    }

    fn has_core_to_send(&self) -> bool {
        (**self).has_core_to_send()
    }

    fn sending_half(&mut self, moved: Arc<AtomicBool>) -> io::Result<Option<Half>> {
        (**self).sending_half(moved)
    }

    fn close(&mut self) -> io::Result<()> {
        (**self).close()
    }

    fn skip(&mut self, space: &mut [u8]) -> io::Result<usize> {
        (**self).skip(space)
    }
}

/// A TCP connection whose time-outs were set by [`prepare`].
impl Stream for TcpStream {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        TcpStream::set_nonblocking(self, on)
    }

    /// Each party on this computer also computes.
    fn has_core_to_send(&self) -> bool {
        let is_here = self.peer_addr().is_ok_and(|peer| peer.ip().to_canonical().is_loopback());
        let parties = if is_here { 2 } else { 1 };
        available_parallelism().is_ok_and(|cores| cores.get() > parties)
    }

    fn sending_half(&mut self, moved: Arc<AtomicBool>) -> io::Result<Option<Half>> {
        Ok(Some(Box::new(Noted { socket: self.try_clone()?, moved })))
    }

    fn close(&mut self) -> io::Result<()> {
        self.shutdown(Shutdown::Write)
    }
}

/// A socket whose writes set a flag.
pub(crate) struct Noted {
    pub socket: TcpStream,
    pub moved: Arc<AtomicBool>,
}

impl Write for Noted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.socket.write(bytes)?;
        self.moved.store(true, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// Requested size of the socket's send buffer: a few blocks of tables, so that garbling continues
/// while a block is in transit.
const SOCKET_BUFFER: usize = 1 << 20;

/// Sets the socket's time-outs to a tick, disables Nagle's algorithm, and enlarges the send buffer
/// to hold several frames.
///
/// # Errors
/// Those of the system.
pub fn prepare(socket: TcpStream) -> io::Result<TcpStream> {
    prepare_in_place(&socket)?;
    Ok(socket)
}

/// [`prepare`] for a borrowed socket.
pub(crate) fn prepare_in_place(socket: &TcpStream) -> io::Result<()> {
    socket.set_nonblocking(false)?;
    socket.set_read_timeout(Some(TICK))?;
    socket.set_write_timeout(Some(TICK))?;
    socket.set_nodelay(true)?;
    // A smaller buffer than requested only costs overlap.
    let _ = socket2::SockRef::from(socket).set_send_buffer_size(SOCKET_BUFFER);
    Ok(())
}

/// Whether the error only means that no progress was made within a tick.
pub(crate) fn is_tick(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
}
