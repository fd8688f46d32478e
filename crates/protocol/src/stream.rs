//! Byte streams that never block for longer than a tick.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The longest that a read or a write of a [`Stream`] blocks. Between ticks a channel looks at
/// its deadline, at the cancel flag, and at whether a heartbeat is due.
///
/// Fuzz targets have sessions by the million in which both sides wait until a deadline.
pub const TICK: Duration = Duration::from_millis(if cfg!(fuzzing) { 2 } else { 250 });

/// A connected byte stream. A read or write that makes no progress within about a [`TICK`] fails
/// with [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`] and has moved no byte.
pub trait Stream: Read + Write + Send {
    /// Whether reads and writes fail at once where they would block, rather than after a tick.
    ///
    /// # Errors
    /// Those of the system.
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()>;

    /// Whether bytes that were accepted earlier have left since the last call, where writing sends
    /// them later than it accepts them.
    fn has_moved(&mut self) -> bool {
        false
    }

    /// Says that nothing more will be written, so that the peer's reads end.
    ///
    /// # Errors
    /// Those of the system.
    fn close(&mut self) -> io::Result<()>;

    /// Reads, after [`close`](Stream::close), what nobody wants to know any more: 0 when the peer
    /// ends the connection.
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

    fn has_moved(&mut self) -> bool {
        (**self).has_moved()
    }

    fn close(&mut self) -> io::Result<()> {
        (**self).close()
    }

    fn skip(&mut self, space: &mut [u8]) -> io::Result<usize> {
        (**self).skip(space)
    }
}

/// A TCP connection that [`prepare`] has given its time-outs.
impl Stream for TcpStream {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        TcpStream::set_nonblocking(self, on)
    }

    fn close(&mut self) -> io::Result<()> {
        self.shutdown(Shutdown::Write)
    }
}

/// Bytes asked of the system for each direction's socket buffer: a few blocks of tables, so that
/// garbling goes on while a block is on its way.
const SOCKET_BUFFER: usize = 1 << 20;

/// Gives a connected socket its tick time-outs, no delay, and a send buffer for several frames.
///
/// # Errors
/// Those of the system.
pub fn prepare(socket: TcpStream) -> io::Result<TcpStream> {
    prepare_in_place(&socket)?;
    Ok(socket)
}

/// [`prepare`] for a socket that somebody else has.
pub(crate) fn prepare_in_place(socket: &TcpStream) -> io::Result<()> {
    socket.set_nonblocking(false)?;
    socket.set_read_timeout(Some(TICK))?;
    socket.set_write_timeout(Some(TICK))?;
    socket.set_nodelay(true)?;
    // A smaller buffer than asked for only costs overlap.
    let _ = socket2::SockRef::from(socket).set_send_buffer_size(SOCKET_BUFFER);
    Ok(())
}

/// Whether a stream only said that it made no progress within its tick.
pub(crate) fn is_tick(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
}
