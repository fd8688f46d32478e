//! The queue between the link's clock and the machine's: `rtl/lib/queues/fifo_async.sv`.

use std::collections::VecDeque;

/// Capacity in entries.
const DEPTH: u64 = 8;

/// A queue from the link's clock to the machine's. Pointers count up. In hardware they are in Gray
/// code, so that the other side never samples a wrong value.
#[derive(Default)]
pub struct Crossing {
    entries: VecDeque<Vec<u32>>,
    tail: u64,
    head: u64,
    /// Each pointer as the other side sees it: now, and after that side's next edge.
    head_seen: [u64; 2],
    tail_seen: [u64; 2],
}

impl Crossing {
    /// Whether the queue accepts words on the link's side.
    pub fn is_ready(&self) -> bool {
        self.tail - self.head_seen[0] < DEPTH
    }

    /// Whether the queue offers words on the machine's side.
    pub fn is_valid(&self) -> bool {
        self.head != self.tail_seen[0]
    }

    /// The words offered.
    pub fn head(&self) -> &[u32] {
        self.entries.front().map_or(&[], Vec::as_slice)
    }

    /// Runs an edge of the link's clock, the machine's, or both. `words` are pushed if there is
    /// space, and the head is removed if `pops` is set.
    pub fn edge(&mut self, (link, local): (bool, bool), words: Option<&[u32]>, pops: bool) {
        let (tail, head) = (self.tail, self.head);
        if link {
            if let Some(words) = words.filter(|_| self.is_ready()) {
                self.entries.push_back(words.to_vec());
                self.tail += 1;
            }
            self.head_seen = [self.head_seen[1], head];
        }
        if local {
            if pops {
                self.entries.pop_front();
                self.head += 1;
            }
            self.tail_seen = [self.tail_seen[1], tail];
        }
    }
}
