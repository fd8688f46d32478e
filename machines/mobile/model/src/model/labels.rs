//! `mobile_labels`: the queue of labels for the host.

#[derive(Clone)]
pub(super) struct Labels {
    words: [u8; 512],
    acked: u8,
    sent: u8,
    made: u8,
    bytes: u8,
    full: bool,
    there: bool,
    acknowledged: bool,
    jumps: bool,
    /// Number in the last acknowledgement.
    number: u8,
    byte: u8,
}

impl Default for Labels {
    fn default() -> Labels {
        Labels {
            words: [0; 512],
            acked: 0,
            sent: 0,
            made: 0,
            bytes: 0,
            full: false,
            there: false,
            acknowledged: false,
            jumps: false,
            number: 0,
            byte: 0,
        }
    }
}

pub(super) struct In {
    pub clear: bool,
    pub wipes: Option<u16>,
    pub given: Option<u8>,
    pub acked: Option<(u8, bool)>,
    pub takes: bool,
    pub word: u16,
}

fn behind(number: u8, first: u8) -> u8 {
    number.wrapping_sub(first) & 63
}

impl Labels {
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Number of the next label to send, if the queue has this label.
    pub fn there(&self) -> Option<u8> {
        self.there.then_some(self.sent)
    }

    /// Number of the next label to send, whether or not the queue has this label.
    pub fn next(&self) -> u8 {
        self.sent
    }

    pub fn byte(&self) -> u8 {
        self.byte
    }

    pub fn clock(&mut self, In { clear, wipes, given, acked, takes, word }: In) {
        let old = self.clone();
        self.byte = old.words[usize::from(word & 511)];
        match (wipes, given) {
            (Some(word), _) => self.words[usize::from(word & 511)] = 0,
            (None, Some(byte)) => {
                self.words[usize::from(old.made & 31) << 4 | usize::from(old.bytes)] = byte;
            }
            (None, None) => (),
        }
        let kept = behind(old.made, old.acked);
        if let Some((number, repeat)) = acked {
            (self.number, self.jumps) =
                (number, repeat || behind(old.sent, old.acked) < behind(number, old.acked));
        }
        if clear || wipes.is_some() {
            (self.acked, self.sent, self.made, self.bytes) = (0, 0, 0, 0);
            (self.full, self.there, self.acknowledged) = (false, false, false);
            return;
        }
        self.acknowledged = acked.is_some_and(|(number, _)| behind(number, old.acked) <= kept);
        self.full = kept >= 31;
        let received = acked.is_some() || old.acknowledged;
        self.there = old.sent != old.made && !takes && !received;
        if given.is_some() {
            self.bytes = (old.bytes + 1) & 15;
            self.made = (old.made + u8::from(self.bytes == 0)) & 63;
        }
        if old.acknowledged {
            self.acked = old.number;
        }
        if old.acknowledged && old.jumps {
            self.sent = old.number;
        } else if takes {
            self.sent = (old.sent + 1) & 63;
        }
    }
}
