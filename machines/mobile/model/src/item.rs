//! Items of the link as bytes. Items are encoded in pairs: one byte has the kinds of two items.
//! `machines/mobile/spec/link.md` describes the format.

use super::names::*;
use zeroize::Zeroizing;

/// Index of a label slot on the chip, below [`SLOTS`](super::SLOTS).
pub type Slot = u32;

/// One instruction for the chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// `out = a ^ b ^ c`.
    Xor {
        /// First operand; equal to `out` if any operand is.
        a: Slot,
        /// Second operand.
        b: Slot,
        /// Optional third operand.
        c: Option<Slot>,
        /// Slot of the result.
        out: Slot,
    },
    /// `out = ((a ^ c?) & (b ^ c?)) ^ c?`, where `xors` selects to which of these `c` is XORed. The
    /// AND's table follows the item. In `grr3`, the distance from the AND before, in gates,
    /// precedes the table.
    And {
        /// Operand of the garbler's half gate.
        a: Slot,
        /// Operand of the evaluator's half gate.
        b: Slot,
        /// Operand that is XORed to others; unused if `xors` is 0.
        c: Slot,
        /// Values that `c` is XORed to: bit 0 selects a, bit 1 selects b, bit 2 selects the result.
        xors: u8,
        /// Slot of the result.
        out: Slot,
    },
    /// Stores a label in a slot. The label follows the item.
    Load {
        /// Slot to write.
        slot: Slot,
    },
    /// Sends a label back to the host.
    Read {
        /// Slot to read.
        slot: Slot,
    },
    /// Ends the run: no item follows.
    End,
    /// Begins a netlist cycle; a [`Begin`](struct@Begin) follows.
    Begin,
}

/// Parameters at the beginning of a netlist cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begin {
    /// Whether the suite is `grr3`; otherwise it is `half-gates`.
    pub is_grr3: bool,
    /// In `half-gates`, the AND number in the run of the netlist cycle's first AND; in `grr3`, 0.
    pub number: u64,
    /// In `grr3`, the number of the netlist cycle; in `half-gates`, 0.
    pub cycle: u32,
    /// The start point S of `half-gates`, or the key K of `grr3`.
    pub point: u128,
}

impl Begin {
    /// Encoded length in bytes.
    pub const BYTES: usize = 26;
    /// AND numbers are below this bound: they have 40 bits.
    pub const NUMBERS: u64 = 1 << 40;

    /// Encodes the bytes that follow the item [`Item::Begin`].
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

/// A slot below this one is encoded in one byte, and any other slot in two.
pub const SHORT: Slot = 224;

fn put(slot: Slot, bytes: &mut Vec<u8>) {
    match slot.checked_sub(SHORT) {
        None => bytes.push(slot as u8),
        Some(long) => bytes.extend([SHORT as u8 + (long >> 8) as u8, long as u8]),
    }
}

impl Item {
    /// Returns an XOR of two or three operands, in the order with the shortest encoding.
    pub fn xor(operands: [Option<Slot>; 3], out: Slot) -> Item {
        let mut all: Vec<Slot> = operands.into_iter().flatten().collect();
        if let Some(own) = all.iter().position(|slot| *slot == out) {
            all.swap(0, own);
        }
        Item::Xor { a: all[0], b: all[1], c: all.get(2).copied(), out }
    }

    /// Appends the bytes of the operands, and returns the item's kind.
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

/// Encodes items into bytes, in pairs. Memory: two items.
#[derive(Default)]
pub struct Encoder {
    /// The first item of a pair: its kind, and its bytes, which may contain a label.
    first: Option<(u8, Zeroizing<Vec<u8>>)>,
}

/// Maximum value of a byte of a distance. The distance is the sum of its bytes; a byte of this
/// value is followed by another byte.
const FAR: u64 = 255;

impl Encoder {
    /// Adds an item, and the table, label or [`Begin`](struct@Begin) that follows it. Appends a
    /// complete pair of items to `bytes`. For an AND in `grr3`, `far` is the distance in gates from
    /// the AND before, or from the body's first gate; otherwise it is `None`.
    pub fn push(&mut self, item: Item, far: Option<u64>, follows: &[u8], bytes: &mut Vec<u8>) {
        // A long distance may reallocate the buffer. This is rare, and the buffer then contains no
        // label.
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

    /// Appends the first item of a pair that has no second item.
    pub fn flush(&mut self, bytes: &mut Vec<u8>) {
        if let Some((first, before)) = self.first.take() {
            bytes.push(first | KIND_NONE << 4);
            bytes.extend_from_slice(&before);
        }
    }
}

/// Why bytes of the link are no items.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ItemError {
    /// The bytes end within an item.
    #[error("the bytes end within an item")]
    CutShort,
    /// The byte at this position is no valid kind or form of an item; its value is given.
    #[error("at byte {0} there is no item: 0x{1:02x}")]
    Unknown(usize, u8),
    /// The item at this position names a slot beyond the last one.
    #[error("the item at byte {0} names slot {1}; there are {slots}", slots = super::SLOTS)]
    Slot(usize, Slot),
}

/// Decodes items as the chip does.
pub struct Decoder<'b> {
    bytes: &'b [u8],
    at: usize,
    is_grr3: bool,
    /// Distance of the last decoded item, if that item is an AND of `grr3`.
    far: Option<u64>,
    /// Kind of the next item, if the next item is the second of a pair.
    second: Option<u8>,
}

impl<'b> Decoder<'b> {
    /// Decodes all bytes that were sent. `is_grr3` selects the suite until a
    /// [`Begin`](struct@Begin) sets another one.
    pub fn new(bytes: &'b [u8], is_grr3: bool) -> Decoder<'b> {
        Decoder { bytes, at: 0, is_grr3, far: None, second: None }
    }

    /// If the last decoded item is an AND of `grr3`: its distance in gates from the AND before.
    pub fn far(&self) -> Option<u64> {
        self.far
    }

    /// Returns the next item and the bytes that follow it, or `None` after the last byte.
    ///
    /// # Errors
    /// If the bytes are no item, or end within an item.
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
