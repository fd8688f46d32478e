//! What the link carries, as bytes: items, two kinds to a byte. `spec/mobile-link.md` is the format in prose.

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
    /// `out = ((a ^ c?) & (b ^ c?)) ^ c?`; its table follows.
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
}

/// What an item is, in four bits. `TO_A` and the like: the result goes where that operand was.
mod kind {
    pub const XOR: u8 = 0;
    pub const XOR_TO_A: u8 = 1;
    pub const XOR3: u8 = 2;
    pub const XOR3_TO_A: u8 = 3;
    pub const AND: u8 = 4;
    pub const AND_TO_A: u8 = 5;
    pub const AND_TO_B: u8 = 6;
    /// With the third operand added to the second and to the result: `c` or `b` as `a` says.
    pub const CHOICE: u8 = 7;
    pub const CHOICE_TO_B: u8 = 8;
    pub const CHOICE_TO_C: u8 = 9;
    /// A byte says what the third operand is added to, and where the result goes.
    pub const AND3: u8 = 10;
    pub const LOAD: u8 = 11;
    pub const READ: u8 = 12;
    pub const END: u8 = 13;
    /// Nothing: the second of two, at the end.
    pub const NONE: u8 = 15;
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
                    (false, false) => kind::XOR,
                    (false, true) => kind::XOR_TO_A,
                    (true, false) => kind::XOR3,
                    (true, true) => kind::XOR3_TO_A,
                }
            }
            Item::And { a, b, c, xors, out } => {
                put(a, bytes);
                put(b, bytes);
                let place = [a, b, c].iter().position(|slot| *slot == out);
                match (xors, place) {
                    (0, Some(0)) => return kind::AND_TO_A,
                    (0, Some(1)) => return kind::AND_TO_B,
                    (0, _) => {
                        put(out, bytes);
                        return kind::AND;
                    }
                    (6, Some(1)) => {
                        put(c, bytes);
                        return kind::CHOICE_TO_B;
                    }
                    (6, Some(2)) => {
                        put(c, bytes);
                        return kind::CHOICE_TO_C;
                    }
                    (6, None) => {
                        put(c, bytes);
                        put(out, bytes);
                        return kind::CHOICE;
                    }
                    _ => (),
                }
                put(c, bytes);
                bytes.push(xors | place.map_or(3, |place| place as u8) << 3);
                if place.is_none() {
                    put(out, bytes);
                }
                kind::AND3
            }
            Item::Load { slot } => {
                put(slot, bytes);
                kind::LOAD
            }
            Item::Read { slot } => {
                put(slot, bytes);
                kind::READ
            }
            Item::End => kind::END,
        }
    }
}

/// Puts items into bytes, two at a time. Memory: two items.
#[derive(Default)]
pub struct Encoder {
    first: Option<(u8, Vec<u8>)>,
}

impl Encoder {
    /// Adds an item and what follows it, a table or a label; what is complete goes to `bytes`.
    pub fn push(&mut self, item: Item, follows: &[u8], bytes: &mut Vec<u8>) {
        let mut own = Vec::with_capacity(8 + follows.len());
        let kind = item.put(&mut own);
        own.extend_from_slice(follows);
        match self.first.take() {
            None => self.first = Some((kind, own)),
            Some((first, before)) => {
                bytes.push(first | kind << 4);
                bytes.extend(before);
                bytes.extend(own);
            }
        }
    }

    /// Sends an item that waits for another one.
    pub fn flush(&mut self, bytes: &mut Vec<u8>) {
        if let Some((first, before)) = self.first.take() {
            bytes.push(first | kind::NONE << 4);
            bytes.extend(before);
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
    /// Bytes of a table.
    table: usize,
    /// The kind of the second of two, if that is next.
    second: Option<u8>,
}

impl<'b> Decoder<'b> {
    /// Of all that was sent, with tables of `table` bytes.
    pub fn new(bytes: &'b [u8], table: usize) -> Decoder<'b> {
        Decoder { bytes, at: 0, table, second: None }
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
                self.second = Some(kinds >> 4).filter(|kind| *kind != kind::NONE);
                kinds & 15
            }
        };
        let item = self.item(kind)?;
        let follows = match item {
            Item::And { .. } => self.table,
            Item::Load { .. } => 16,
            _ => 0,
        };
        let rest = self.bytes.get(self.at..self.at + follows).ok_or(ItemError::CutShort)?;
        self.at += follows;
        Ok(Some((item, rest)))
    }

    fn item(&mut self, kind: u8) -> Result<Item, ItemError> {
        Ok(match kind {
            kind::XOR..=kind::XOR3_TO_A => {
                let (a, b) = (self.slot()?, self.slot()?);
                let c = if kind >= kind::XOR3 { Some(self.slot()?) } else { None };
                let out = if kind & 1 == 1 { a } else { self.slot()? };
                Item::Xor { a, b, c, out }
            }
            kind::AND..=kind::AND_TO_B => {
                let (a, b) = (self.slot()?, self.slot()?);
                let out = match kind {
                    kind::AND_TO_A => a,
                    kind::AND_TO_B => b,
                    _ => self.slot()?,
                };
                Item::And { a, b, c: 0, xors: 0, out }
            }
            kind::CHOICE..=kind::CHOICE_TO_C => {
                let (a, b, c) = (self.slot()?, self.slot()?, self.slot()?);
                let out = match kind {
                    kind::CHOICE_TO_B => b,
                    kind::CHOICE_TO_C => c,
                    _ => self.slot()?,
                };
                Item::And { a, b, c, xors: 6, out }
            }
            kind::AND3 => {
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
            kind::LOAD => Item::Load { slot: self.slot()? },
            kind::READ => Item::Read { slot: self.slot()? },
            kind::END => Item::End,
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
