//! What ports of this system have in common: what came and was not taken yet, and how long it has been waited for something new.

use std::time::{Duration, Instant};
use zeroize::{Zeroize, Zeroizing};

/// Bytes that may come while something is sent: several times what is said in vain before whoever says it is believed to be something else,
/// and more than all frames that may be on their way.
const MOST: usize = 64 << 10;

pub(super) struct ReceiveBuffer {
    /// It never moves: labels are in it.
    pub came: Zeroizing<Vec<u8>>,
    pub patience: Duration,
    waited: Duration,
}

impl ReceiveBuffer {
    /// Something is believed to be lost if nothing new comes for so long.
    pub fn new(patience: Duration) -> ReceiveBuffer {
        let came = Zeroizing::new(Vec::with_capacity(MOST));
        ReceiveBuffer { came, patience, waited: Duration::ZERO }
    }

    /// Bytes for which there is room.
    pub fn space(&self) -> usize {
        MOST - self.came.len()
    }

    /// All that came, since when it has been listened for, and whether that was waiting.
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
