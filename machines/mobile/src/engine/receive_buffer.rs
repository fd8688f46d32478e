//! Buffer of received bytes with its timeout; the real ports share it.

use std::time::{Duration, Instant};
use zeroize::{Zeroize, Zeroizing};

/// Capacity in bytes: more than all frames under way, and several times the bytes without progress
/// after which a device is rejected.
const MOST: usize = 64 << 10;

pub(super) struct ReceiveBuffer {
    /// Never reallocates, because it holds labels.
    pub came: Zeroizing<Vec<u8>>,
    pub patience: Duration,
    waited: Duration,
}

impl ReceiveBuffer {
    /// An empty buffer with this timeout.
    pub fn new(patience: Duration) -> ReceiveBuffer {
        let came = Zeroizing::new(Vec::with_capacity(MOST));
        ReceiveBuffer { came, patience, waited: Duration::ZERO }
    }

    /// Free space in bytes.
    pub fn space(&self) -> usize {
        MOST - self.came.len()
    }

    /// Takes all received bytes. `since` is when the receive began; its time counts towards the
    /// timeout if it was a wait.
    pub fn take(&mut self, since: Instant, waits: bool) -> Vec<u8> {
        if waits {
            self.waited += since.elapsed();
        }
        let receive_buffer = self.came.to_vec();
        self.came[..].zeroize();
        self.came.clear();
        receive_buffer
    }

    pub fn is_late(&self) -> bool {
        self.waited >= self.patience
    }

    pub fn restart_timeout(&mut self) {
        self.waited = Duration::ZERO;
    }
}
