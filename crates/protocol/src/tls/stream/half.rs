//! The sending half of a TLS connection, for a thread of its own.

use super::{SEAL_BYTES, lock};
use crate::stream::{Noted, TICK, is_tick};
use rustls::Connection;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Seals and sends. Holds the connection while it seals, and not while it waits for the socket: the
/// peer may wait until the other half has read.
pub(super) struct Half {
    socket: Noted,
    connection: Arc<Mutex<Connection>>,
    /// Sealed bytes; those before `at` were sent.
    sealed: Vec<u8>,
    at: usize,
    /// Set when this half ends and has not sent everything.
    cut: Arc<AtomicBool>,
}

impl Half {
    pub fn new(socket: Noted, connection: Arc<Mutex<Connection>>, cut: Arc<AtomicBool>) -> Half {
        Half { socket, connection, sealed: Vec::new(), at: 0, cut }
    }

    /// Takes what the connection has sealed, after `seal`.
    fn take_sealed<T>(
        &mut self,
        seal: impl FnOnce(&mut Connection) -> io::Result<T>,
    ) -> io::Result<T> {
        self.sealed.clear();
        self.at = 0;
        let mut connection = lock(&self.connection);
        let result = seal(&mut connection)?;
        while connection.wants_write() {
            connection.write_tls(&mut self.sealed)?;
        }
        Ok(result)
    }

    /// Sends all sealed bytes, or as many as the socket takes within a tick.
    fn send_sealed(&mut self) -> io::Result<()> {
        let begin = Instant::now();
        while self.at < self.sealed.len() {
            match self.socket.write(&self.sealed[self.at..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => self.at += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if begin.elapsed() > TICK && self.at < self.sealed.len() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }
}

impl Write for Half {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send_sealed()?;
        let first = &bytes[..bytes.len().min(SEAL_BYTES)];
        let count = self.take_sealed(|connection| connection.writer().write(first))?;
        // The bytes are accepted from here on. The socket takes them now or later.
        match self.send_sealed() {
            Err(error) if !is_tick(&error) => Err(error),
            _ => Ok(count),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send_sealed()?;
        self.take_sealed(|_| Ok(()))?;
        self.send_sealed()
    }
}

impl Drop for Half {
    fn drop(&mut self) {
        if self.at < self.sealed.len() {
            self.cut.store(true, Ordering::Relaxed);
        }
    }
}
