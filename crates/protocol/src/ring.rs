//! Frames between two threads of one process: a ring of buffers that change hands.
//!
//! A sender fills a buffer and gives it away, the receiver reads frames where they lie and gives
//! the buffer back. Nothing is copied, and frames carry no CRC: memory is not a wire. Signs of
//! life are a flag and not frames, since those would fill the ring while both ends compute.

use crate::carrier::{Carrier, Input};
use crate::framed::{BATCH, Framed};
use crate::stream::TICK;
use std::hint::spin_loop;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};

/// A channel between two threads.
pub type RingChannel = Framed<Ring>;

/// Buffers of each direction, one of them being filled and one being read. More would only push
/// each other out of the cache.
const BUFFERS: usize = 6;

/// How often to look again before going to sleep.
const SPINS: usize = 2_000;

/// One end of two rings, one for each direction.
pub struct Ring {
    full_out: Sender<(Vec<u8>, usize)>,
    empty_in: Receiver<Vec<u8>>,
    full_in: Receiver<(Vec<u8>, usize)>,
    empty_out: Sender<Vec<u8>>,
    own_life: Arc<AtomicBool>,
    peer_life: Arc<AtomicBool>,
}

/// Two connected channels. Memory: 12 buffers of 128 KiB (of 1 MiB where a frame is that long).
pub fn pair() -> (RingChannel, RingChannel) {
    let (full_a, from_a) = channel();
    let (full_b, from_b) = channel();
    // An end begins with a buffer to fill and one to read; the rest waits to be filled.
    let (back_to_a, empty_a) = channel();
    let (back_to_b, empty_b) = channel();
    for _ in 0..BUFFERS - 2 {
        // Both receivers are alive, being held here.
        let _ = back_to_a.send(vec![0; BATCH]);
        let _ = back_to_b.send(vec![0; BATCH]);
    }
    let (life_a, life_b) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let a = Ring {
        full_out: full_a,
        empty_in: empty_a,
        full_in: from_b,
        empty_out: back_to_b,
        own_life: Arc::clone(&life_a),
        peer_life: Arc::clone(&life_b),
    };
    let b = Ring {
        full_out: full_b,
        empty_in: empty_b,
        full_in: from_a,
        empty_out: back_to_a,
        own_life: life_b,
        peer_life: life_a,
    };
    (Framed::over(a), Framed::over(b))
}

/// Waits a little while awake, then asleep, at most a tick in all.
fn wait<T>(from: &Receiver<T>) -> io::Result<T> {
    for _ in 0..SPINS {
        match from.try_recv() {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(TryRecvError::Empty) => spin_loop(),
        }
    }
    from.recv_timeout(TICK).map_err(|error| match error {
        RecvTimeoutError::Timeout => io::ErrorKind::WouldBlock.into(),
        RecvTimeoutError::Disconnected => io::ErrorKind::BrokenPipe.into(),
    })
}

impl Carrier for Ring {
    const CHECKED: bool = false;

    fn send(&mut self, out: &mut Vec<u8>, from: usize, to: usize) -> io::Result<usize> {
        debug_assert_eq!(from, 0, "a buffer changes hands whole");
        let empty = wait(&self.empty_in)?;
        let full = std::mem::replace(out, empty);
        self.full_out.send((full, to)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(to)
    }

    fn receive(
        &mut self,
        input: &mut Input,
        _limit: usize,
        wait_for_it: bool,
    ) -> io::Result<usize> {
        // Buffers hold whole frames. One that is still being read stays until the next `recv`.
        if input.start < input.end || !wait_for_it {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let (full, end) = match wait(&self.full_in) {
            Ok(full) => full,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
            Err(error) => return Err(error),
        };
        let used = std::mem::replace(input, Input { bytes: full, start: 0, end });
        if !used.bytes.is_empty() {
            // The other end may be gone already; what it sent is still worth reading.
            let _ = self.empty_out.send(used.bytes);
        }
        Ok(end)
    }

    fn close(&mut self) {
        // Nothing can be closed but by dropping: leave the peer a sender that is gone.
        let (gone, _) = channel();
        self.full_out = gone;
    }

    fn show_life(&mut self) -> bool {
        self.own_life.store(true, Ordering::Relaxed);
        true
    }

    fn peer_lives(&mut self) -> bool {
        self.peer_life.swap(false, Ordering::Relaxed)
    }
}
