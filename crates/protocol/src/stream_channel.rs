//! Frames over a byte stream: a TCP connection, or TLS on one.

use crate::carrier::{Carrier, Input};
use crate::framed::Framed;
use crate::stream::Stream;
use halfgate_engine::wipe::Buffer;
use std::io;

/// A channel over a byte stream.
pub type StreamChannel<S> = Framed<Bytes<S>>;

/// Carries frames over a byte stream.
pub struct Bytes<S> {
    stream: S,
}

impl<S: Stream> StreamChannel<S> {
    /// A channel over a connected stream that has no other reader or writer.
    pub fn new(stream: S) -> StreamChannel<S> {
        Framed::over(Bytes { stream })
    }
}

impl<S: Stream> Carrier for Bytes<S> {
    const CHECKED: bool = true;

    fn send(&mut self, out: &mut Buffer, from: usize, to: usize) -> io::Result<usize> {
        let count = self.stream.write(&out[from..to])?;
        if from + count == to {
            self.stream
                .flush()
                .or_else(|e| if crate::stream::is_tick(&e) { Ok(()) } else { Err(e) })?;
        }
        Ok(count)
    }

    fn receive(&mut self, input: &mut Input, limit: usize, wait: bool) -> io::Result<usize> {
        if input.bytes.len() < limit {
            input.bytes.resize(limit);
        }
        let space = &mut input.bytes[input.end..limit];
        let count = if wait {
            self.stream.read(space)?
        } else {
            self.stream.set_nonblocking(true)?;
            let result = self.stream.read(space);
            self.stream.set_nonblocking(false)?;
            result?
        };
        input.end += count;
        Ok(count)
    }

    fn peer_lives(&mut self) -> bool {
        self.stream.has_moved()
    }

    fn skip(&mut self, waste: &mut Input, limit: usize) -> io::Result<usize> {
        waste.bytes.resize(limit);
        self.stream.skip(&mut waste.bytes)
    }

    fn close(&mut self) {
        // The peer sees the end of the connection in any case.
        let _ = self.stream.close();
    }
}
