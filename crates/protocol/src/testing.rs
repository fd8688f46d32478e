//! Streams for tests: an in-memory pipe, with faults at a chosen frame.

pub(crate) mod ends;

use crate::frame::{HEADER, Header};
use crate::stream::{Stream, TICK};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex};

/// A fault in the frames that one party sends, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No fault.
    None,
    /// The connection is lost in both directions before this frame.
    Cut { frame: u64 },
    /// A bit of this frame flips; the position is taken modulo the frame's length.
    Flip { frame: u64, bit: usize },
    /// From this frame on nothing is sent or received, but the connection stays open.
    Stall { frame: u64 },
}

#[derive(Default)]
struct Way {
    state: Mutex<(VecDeque<u8>, bool)>,
    changed: Condvar,
}

const CAPACITY: usize = 256 << 10;

/// One side of a pipe, with a fault in what it sends.
pub(crate) struct Pipe {
    out: Arc<Way>,
    input: Arc<Way>,
    nonblocking: bool,
    fault: Fault,
    frame: u64,
    /// Bytes of the current frame's header seen so far, and the payload bytes still to come.
    header: Vec<u8>,
    left: usize,
    stalled: bool,
    frames: Arc<Mutex<u64>>,
}

/// Two connected streams.
pub(crate) fn pipe(a: Fault, b: Fault) -> (Pipe, Pipe) {
    let (ab, ba) = (Arc::<Way>::default(), Arc::<Way>::default());
    (Pipe::new(ab.clone(), ba.clone(), a), Pipe::new(ba, ab, b))
}

impl Pipe {
    fn new(out: Arc<Way>, input: Arc<Way>, fault: Fault) -> Pipe {
        Pipe {
            out,
            input,
            nonblocking: false,
            fault,
            frame: 0,
            header: Vec::new(),
            left: 0,
            stalled: false,
            frames: Arc::default(),
        }
    }

    /// The number of frames sent; readable after the pipe is dropped.
    pub fn frames(&self) -> Arc<Mutex<u64>> {
        self.frames.clone()
    }

    /// Sends bytes that are not frames.
    pub fn write_raw(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    fn cut(&self) {
        for way in [&self.out, &self.input] {
            way.state.lock().unwrap().1 = true;
            way.changed.notify_all();
        }
    }

    /// Follows the frames and applies the fault. `bytes` is changed to the bytes that may be sent.
    fn damage(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let mut at = 0;
        while at < bytes.len() {
            if self.header.is_empty() {
                match self.fault {
                    Fault::Cut { frame } if frame == self.frame => {
                        bytes.truncate(at);
                        self.push(bytes);
                        self.cut();
                        return Err(io::ErrorKind::BrokenPipe.into());
                    }
                    Fault::Stall { frame } if frame == self.frame => {
                        self.stalled = true;
                        bytes.truncate(at);
                        return Ok(());
                    }
                    _ => {}
                }
            }
            // Channels write headers in one piece.
            if self.header.len() < HEADER {
                self.header.extend_from_slice(&bytes[at..at + HEADER]);
                let header = Header::parse(self.header[..].try_into().unwrap()).unwrap();
                self.left = header.len;
                if let Fault::Flip { frame, bit } = self.fault
                    && frame == self.frame
                {
                    let bit = bit % (8 * (HEADER + header.len));
                    // Frames of these tests fit into one write.
                    bytes[at + bit / 8] ^= 1 << (bit % 8);
                }
                at += HEADER;
            }
            let step = self.left.min(bytes.len() - at);
            self.left -= step;
            at += step;
            if self.left == 0 {
                self.header.clear();
                self.frame += 1;
                *self.frames.lock().unwrap() = self.frame;
            }
        }
        Ok(())
    }

    fn push(&self, bytes: &[u8]) {
        self.out.state.lock().unwrap().0.extend(bytes);
        self.out.changed.notify_all();
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stalled {
            return Ok(bytes.len());
        }
        let state = self.out.state.lock().unwrap();
        let timeout = if self.nonblocking { std::time::Duration::ZERO } else { TICK };
        let full = |state: &mut (VecDeque<u8>, bool)| state.0.len() >= CAPACITY && !state.1;
        let (state, _) = self.out.changed.wait_timeout_while(state, timeout, full).unwrap();
        if state.1 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if state.0.len() >= CAPACITY {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        drop(state);
        let mut copy = bytes.to_vec();
        self.damage(&mut copy)?;
        self.push(&copy);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Pipe {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let timeout = if self.nonblocking { std::time::Duration::ZERO } else { TICK };
        if self.stalled {
            std::thread::sleep(timeout);
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let state = self.input.state.lock().unwrap();
        let empty = |state: &mut (VecDeque<u8>, bool)| state.0.is_empty() && !state.1;
        let (mut state, _) = self.input.changed.wait_timeout_while(state, timeout, empty).unwrap();
        if state.0.is_empty() {
            return if state.1 { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        }
        let count = state.0.read(bytes)?;
        drop(state);
        self.input.changed.notify_all();
        Ok(count)
    }
}

impl Stream for Pipe {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        self.nonblocking = on;
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        if !self.stalled {
            self.out.state.lock().unwrap().1 = true;
            self.out.changed.notify_all();
        }
        Ok(())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // A stalled peer keeps its connection open, as the operating system of a hung computer
        // does. The test's other side finds out by its timeout.
        if !self.stalled {
            self.cut();
        }
    }
}
