//! What the link carries, as bytes: items, two kinds to a byte. `machines/mobile/spec/link.md` is
//! the format in prose.

use super::names::*;
use zeroize::Zeroizing;

/// A label's place on the chip, below [`SLOTS`](super::SLOTS).
pub type Slot = u32;

/// One thing for the chip to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// `out = a ^ b ^ c`.
    Xor {
        /// The first operand; `out` if that is one.
        a: Slot,
        /// The second.
        b: Slot,
        /// The third, if there is one.
        c: Option<Slot>,
        /// Where the result goes.
        out: Slot,
    },
    /// `out = ((a ^ c?) & (b ^ c?)) ^ c?`; its table follows. In `grr3` its bytes say before that how many gates it is behind the AND
    /// before.
    And {
        /// The operand of the garbler's half.
        a: Slot,
        /// That of the evaluator's.
        b: Slot,
        /// What is added to others, if `xors` is not 0.
        c: Slot,
        /// To what `c` is added: bit 0 to a, bit 1 to b, bit 2 to the result.
        xors: u8,
        /// Where the result goes.
        out: Slot,
    },
    /// A label comes and is kept; it follows.
    Load {
        /// Where.
        slot: Slot,
    },
    /// A label goes back.
    Read {
        /// Which.
        slot: Slot,
    },
    /// There is nothing more.
    End,
    /// A netlist cycle begins; its [beginning](Begin) follows.
    Begin,
}

/// How a netlist cycle begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begin {
    /// The suite is `grr3`, else `half-gates`.
    pub is_grr3: bool,
    /// `half-gates`: the number of the cycle's first AND in the run. `grr3`: 0.
    pub number: u64,
    /// `grr3`: the netlist cycle.
    pub cycle: u32,
    /// The suite's point or key.
    pub point: u128,
}

impl Begin {
    /// Bytes of one.
    pub const BYTES: usize = 26;
    /// What numbers are below.
    pub const NUMBERS: u64 = 1 << 40;

    /// What follows the item.
    ///
    /// # Panics
    /// If the number is not below [`NUMBERS`](Begin::NUMBERS).
    pub fn bytes(&self) -> [u8; Begin::BYTES] {
        assert!(self.number < Begin::NUMBERS, "a number of 40 bits");
        let mut bytes = [0; Begin::BYTES];
        bytes[0] = if self.is_grr3 { SUITE_GRR3 } else { SUITE_HALF_GATES };
        bytes[1..6].copy_from_slice(&self.number.to_le_bytes()[..5]);
        bytes[6..10].copy_from_slice(&self.cycle.to_le_bytes());
        bytes[10..].copy_from_slice(&self.point.to_le_bytes());
        bytes
    }
}

/// Slots that are named by one byte; the others take two.
pub const SHORT: Slot = 224;

fn put(slot: Slot, bytes: &mut Vec<u8>) {
    match slot.checked_sub(SHORT) {
        None => bytes.push(slot as u8),
        Some(long) => bytes.extend([SHORT as u8 + (long >> 8) as u8, long as u8]),
    }
}

impl Item {
    /// An XOR of two or three operands, in whatever order makes it short.
    pub fn xor(operands: [Option<Slot>; 3], out: Slot) -> Item {
        let mut all: Vec<Slot> = operands.into_iter().flatten().collect();
        if let Some(own) = all.iter().position(|slot| *slot == out) {
            all.swap(0, own);
        }
        Item::Xor { a: all[0], b: all[1], c: all.get(2).copied(), out }
    }

    /// Appends its operands, and gives its kind.
    fn put(self, bytes: &mut Vec<u8>) -> u8 {
        match self {
            Item::Xor { a, b, c, out } => {
                put(a, bytes);
                put(b, bytes);
                if let Some(c) = c {
                    put(c, bytes);
                }
                if out != a {
                    put(out, bytes);
                }
                match (c.is_some(), out == a) {
                    (false, false) => KIND_XOR,
                    (false, true) => KIND_XOR_TO_A,
                    (true, false) => KIND_XOR3,
                    (true, true) => KIND_XOR3_TO_A,
                }
            }
            Item::And { a, b, c, xors, out } => {
                put(a, bytes);
                put(b, bytes);
                let place = [a, b, c].iter().position(|slot| *slot == out);
                match (xors, place) {
                    (0, Some(0)) => return KIND_AND_TO_A,
                    (0, Some(1)) => return KIND_AND_TO_B,
                    (0, _) => {
                        put(out, bytes);
                        return KIND_AND;
                    }
                    (6, Some(1)) => {
                        put(c, bytes);
                        return KIND_CHOICE_TO_B;
                    }
                    (6, Some(2)) => {
                        put(c, bytes);
                        return KIND_CHOICE_TO_C;
                    }
                    (6, None) => {
                        put(c, bytes);
                        put(out, bytes);
                        return KIND_CHOICE;
                    }
                    _ => (),
                }
                put(c, bytes);
                bytes.push(xors | place.map_or(3, |place| place as u8) << 3);
                if place.is_none() {
                    put(out, bytes);
                }
                KIND_AND3
            }
            Item::Load { slot } => {
                put(slot, bytes);
                KIND_LOAD
            }
            Item::Read { slot } => {
                put(slot, bytes);
                KIND_READ
            }
            Item::End => KIND_END,
            Item::Begin => KIND_BEGIN,
        }
    }
}

/// Puts items into bytes, two at a time. Memory: two items.
#[derive(Default)]
pub struct Encoder {
    /// Its kind, and bytes, which may be a label's.
    first: Option<(u8, Zeroizing<Vec<u8>>)>,
}

/// Gates that one byte of an AND's distance says at most; such a byte is followed by another one.
const FAR: u64 = 255;

impl Encoder {
    /// Adds an item and what follows it, a table, a label or a beginning; what is complete goes to `bytes`. An AND of `grr3` is so many
    /// gates behind the AND before, or the beginning of the cycle; others are not any.
    pub fn push(&mut self, item: Item, far: Option<u64>, follows: &[u8], bytes: &mut Vec<u8>) {
        // Distances beyond that are rare, and nothing before them is a label.
        let mut own = Zeroizing::new(Vec::with_capacity(16 + follows.len()));
        let kind = item.put(&mut own);
        if let Some(far) = far {
            own.extend((0..far / FAR).map(|_| FAR as u8));
            own.push((far % FAR) as u8);
        }
        own.extend_from_slice(follows);
        match self.first.take() {
            None => self.first = Some((kind, own)),
            Some((first, before)) => {
                bytes.push(first | kind << 4);
                bytes.extend_from_slice(&before);
                bytes.extend_from_slice(&own);
            }
        }
    }

    /// Sends an item that waits for another one.
    pub fn flush(&mut self, bytes: &mut Vec<u8>) {
        if let Some((first, before)) = self.first.take() {
            bytes.push(first | KIND_NONE << 4);
            bytes.extend_from_slice(&before);
        }
    }
}

/// What is wrong with bytes of the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ItemError {
    /// They end within an item.
    #[error("the bytes end within an item")]
    CutShort,
    /// A kind or form is none.
    #[error("at byte {0} there is no item: 0x{1:02x}")]
    Unknown(usize, u8),
    /// It names a slot beyond the last.
    #[error("the item at byte {0} names slot {1}; there are {slots}", slots = super::SLOTS)]
    Slot(usize, Slot),
}

/// Reads items from bytes, as the chip does.
pub struct Decoder<'b> {
    bytes: &'b [u8],
    at: usize,
    is_grr3: bool,
    /// Of the last item, if it was an AND of `grr3`: how far it was.
    far: Option<u64>,
    /// The kind of the second of two, if that is next.
    second: Option<u8>,
}

impl<'b> Decoder<'b> {
    /// Of all that was sent, in `grr3` or `half-gates` until a beginning says something else.
    pub fn new(bytes: &'b [u8], is_grr3: bool) -> Decoder<'b> {
        Decoder { bytes, at: 0, is_grr3, far: None, second: None }
    }

    /// How many gates the item that was found last is behind the AND before, if it is an AND of `grr3`.
    pub fn far(&self) -> Option<u64> {
        self.far
    }

    /// The next item, and what follows it; none behind the last byte.
    ///
    /// # Errors
    /// If there is none.
    pub fn next_item(&mut self) -> Result<Option<(Item, &'b [u8])>, ItemError> {
        let kind = match self.second.take() {
            Some(kind) => kind,
            None => {
                let Some(&kinds) = self.bytes.get(self.at) else { return Ok(None) };
                self.at += 1;
                self.second = Some(kinds >> 4).filter(|kind| *kind != KIND_NONE);
                kinds & 15
            }
        };
        let item = self.item(kind)?;
        self.far = None;
        let follows = match item {
            Item::And { .. } if self.is_grr3 => {
                let mut all = 0;
                while {
                    let far = u64::from(self.byte()?);
                    all += far;
                    far == FAR
                } {}
                self.far = Some(all);
                48
            }
            Item::And { .. } => 32,
            Item::Load { .. } => 16,
            Item::Begin => Begin::BYTES,
            _ => 0,
        };
        let rest = self.bytes.get(self.at..self.at + follows).ok_or(ItemError::CutShort)?;
        self.at += follows;
        if item == Item::Begin {
            self.is_grr3 = rest[0] & 1 == SUITE_GRR3;
        }
        Ok(Some((item, rest)))
    }

    fn item(&mut self, kind: u8) -> Result<Item, ItemError> {
        Ok(match kind {
            KIND_XOR..=KIND_XOR3_TO_A => {
                let (a, b) = (self.slot()?, self.slot()?);
                let c = if kind >= KIND_XOR3 { Some(self.slot()?) } else { None };
                let out = if kind & 1 == 1 { a } else { self.slot()? };
                Item::Xor { a, b, c, out }
            }
            KIND_AND..=KIND_AND_TO_B => {
                let (a, b) = (self.slot()?, self.slot()?);
                let out = match kind {
                    KIND_AND_TO_A => a,
                    KIND_AND_TO_B => b,
                    _ => self.slot()?,
                };
                Item::And { a, b, c: 0, xors: 0, out }
            }
            KIND_CHOICE..=KIND_CHOICE_TO_C => {
                let (a, b, c) = (self.slot()?, self.slot()?, self.slot()?);
                let out = match kind {
                    KIND_CHOICE_TO_B => b,
                    KIND_CHOICE_TO_C => c,
                    _ => self.slot()?,
                };
                Item::And { a, b, c, xors: 6, out }
            }
            KIND_AND3 => {
                let (a, b, c) = (self.slot()?, self.slot()?, self.slot()?);
                let (at, how) = (self.at, self.byte()?);
                if how >> 5 != 0 || how & 7 == 0 {
                    return Err(ItemError::Unknown(at, how));
                }
                let out = match how >> 3 {
                    0 => a,
                    1 => b,
                    2 => c,
                    _ => self.slot()?,
                };
                Item::And { a, b, c, xors: how & 7, out }
            }
            KIND_LOAD => Item::Load { slot: self.slot()? },
            KIND_READ => Item::Read { slot: self.slot()? },
            KIND_END => Item::End,
            KIND_BEGIN => Item::Begin,
            _ => return Err(ItemError::Unknown(self.at - 1, kind)),
        })
    }

    fn byte(&mut self) -> Result<u8, ItemError> {
        let byte = *self.bytes.get(self.at).ok_or(ItemError::CutShort)?;
        self.at += 1;
        Ok(byte)
    }

    fn slot(&mut self) -> Result<Slot, ItemError> {
        let (at, first) = (self.at, Slot::from(self.byte()?));
        let slot = match first.checked_sub(SHORT) {
            None => first,
            Some(high) => SHORT + (high << 8) + Slot::from(self.byte()?),
        };
        if slot < super::SLOTS { Ok(slot) } else { Err(ItemError::Slot(at, slot)) }
    }
}
