//! An in-memory pipe, one side of which can be read frame by frame.

use halfgate_protocol::frame::HEADER;
use halfgate_protocol::stream::{Stream, TICK};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Bytes in transit in one direction, and whether that direction has ended.
#[derive(Default)]
struct Way {
    state: Mutex<(VecDeque<u8>, bool)>,
    changed: Condvar,
}

/// One side. Dropping it ends both directions.
pub struct End {
    out: Arc<Way>,
    input: Arc<Way>,
    nonblocking: bool,
}

/// Two connected sides.
pub fn pipe() -> (End, End) {
    let (ab, ba) = (Arc::<Way>::default(), Arc::<Way>::default());
    let end = |out: &Arc<Way>, input: &Arc<Way>| End {
        out: Arc::clone(out),
        input: Arc::clone(input),
        nonblocking: false,
    };
    (end(&ab, &ba), end(&ba, &ab))
}

/// The length of the frame at the start of `bytes`, if its header is there.
pub fn frame_len(bytes: &[u8]) -> Option<usize> {
    let header = bytes.first_chunk::<HEADER>()?;
    Some(HEADER + u32::from_le_bytes([header[4], header[5], header[6], 0]) as usize)
}

/// The number of leading bytes that form complete frames.
pub fn whole_frames(bytes: &[u8]) -> usize {
    let mut end = 0;
    while let Some(len) = frame_len(&bytes[end..]).filter(|len| end + len <= bytes.len()) {
        end += len;
    }
    end
}

impl End {
    /// The next complete frame from the other side, which must be honest; `None` at the end of the
    /// connection.
    ///
    /// # Errors
    /// If no frame arrives within a tick, or at once if this side is non-blocking.
    pub fn take_frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        let wait = if self.nonblocking { Duration::ZERO } else { TICK };
        let whole = |state: &(VecDeque<u8>, bool)| {
            let header: Vec<u8> = state.0.iter().take(HEADER).copied().collect();
            frame_len(&header).filter(|len| state.0.len() >= *len)
        };
        let state = self.input.state.lock().unwrap();
        let missing = |state: &mut (VecDeque<u8>, bool)| whole(state).is_none() && !state.1;
        let (mut state, _) = self.input.changed.wait_timeout_while(state, wait, missing).unwrap();
        match (whole(&state), state.1) {
            (Some(len), _) => Ok(Some(state.0.drain(..len).collect())),
            (None, true) => Ok(None),
            (None, false) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    /// The next complete frame, without taking it.
    pub fn peek_frame(&self) -> Option<Vec<u8>> {
        let state = self.input.state.lock().unwrap();
        let header: Vec<u8> = state.0.iter().take(HEADER).copied().collect();
        let len = frame_len(&header).filter(|len| state.0.len() >= *len)?;
        Some(state.0.iter().take(len).copied().collect())
    }
}

impl Read for End {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let wait = if self.nonblocking { Duration::ZERO } else { TICK };
        let state = self.input.state.lock().unwrap();
        let empty = |state: &mut (VecDeque<u8>, bool)| state.0.is_empty() && !state.1;
        let (mut state, _) = self.input.changed.wait_timeout_while(state, wait, empty).unwrap();
        if state.0.is_empty() && !state.1 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        state.0.read(bytes)
    }
}

impl Write for End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.out.state.lock().unwrap();
        if state.1 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.0.extend(bytes);
        self.out.changed.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for End {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        self.nonblocking = on;
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        self.out.state.lock().unwrap().1 = true;
        self.out.changed.notify_all();
        Ok(())
    }
}

impl Drop for End {
    fn drop(&mut self) {
        for way in [&self.out, &self.input] {
            // A panicked party holds no lock of a pipe, because the locks are held only in this
            // module.
            way.state.lock().unwrap().1 = true;
            way.changed.notify_all();
        }
    }
}
