//! Waiting for the peer, with timeout, deadline and cancel flag.

use super::{FAREWELL, Framed, LEAST_READ};
use crate::carrier::{Carrier, Input, broken};
use crate::channel::{Channel, ChannelError, Deadline};
use crate::frame::Kind;
use crate::stream::{TICK, is_tick};
use std::sync::atomic::Ordering;
use std::time::Instant;

impl<C: Carrier> Framed<C> {
    /// Waits until more of the frame that needs `need` bytes has arrived.
    pub(super) fn read_more(&mut self, need: usize) -> Result<(), ChannelError> {
        let limit = self.make_space(need);
        let now = Instant::now();
        let mut begin = if self.has_received { now } else { *self.awaited.get_or_insert(now) };
        loop {
            match self.carrier.receive(&mut self.input, limit, true) {
                Ok(0) => {
                    self.over = true;
                    return Err(ChannelError::Closed);
                }
                // The first message has a total timeout: bytes that trickle in do not extend it.
                Ok(_) if !self.has_received => return self.check_idle_timeout(begin),
                Ok(_) => return Ok(()),
                Err(error) if is_tick(&error) => {
                    self.check_limits(Instant::now())?;
                    if self.carrier.peer_lives() && self.has_received {
                        begin = Instant::now();
                    }
                    self.check_idle_timeout(begin)?;
                    self.heartbeat_if_due()?;
                    // Sending the heartbeat may have read the frame.
                    if self.unused() >= need {
                        return Ok(());
                    }
                }
                // Only channels of fuzz targets return this error: both sides wait for each other,
                // and would until the timeout.
                Err(error) if error.kind() == std::io::ErrorKind::Deadlock => {
                    return Err(ChannelError::Timeout { after: self.timing.timeout });
                }
                Err(error) => {
                    self.over = true;
                    return Err(broken(error));
                }
            }
        }
    }

    /// Waits until the carrier has sent what it took.
    pub(super) fn wait_until_sent(&mut self) -> Result<(), ChannelError> {
        let mut progress = Instant::now();
        loop {
            match self.carrier.is_sent() {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    self.check_limits(Instant::now())?;
                    if self.poll()? || self.carrier.peer_lives() {
                        progress = Instant::now();
                    }
                    self.check_idle_timeout(progress)?;
                }
                Err(error) => return Err(self.send_failed(error)),
            }
        }
    }

    /// Closes this side and waits up to [`FAREWELL`] for the peer to do the same. Closing a socket
    /// with unread input could discard what this side sent last.
    pub(super) fn leave(&mut self, begin: Instant) {
        self.carrier.close();
        let mut waste = Input::default();
        while begin.elapsed() < FAREWELL {
            match self.carrier.skip(&mut waste, LEAST_READ) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if is_tick(&error) => {}
                Err(_) => break,
            }
        }
    }

    pub(super) fn check_cancel(&mut self) -> Result<(), ChannelError> {
        if self.timing.cancel.load(Ordering::Relaxed) {
            self.abort("cancelled by its user");
            return Err(ChannelError::Cancelled);
        }
        Ok(())
    }

    /// Fails if the session was cancelled or the step's deadline has passed.
    pub(super) fn check_limits(&mut self, now: Instant) -> Result<(), ChannelError> {
        self.check_cancel()?;
        match self.deadline {
            Some(Deadline { step, limit, at }) if now >= at => {
                Err(ChannelError::Deadline { step, limit })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_idle_timeout(&mut self, since: Instant) -> Result<(), ChannelError> {
        if since.elapsed() >= self.timing.timeout {
            return Err(ChannelError::Timeout { after: self.timing.timeout });
        }
        Ok(())
    }

    pub(super) fn heartbeat_if_due(&mut self) -> Result<(), ChannelError> {
        // Sends a tick early, because the next tick would be too late.
        if self.last_sent.elapsed() + TICK < self.timing.heartbeat {
            return Ok(());
        }
        if self.carrier.show_life() {
            self.last_sent = Instant::now();
        } else {
            self.append(Kind::Heartbeat, &self.progress.to_le_bytes());
            self.write_out()?;
        }
        Ok(())
    }
}
