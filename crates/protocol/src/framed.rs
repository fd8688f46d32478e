//! The one implementation of [`Channel`]: buffers, frame numbers, digests and time, over a
//! [`Carrier`] that moves bytes.

mod waiting;

use crate::carrier::{Carrier, Input, MAX_REASON, broken, reason};
use crate::channel::{Channel, ChannelError, Deadline, Timing};
use crate::frame::{HEADER, Header, Kind, MAX_PAYLOAD, Transcript};
use crate::stream::{TICK, is_tick};
use halfgate_engine::wipe::Buffer;
use std::io;
use std::time::{Duration, Instant};

/// Maximum bytes of frames sent in one call: 4,096 tables and their headers. That is long enough to
/// make a system call cheap, and short enough to stay in the second-level cache and to let the peer
/// start early.
///
/// Fuzz targets create millions of channels, so their batches are short.
pub(crate) const BATCH: usize = (if cfg!(fuzzing) { 4 << 10 } else { 128 << 10 }) + 4 * HEADER;

/// The least number of bytes requested in one read, so that one call receives several short frames.
/// The part of a long frame that is read before its header is known gets copied once. This constant
/// bounds that part.
const LEAST_READ: usize = 8 << 10;

/// How often a sender polls for received data while it is busy.
const POLL: Duration = Duration::from_millis(5);

/// How often [`try_recv`](Channel::try_recv) reads from the carrier.
const GLANCE: Duration = Duration::from_millis(1);

/// Maximum bytes that a busy sender reads ahead; more stays with the operating system.
pub(crate) const BACKLOG: usize = 4 << 20;

/// How long to try sending an abort, and how long to wait for the peer to close its side.
const FAREWELL: Duration = Duration::from_secs(1);

/// A channel over a carrier. Memory: two buffers of [`BATCH`] bytes, or of 1 MiB with frames of the
/// maximum length, and two more if a thread sends. If the peer sends while this side does not read,
/// at most one and a half times [`BACKLOG`] bytes more.
pub struct Framed<C> {
    carrier: C,
    timing: Timing,
    deadline: Option<Deadline>,
    /// Since when the peer's first message is awaited, and whether it has arrived.
    awaited: Option<Instant>,
    has_received: bool,
    /// Frames to be sent: `out[sent..out_end]`. The last one may still be open.
    out: Buffer,
    sent: usize,
    out_end: usize,
    open: Option<(usize, Kind)>,
    space: usize,
    out_sequence: u64,
    out_digest: Transcript,
    last_sent: Instant,
    last_poll: Instant,
    last_glance: Instant,
    bytes_sent: u64,
    progress: u64,
    input: Input,
    /// The input before this offset was searched and holds no abort.
    searched: usize,
    /// Range of the payload of the frame last received.
    held: (usize, usize),
    in_sequence: u64,
    in_digest: Transcript,
    /// `in_digest` before the frame last received.
    in_digest_before: Transcript,
    bytes_received: u64,
    over: bool,
    round_trip: Option<Duration>,
}

impl<C: Carrier> Framed<C> {
    pub(crate) fn over(carrier: C) -> Framed<C> {
        let now = Instant::now();
        Framed {
            carrier,
            timing: Timing::default(),
            deadline: None,
            awaited: None,
            has_received: false,
            out: Buffer::new(BATCH),
            sent: 0,
            out_end: 0,
            open: None,
            space: 0,
            out_sequence: 0,
            out_digest: Transcript::default(),
            last_sent: now,
            last_poll: now,
            last_glance: now,
            bytes_sent: 0,
            progress: 0,
            input: Input::default(),
            searched: 0,
            held: (0, 0),
            in_sequence: 0,
            in_digest: Transcript::default(),
            in_digest_before: Transcript::default(),
            bytes_received: 0,
            over: false,
            round_trip: None,
        }
    }

    /// Sets the round trip that was measured when the connection was made.
    pub fn with_round_trip(self, round_trip: Option<Duration>) -> Framed<C> {
        Framed { round_trip, ..self }
    }

    /// Completes the open frame, if there is one, by writing its header.
    fn close_frame(&mut self) {
        let Some((start, kind)) = self.open.take() else { return };
        let frame = &mut self.out[start..self.out_end];
        let len = frame.len() - HEADER;
        let crc = if C::CHECKED {
            Header::seal(kind, self.out_sequence, frame)
        } else {
            Header::write_fields(kind, self.out_sequence, len, frame);
            0
        };
        if kind != Kind::Heartbeat {
            self.out_digest.add(kind, len, crc);
        }
        self.out_sequence += 1;
    }

    /// Appends a complete frame to the output buffer.
    fn append(&mut self, kind: Kind, payload: &[u8]) {
        self.close_frame();
        let end = self.out_end + HEADER + payload.len();
        if self.out.len() < end {
            self.out.resize(end);
        }
        self.open = Some((self.out_end, kind));
        self.out[self.out_end + HEADER..end].copy_from_slice(payload);
        self.out_end = end;
        self.close_frame();
    }

    /// Sends the whole output buffer.
    fn write_out(&mut self) -> Result<(), ChannelError> {
        self.close_frame();
        let mut progress = Instant::now();
        while self.sent < self.out_end {
            match self.carrier.send(&mut self.out, self.sent, self.out_end) {
                Ok(0) => return Err(self.send_failed(io::ErrorKind::WriteZero.into())),
                Ok(count) => {
                    self.sent += count;
                    self.bytes_sent += count as u64;
                    progress = Instant::now();
                    self.check_limits(progress)?;
                }
                Err(error) if is_tick(&error) => {
                    self.check_limits(Instant::now())?;
                    // Without this, two parties that both write could wait for each other for ever.
                    if self.poll()? || self.carrier.peer_lives() {
                        progress = Instant::now();
                    }
                    self.check_idle_timeout(progress)?;
                }
                Err(error) => return Err(self.send_failed(error)),
            }
        }
        (self.sent, self.out_end) = (0, 0);
        self.last_sent = progress;
        if self.last_sent.duration_since(self.last_poll) >= POLL {
            self.poll()?;
        }
        Ok(())
    }

    /// The error to report after sending failed: the peer's abort, if it sent one before it left.
    fn send_failed(&mut self, error: io::Error) -> ChannelError {
        self.over = true;
        loop {
            match self.poll() {
                Ok(true) => {}
                Ok(false) => break,
                Err(ChannelError::Aborted(reason)) => return ChannelError::Aborted(reason),
                Err(_) => break,
            }
        }
        broken(error)
    }

    /// Reads what has arrived, without waiting, and returns whether there was anything. Fails with
    /// the peer's abort if it finds one.
    fn poll(&mut self) -> Result<bool, ChannelError> {
        self.last_poll = Instant::now();
        if C::SETS_ASIDE {
            return Ok(self.carrier.set_aside(BACKLOG));
        }
        self.drop_used();
        let limit = self.input.end + LEAST_READ.max(BACKLOG / 16);
        if limit > self.input.start + BACKLOG {
            return Ok(false);
        }
        let came = match self.carrier.receive(&mut self.input, limit, false) {
            Ok(count) => count,
            Err(error) if is_tick(&error) => return Ok(false),
            // The end of the stream, clean or not, is an error only when more is expected or when
            // sending fails: the peer may have sent everything.
            Err(error) => match broken(error) {
                ChannelError::Closed => return Ok(false),
                other => return Err(other),
            },
        };
        self.find_abort()?;
        Ok(came > 0)
    }

    /// Drops the used part of the input once it is large. A receiver that always lags never reaches
    /// [`make_space`](Framed::make_space), which would drop it otherwise.
    fn drop_used(&mut self) {
        let Input { bytes, start, end } = &mut self.input;
        let (from, to) = self.held;
        let used = if from < to { from } else { *start };
        if used < BACKLOG / 4 {
            return;
        }
        bytes.copy_within(used..*end, 0);
        (*start, *end) = (*start - used, *end - used);
        self.held = if from < to { (0, to - from) } else { (0, 0) };
        self.searched = self.searched.saturating_sub(used);
    }

    /// Looks for an abort in input that arrived since the last search and was not read yet.
    fn find_abort(&mut self) -> Result<(), ChannelError> {
        let from = self.searched.max(self.input.start);
        let mut rest = &self.input.bytes[from..self.input.end];
        while let Some((bytes, after)) = rest.split_first_chunk::<HEADER>() {
            // `recv` reports a damaged frame when it reaches it.
            let Ok(header) = Header::parse(bytes) else { break };
            let Some(payload) = after.get(..header.len) else { break };
            if header.kind == Kind::Abort {
                return Err(ChannelError::Aborted(reason(payload)));
            }
            rest = &after[header.len..];
        }
        self.searched = self.input.end - rest.len();
        Ok(())
    }

    /// The next frame if it is complete; otherwise the number of bytes that it needs.
    fn next_frame(&mut self) -> Result<Result<Kind, usize>, ChannelError> {
        let Input { bytes, start, end } = &self.input;
        let Some(head) = bytes[*start..*end].first_chunk::<HEADER>() else {
            return Ok(Err(HEADER));
        };
        let damaged = |what| ChannelError::Damaged { what, frame: self.in_sequence };
        let header = Header::parse(head).map_err(damaged)?;
        if header.sequence != self.in_sequence {
            return Err(damaged("frames are missing, repeated or out of order"));
        }
        let total = HEADER + header.len;
        let Some(frame) = bytes[*start..*end].get(..total) else {
            return Ok(Err(total));
        };
        if C::CHECKED && crate::frame::crc32c(&frame[4..]) != header.crc {
            return Err(damaged("its checksum is wrong"));
        }
        self.held = (start + HEADER, start + total);
        self.input.start += total;
        self.in_sequence += 1;
        self.bytes_received += total as u64;
        if header.kind != Kind::Heartbeat {
            let crc = if C::CHECKED { header.crc } else { 0 };
            self.in_digest_before = self.in_digest;
            self.in_digest.add(header.kind, header.len, crc);
        }
        Ok(Ok(header.kind))
    }

    /// [`next_frame`](Framed::next_frame), with heartbeats and aborts handled.
    fn next_of_caller(&mut self) -> Result<Result<Kind, usize>, ChannelError> {
        loop {
            match self.next_frame()? {
                Ok(Kind::Heartbeat) if !self.has_received => return Err(ChannelError::Early),
                Ok(Kind::Heartbeat) if self.payload().len() == size_of_val(&self.progress) => {}
                Ok(Kind::Heartbeat) => {
                    let what = "it is a heartbeat of the wrong length";
                    return Err(ChannelError::Damaged { what, frame: self.in_sequence - 1 });
                }
                Ok(Kind::Abort) => {
                    self.over = true;
                    return Err(ChannelError::Aborted(reason(self.payload())));
                }
                other => {
                    self.has_received |= other.is_ok();
                    return Ok(other);
                }
            }
        }
    }

    /// Received bytes that are not used yet.
    fn unused(&self) -> usize {
        self.input.end - self.input.start
    }

    /// Moves the unused input to the front of the buffer. Returns the offset up to which to read
    /// for a frame of `need` bytes.
    fn make_space(&mut self, need: usize) -> usize {
        let input = &mut self.input;
        if input.start > 0 && !C::SETS_ASIDE {
            input.bytes.copy_within(input.start..input.end, 0);
            self.searched = self.searched.saturating_sub(input.start);
            (input.start, input.end) = (0, input.end - input.start);
        }
        // Reads the frame and the next header. So the next read knows where to stop, and at most a
        // header ever has to be moved to the front.
        (need + HEADER).max(LEAST_READ).max(self.input.end + HEADER)
    }
}

impl<C: Carrier> Channel for Framed<C> {
    fn set_timing(&mut self, timing: Timing) {
        self.timing = timing;
    }

    fn round_trip(&self) -> Option<Duration> {
        self.round_trip
    }

    fn set_deadline(&mut self, deadline: Option<Deadline>) {
        self.deadline = deadline;
    }

    #[inline]
    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError> {
        if len > MAX_PAYLOAD {
            return Err(ChannelError::TooLong(len));
        }
        let extends = self.out_end + len <= BATCH
            && matches!(self.open, Some((_, open)) if open == kind && kind == Kind::Tables);
        if !extends {
            self.close_frame();
            if self.out_end > 0 && self.out_end + HEADER + len > BATCH {
                self.write_out()?;
            }
            self.open = Some((self.out_end, kind));
            self.out_end += HEADER;
            if self.out.len() < self.out_end + len {
                self.out.resize(self.out_end + len);
            }
        }
        self.space = len;
        Ok(&mut self.out[self.out_end..self.out_end + len])
    }

    #[inline]
    fn send_commit(&mut self) -> Result<(), ChannelError> {
        self.out_end += self.space;
        let space = std::mem::take(&mut self.space);
        if !matches!(self.open, Some((_, Kind::Tables))) {
            self.close_frame();
        }
        // The batch is full if another slice of this length would not fit.
        if self.out_end + space > BATCH { self.write_out() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ChannelError> {
        if self.out_end > 0 { self.write_out() } else { Ok(()) }
    }

    fn recv(&mut self) -> Result<Kind, ChannelError> {
        loop {
            match self.next_of_caller()? {
                Ok(kind) => return Ok(kind),
                Err(need) => {
                    self.held = (0, 0);
                    self.check_limits(Instant::now())?;
                    self.flush()?;
                    if self.last_sent.elapsed() >= self.timing.heartbeat {
                        // A peer that has sent its last message accepts no more heartbeats.
                        self.poll()?;
                        if self.unused() < need {
                            self.heartbeat_if_due()?;
                        }
                    }
                    // Sending also reads. The frame may have arrived, and nothing more may follow
                    // it while the peer waits for this side.
                    if self.unused() < need {
                        self.read_more(need)?;
                    }
                }
            }
        }
    }

    fn try_recv(&mut self) -> Result<Option<Kind>, ChannelError> {
        let need = match self.next_of_caller()? {
            Ok(kind) => return Ok(Some(kind)),
            Err(need) => need,
        };
        if self.last_glance.elapsed() < GLANCE {
            return Ok(None);
        }
        self.last_glance = Instant::now();
        self.held = (0, 0);
        let limit = self.make_space(need);
        match self.carrier.receive(&mut self.input, limit, false) {
            Ok(_) => Ok(self.next_of_caller()?.ok()),
            Err(error) if is_tick(&error) => Ok(None),
            Err(error) => match broken(error) {
                // The peer may have sent everything. If not, a call that waits reports the error.
                ChannelError::Closed => Ok(None),
                other => Err(other),
            },
        }
    }

    #[inline]
    fn payload(&self) -> &[u8] {
        &self.input.bytes[self.held.0..self.held.1]
    }

    fn tick(&mut self) -> Result<(), ChannelError> {
        self.check_limits(Instant::now())?;
        if self.last_sent.elapsed() >= self.timing.heartbeat.min(TICK) {
            self.flush()?;
            self.heartbeat_if_due()?;
        }
        if self.last_poll.elapsed() >= POLL {
            self.poll()?;
        }
        Ok(())
    }

    fn abort(&mut self, reason: &str) {
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        // Drops the slice that was never committed: the frame ends before it.
        self.space = 0;
        if self.sent == self.out_end {
            // The session was cancelled just after the whole buffer had been sent.
            (self.sent, self.out_end) = (0, 0);
        }
        let reason = &reason.as_bytes()[..reason.len().min(MAX_REASON)];
        self.append(Kind::Abort, reason);
        let begin = Instant::now();
        while self.sent < self.out_end && begin.elapsed() < FAREWELL {
            match self.carrier.send(&mut self.out, self.sent, self.out_end) {
                Ok(count) => {
                    self.sent += count;
                    self.bytes_sent += count as u64;
                }
                Err(error) if is_tick(&error) => {}
                Err(_) => return,
            }
        }
        while begin.elapsed() < FAREWELL && matches!(self.carrier.is_sent(), Ok(false)) {}
        self.leave(begin);
    }

    fn close(&mut self) -> Result<(), ChannelError> {
        self.flush()?;
        self.wait_until_sent()?;
        self.over = true;
        self.leave(Instant::now());
        Ok(())
    }

    fn bytes_sent(&self) -> u64 {
        self.bytes_sent
    }

    fn bytes_received(&self) -> u64 {
        self.bytes_received
    }

    fn sent_digest(&mut self) -> Transcript {
        self.close_frame();
        self.out_digest
    }

    fn received_digest(&self) -> Transcript {
        self.in_digest_before
    }

    fn set_progress(&mut self, ands: u64) {
        self.progress = ands;
    }
}

#[cfg(test)]
#[path = "framed_tests.rs"]
mod tests;
