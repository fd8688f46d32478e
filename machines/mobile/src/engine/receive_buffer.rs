//! Buffer of received bytes, and the timeout. Serial ports and SPI devices use it.

use std::time::{Duration, Instant};
use zeroize::{Zeroize, Zeroizing};

/// Capacity in bytes. It exceeds all unacknowledged frames together. It is also several times the
/// number of bytes without progress after which a device is rejected.
const MOST: usize = 64 << 10;

pub(super) struct ReceiveBuffer {
    /// This is never reallocated, because it holds labels.
    pub came: Zeroizing<Vec<u8>>,
    pub patience: Duration,
    waited: Duration,
}

impl ReceiveBuffer {
    /// Returns an empty buffer with this timeout.
    pub fn new(patience: Duration) -> ReceiveBuffer {
        let came = Zeroizing::new(Vec::with_capacity(MOST));
        ReceiveBuffer { came, patience, waited: Duration::ZERO }
    }

    /// Free space in bytes.
    pub fn space(&self) -> usize {
        MOST - self.came.len()
    }

    /// Takes all received bytes. The receive operation began at `since`; if it waited, its time
    /// counts towards the timeout.
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
