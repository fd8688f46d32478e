//! `mobile_queue` and its lanes: a queue that holds payload bytes until they are executed.

const BYTES: u16 = 4096;
const FRAMES: u16 = BYTES / 1024 - 1;
const PLACES: u16 = 2 * BYTES - 1;

/// A lane, `mobile_queue_lane`. A single lane has all bytes of the queue; two lanes have alternate
/// bytes.
#[derive(Clone)]
struct Lane {
    words: Vec<u8>,
    read: u16,
    after: u16,
    valid: bool,
    byte: u8,
    /// Output register after the memory.
    out: Option<u8>,
}

#[derive(Clone)]
pub(super) struct Queue {
    lanes: Vec<Lane>,
    /// The lane with the next byte.
    turn: usize,
    write: u16,
    kept: u16,
    used: u16,
    level: u16,
    full: bool,
    space: u8,
}

pub(super) struct In {
    pub clear: bool,
    pub wipes: Option<u16>,
    pub write: Option<u8>,
    pub keep: bool,
    pub drop: bool,
    /// Number of bytes that are taken.
    pub takes: usize,
}

impl Lane {
    fn new(words: u16) -> Lane {
        let words = vec![0; words.into()];
        Lane { words, read: 0, after: 1, valid: false, byte: 0, out: None }
    }

    /// Runs a clock cycle. `ready` takes the lane's byte, and `write` stores a byte. Only words
    /// before `kept` are read.
    fn clock(&mut self, ready: bool, write: Option<(u16, u8)>, kept: u16) {
        let words = self.words.len() as u16;
        let at = |place: u16| usize::from(place & (words - 1));
        let (read, after) = (self.read, self.after);
        let takes = self.valid && (self.out.is_none() || ready);
        if takes {
            self.out = Some(self.byte);
        } else if ready {
            self.out = None;
        }
        self.byte = self.words[at(if takes { after } else { read })];
        if let Some((place, byte)) = write {
            self.words[at(place)] = byte;
        }
        if takes {
            (self.read, self.after) = (after, (after + 1) & (2 * words - 1));
        }
        self.valid = if takes { after != kept } else { read != kept };
    }

    fn clear(&mut self, wipes: Option<u16>) {
        if let Some(word) = wipes {
            let words = self.words.len();
            self.words[usize::from(word) & (words - 1)] = 0;
        }
        (self.read, self.after, self.valid, self.out) = (0, 1, false, None);
    }
}

impl Queue {
    pub fn new(lanes: usize) -> Queue {
        Queue {
            lanes: vec![Lane::new(BYTES / lanes as u16); lanes],
            turn: 0,
            write: 0,
            kept: 0,
            used: 0,
            level: 0,
            full: false,
            space: 0,
        }
    }

    /// The next byte.
    pub fn byte(&self) -> Option<u8> {
        self.lanes[self.turn].out
    }

    /// The next bytes, one for each lane, if each lane has one.
    pub fn bytes(&self) -> Option<Follows> {
        let count = self.lanes.len();
        let mut bytes = Follows { bytes: [0; 2], count };
        for (n, byte) in bytes.bytes.iter_mut().enumerate().take(count) {
            *byte = self.lanes[(self.turn + n) % count].out?;
        }
        Some(bytes)
    }

    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn space(&self) -> u8 {
        self.space
    }

    pub fn clock(&mut self, In { clear, wipes, write, keep, drop, takes }: In) {
        let count = self.lanes.len();
        let (kept, end) = (self.kept, self.write);
        let read = match &self.lanes[..] {
            [only] => only.read,
            // The first lane has the same position as the second, or is one word ahead.
            lanes => lanes[1].read << 1 | (lanes[0].read ^ lanes[1].read) & 1,
        };
        if clear || wipes.is_some() {
            self.lanes
                .iter_mut()
                .for_each(|lane| lane.clear(wipes.map(|word| word / count as u16)));
            (self.turn, self.write, self.kept) = (0, 0, 0);
            (self.used, self.level, self.full, self.space) = (0, 0, false, 0);
            return;
        }
        for (n, lane) in self.lanes.iter_mut().enumerate() {
            let ready = (n + count - self.turn) % count < takes;
            let write = write.filter(|_| usize::from(end) % count == n);
            // Position before which this lane's bytes are kept.
            let kept = ((kept + (count - 1 - n) as u16) & PLACES) / count as u16;
            lane.clock(ready, write.map(|byte| (end / count as u16, byte)), kept);
        }
        self.turn = (self.turn + takes) % count;
        self.full = self.level >= BYTES - 4;
        self.level = end.wrapping_sub(read) & PLACES;
        self.space = FRAMES.saturating_sub(self.used.div_ceil(1024)) as u8;
        self.used = kept.wrapping_sub(read) & PLACES;
        if write.is_some() {
            self.write = (end + 1) & PLACES;
        }
        if keep {
            self.write = end.wrapping_sub(4) & PLACES;
            self.kept = self.write;
        }
        if drop {
            self.write = kept;
        }
    }
}

/// Bytes that are taken in one clock cycle.
#[derive(Clone, Copy)]
pub(super) struct Follows {
    bytes: [u8; 2],
    count: usize,
}

impl std::ops::Deref for Follows {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.count]
    }
}
