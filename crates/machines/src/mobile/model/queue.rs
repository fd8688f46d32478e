//! `mobile_queue`: bytes of frames on their way to be executed.

const BYTES: u16 = 4096;
const FRAMES: u16 = BYTES / 1024 - 1;
const PLACES: u16 = 2 * BYTES - 1;

#[derive(Clone)]
pub(super) struct Queue {
    words: Vec<u8>,
    write: u16,
    kept: u16,
    read: u16,
    after: u16,
    used: u16,
    level: u16,
    valid: bool,
    full: bool,
    room: u8,
    byte: u8,
    /// The byte behind the memory.
    out: Option<u8>,
}

pub(super) struct In {
    pub clear: bool,
    pub wipes: Option<u16>,
    pub write: Option<u8>,
    pub keep: bool,
    pub drop: bool,
    pub takes: bool,
}

impl Queue {
    pub fn new() -> Queue {
        Queue {
            words: vec![0; BYTES.into()],
            write: 0,
            kept: 0,
            read: 0,
            after: 1,
            used: 0,
            level: 0,
            valid: false,
            full: false,
            room: 0,
            byte: 0,
            out: None,
        }
    }

    pub fn byte(&self) -> Option<u8> {
        self.out
    }

    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn room(&self) -> u8 {
        self.room
    }

    pub fn clock(&mut self, In { clear, wipes, write, keep, drop, takes }: In) {
        let at = |place: u16| usize::from(place & (BYTES - 1));
        let (read, after, kept, end) = (self.read, self.after, self.kept, self.write);
        let ready = takes;
        let takes = self.valid && (self.out.is_none() || ready);
        if takes {
            self.out = Some(self.byte);
        } else if ready {
            self.out = None;
        }
        self.byte = self.words[at(if takes { after } else { read })];
        match (wipes, write) {
            (Some(word), _) => self.words[at(word)] = 0,
            (None, Some(byte)) => self.words[at(end)] = byte,
            (None, None) => (),
        }
        if clear || wipes.is_some() {
            (self.write, self.kept, self.read, self.after) = (0, 0, 0, 1);
            (self.used, self.level, self.valid, self.full, self.room) = (0, 0, false, false, 0);
            self.out = None;
            return;
        }
        if takes {
            (self.read, self.after) = (after, (after + 1) & PLACES);
        }
        self.valid = if takes { after != kept } else { read != kept };
        self.full = self.level >= BYTES - 4;
        self.level = end.wrapping_sub(read) & PLACES;
        self.room = FRAMES.saturating_sub(self.used.div_ceil(1024)) as u8;
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
