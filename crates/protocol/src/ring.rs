//! Frames between two threads of one process: a ring of buffers that change hands.
//!
//! The sender fills a buffer and hands it over. The receiver reads the frames in place and returns
//! the buffer. Nothing is copied. Frames carry no CRC, because memory does not damage them.
//! Liveness is a flag instead of heartbeat frames, which would fill the ring while both sides
//! compute.

use crate::carrier::{Carrier, Input};
use crate::framed::{BATCH, Framed};
use crate::stream::TICK;
use halfgate_engine::wipe::Buffer;
use std::hint::spin_loop;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

/// A channel between two threads.
pub type RingChannel = Framed<Ring>;

/// Buffers in each direction; one is being filled and one is being read. More would only evict each
/// other from the cache.
const BUFFERS: usize = 6;

/// Number of polls before a thread sleeps.
const SPINS: usize = 2_000;

/// How long a sender sleeps before it checks whether the peer is also waiting for free space.
const NAP: Duration = Duration::from_millis(1);

/// What both sides of two rings do, for fuzz targets: how many sides wait for a buffer to read, in
/// units of [`Activity::WAITING`], and how many buffers were sent and not yet received. One number,
/// so that both are read at the same moment. Elsewhere nothing is counted.
#[derive(Default)]
struct Activity(AtomicUsize);

impl Activity {
    const WAITING: usize = 1 << 16;
    const IN_FLIGHT: usize = 1;

    fn add(&self, units: usize) {
        if cfg!(fuzzing) {
            self.0.fetch_add(units, Ordering::SeqCst);
        }
    }

    fn remove(&self, units: usize) {
        if cfg!(fuzzing) {
            self.0.fetch_sub(units, Ordering::SeqCst);
        }
    }

    /// Whether both sides wait for each other, so that only a timeout ends the session. The side
    /// that begins to wait last always sees it.
    fn is_stalled(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 2 * Activity::WAITING
    }
}

/// One side of two rings, one ring for each direction.
pub struct Ring {
    /// `None` once nothing more will be sent.
    full_out: Option<Sender<(Buffer, usize)>>,
    empty_in: Receiver<Buffer>,
    full_in: Receiver<(Buffer, usize)>,
    empty_out: Sender<Buffer>,
    /// Complete frames taken from `full_in` so that the peer can send more.
    aside: Buffer,
    /// Whether the buffer being read belongs to the ring.
    reads_of_ring: bool,
    own_life: Arc<AtomicBool>,
    peer_life: Arc<AtomicBool>,
    activity: Arc<Activity>,
}

/// Two connected channels. Memory: 12 buffers of 128 KiB (1 MiB for a buffer with a frame of that
/// length).
pub fn pair() -> (RingChannel, RingChannel) {
    let (full_a, from_a) = channel();
    let (full_b, from_b) = channel();
    // Each side starts with one buffer to fill and one to read; the others are queued as empty.
    let (back_to_a, empty_a) = channel();
    let (back_to_b, empty_b) = channel();
    for _ in 0..BUFFERS - 2 {
        // Both receivers exist, because this function holds them.
        let _ = back_to_a.send(Buffer::new(BATCH));
        let _ = back_to_b.send(Buffer::new(BATCH));
    }
    let (life_a, life_b) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let activity = Arc::new(Activity::default());
    let a = Ring {
        full_out: Some(full_a),
        empty_in: empty_a,
        full_in: from_b,
        empty_out: back_to_b,
        aside: Buffer::default(),
        reads_of_ring: false,
        own_life: Arc::clone(&life_a),
        peer_life: Arc::clone(&life_b),
        activity: Arc::clone(&activity),
    };
    let b = Ring {
        full_out: Some(full_b),
        empty_in: empty_b,
        full_in: from_a,
        empty_out: back_to_a,
        aside: Buffer::default(),
        reads_of_ring: false,
        own_life: life_b,
        peer_life: life_a,
        activity,
    };
    (Framed::over(a), Framed::over(b))
}

/// Receives a value: polls [`SPINS`] times, then sleeps for up to `patience`.
fn wait<T>(from: &Receiver<T>, patience: Duration) -> io::Result<T> {
    for _ in 0..SPINS {
        match from.try_recv() {
            Ok(value) => return Ok(value),
            Err(TryRecvError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(TryRecvError::Empty) => spin_loop(),
        }
    }
    receive_within(from, patience)
}

/// Receives a value: sleeps for up to `patience`.
fn receive_within<T>(from: &Receiver<T>, patience: Duration) -> io::Result<T> {
    from.recv_timeout(patience).map_err(|error| match error {
        RecvTimeoutError::Timeout => io::ErrorKind::WouldBlock.into(),
        RecvTimeoutError::Disconnected => io::ErrorKind::BrokenPipe.into(),
    })
}

impl Ring {
    /// Waits for a buffer to read, in a fuzz target. Fails with [`io::ErrorKind::Deadlock`] if the
    /// other side waits too: a session in which a peer withholds a message then ends without
    /// waiting for a timeout.
    fn wait_unless_stalled(&self) -> io::Result<(Buffer, usize)> {
        self.activity.add(Activity::WAITING);
        let stalled = self.activity.is_stalled();
        // A peer that has closed its side waits for this side to leave, and is not stalled.
        let result = match self.full_in.try_recv() {
            Ok(full) => Ok(full),
            Err(TryRecvError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(TryRecvError::Empty) if stalled => Err(io::ErrorKind::Deadlock.into()),
            Err(TryRecvError::Empty) => receive_within(&self.full_in, TICK),
        };
        self.activity.remove(Activity::WAITING);
        result
    }

    /// Starts to read another buffer; `of_ring` states whether it belongs to the ring. The previous
    /// buffer returns to the peer if it belongs to the ring.
    fn read_next(&mut self, input: &mut Input, next: Input, of_ring: bool) -> usize {
        let end = next.end;
        let used = std::mem::replace(input, next);
        if std::mem::replace(&mut self.reads_of_ring, of_ring) {
            // The other side may be gone already; the data it sent is still worth reading.
            let _ = self.empty_out.send(used.bytes);
        }
        end
    }
}

impl Carrier for Ring {
    const CHECKED: bool = false;
    const SETS_ASIDE: bool = true;

    fn send(&mut self, out: &mut Buffer, from: usize, to: usize) -> io::Result<usize> {
        debug_assert_eq!(from, 0, "a buffer changes hands whole");
        let empty = wait(&self.empty_in, NAP)?;
        let full = std::mem::replace(out, empty);
        self.activity.add(Activity::IN_FLIGHT);
        let sent = self.full_out.as_ref().map(|full_out| full_out.send((full, to)));
        sent.and_then(Result::ok).map(|()| to).ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    fn receive(
        &mut self,
        input: &mut Input,
        _limit: usize,
        wait_for_it: bool,
    ) -> io::Result<usize> {
        // Buffers hold whole frames. A buffer is read to its end before the next.
        if input.start < input.end {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        if !self.aside.is_empty() {
            let end = self.aside.len();
            let bytes = std::mem::take(&mut self.aside);
            return Ok(self.read_next(input, Input { bytes, start: 0, end }, false));
        }
        let full = match wait_for_it {
            true if cfg!(fuzzing) => self.wait_unless_stalled(),
            true => wait(&self.full_in, TICK),
            false => self.full_in.try_recv().map_err(|error| match error {
                TryRecvError::Empty => io::ErrorKind::WouldBlock.into(),
                TryRecvError::Disconnected => io::ErrorKind::BrokenPipe.into(),
            }),
        };
        let (full, end) = match full {
            Ok(full) => full,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
            Err(error) => return Err(error),
        };
        self.activity.remove(Activity::IN_FLIGHT);
        Ok(self.read_next(input, Input { bytes: full, start: 0, end }, true))
    }

    fn set_aside(&mut self, limit: usize) -> bool {
        let mut came = false;
        while self.aside.len() + BATCH <= limit {
            let Ok((full, end)) = self.full_in.try_recv() else { break };
            self.activity.remove(Activity::IN_FLIGHT);
            self.aside.extend_from_slice(&full[..end]);
            let _ = self.empty_out.send(full);
            came = true;
        }
        came
    }

    fn close(&mut self) {
        // The ring can only be closed by dropping its sender.
        self.full_out = None;
    }

    fn show_life(&mut self) -> bool {
        self.own_life.store(true, Ordering::Relaxed);
        true
    }

    fn peer_lives(&mut self) -> bool {
        self.peer_life.swap(false, Ordering::Relaxed)
    }
}
