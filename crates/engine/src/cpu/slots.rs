//! Assigns values to slots of the window and addresses of the spill area while code is made, and
//! groups operations into segments that keep the rule of [`Segment`].
//!
//! An operation joins the current segment if that changes no result. A segment runs all its moves
//! first, then all XORs, then all ANDs. So a new operation may run before operations of the segment
//! that precede it in the program. It must not join if such an operation writes a slot that the new
//! one reads, or reads or writes a slot that the new one writes. Therefore a slot that an AND of
//! the segment read or wrote becomes free only when the segment ends. All other conditions follow
//! from the slots that operations read.

use crate::cpu::chunk::Chunk;
use halfgate_kernels::ops::{And, Move, Segment, WINDOW, Xor};
use std::collections::VecDeque;

/// Marks the absence of a value or a home.
const NONE: u32 = u32::MAX;

/// Index of a value in [`Slots`].
pub(super) type ValueId = u32;

/// A label that the code computes: that of a wire and of its copies.
struct Value {
    address: u32,
    /// Address that always keeps the value, if it is held between cycles.
    home: u32,
    /// Number of wires and outputs that still need the value.
    refs: u32,
    /// When the value is next read. Of a place without a value: the next such place, or [`NONE`].
    next: u32,
}

/// A slot of the window. Times are segment numbers.
#[derive(Clone, Copy)]
struct Slot {
    value: ValueId,
    touched_by_xor: u32,
    read_by_and: u32,
    written_by_and: u32,
}

/// The label memory of the code being made, and the chunk being made.
pub(super) struct Slots {
    /// The chunk being made.
    pub chunk: Chunk,
    segment: Segment,
    /// Number of the segment being made.
    now: u32,
    /// The slots, of which the first `limit` are used.
    window: Box<[Slot; WINDOW]>,
    limit: u32,
    /// Free slots that no AND of the segment has touched. Results take the last one, which is the
    /// most recently used; labels reloaded from the spill area take the first.
    free: VecDeque<u16>,
    /// Slots that will be free when the segment ends.
    pending: Vec<u16>,
    values: Vec<Value>,
    /// The place of `values` that was freed last, or [`NONE`].
    free_value: ValueId,
    free_spill: Vec<u32>,
    spill_end: u32,
    /// The first slot of the window that was never in use, nor any after it.
    window_end: u32,
}

impl Slots {
    /// Creates a window whose slots are all free.
    pub fn new(window: usize) -> Slots {
        let slot = Slot { value: NONE, touched_by_xor: 0, read_by_and: 0, written_by_and: 0 };
        Slots {
            chunk: Chunk::default(),
            segment: Segment::default(),
            now: 1,
            window: vec![slot; WINDOW].try_into().ok().expect("a vector of that length"),
            limit: window as u32,
            free: (0..window).rev().map(|slot| slot as u16).collect(),
            pending: Vec::new(),
            values: Vec::new(),
            free_value: NONE,
            free_spill: Vec::new(),
            spill_end: WINDOW as u32,
            window_end: 0,
        }
    }

    /// Number of labels of memory that the code needs so far.
    pub fn memory(&self) -> usize {
        self.spill_end as usize
    }

    /// Number of addresses, from 0 on, of which the code needs any.
    pub fn addresses(&self) -> u32 {
        if self.spill_end > WINDOW as u32 { self.spill_end } else { self.window_end }
    }

    /// Most values alive at once so far: a value takes a new place only if no place is free.
    pub fn peak(&self) -> usize {
        self.values.len()
    }

    /// Removes a slot from the window permanently.
    pub fn reserve_slot(&mut self) -> u32 {
        self.take_last().expect("at most a quarter of the window is reserved")
    }

    /// Takes the free slot that was used most recently.
    fn take_last(&mut self) -> Option<u32> {
        let slot = u32::from(self.free.pop_back()?);
        self.window_end = self.window_end.max(slot + 1);
        Some(slot)
    }

    /// Returns a free address of the spill area.
    pub fn spill_address(&mut self) -> u32 {
        self.free_spill.pop().unwrap_or_else(|| {
            self.spill_end += 1;
            self.spill_end - 1
        })
    }

    /// Returns an address for an input label that is fetched before the chunk's operations. It is
    /// in the window unless the window is almost full.
    pub fn load_address(&mut self) -> u32 {
        match self.free.len() > self.limit as usize / 8 {
            true => self.take_last().expect("some are free"),
            false => self.spill_address(),
        }
    }

    /// Adds a value at `address` that `refs` wires and outputs need.
    pub fn add(&mut self, address: u32, refs: u32, next: u32) -> ValueId {
        self.insert(Value { address, home: NONE, refs, next })
    }

    /// Whether an XOR or AND that joins the segment may write to `home`: no value there is still
    /// read, and no AND of the segment has read or written the slot.
    fn may_replace(&self, home: u32) -> bool {
        let Some(slot) = self.slot(home) else { return false };
        let slot = self.window[usize::from(slot)];
        slot.value == NONE && slot.read_by_and != self.now && slot.written_by_and != self.now
    }

    /// The slot at `address`, unless that is in the spill area.
    #[inline]
    fn slot(&self, address: u32) -> Option<u16> {
        (address < self.limit).then_some(address as u16)
    }

    /// Adds a value that is held at `home`.
    pub fn add_held(&mut self, home: u32, next: u32) -> ValueId {
        self.insert(Value { address: home, home, refs: 1, next })
    }

    #[inline]
    fn insert(&mut self, value: Value) -> ValueId {
        let slot = self.slot(value.address);
        let id = match self.values.get_mut(self.free_value as usize) {
            Some(place) => {
                let id = self.free_value;
                self.free_value = place.next;
                *place = value;
                id
            }
            None => {
                self.values.push(value);
                self.values.len() as u32 - 1
            }
        };
        if let Some(slot) = slot {
            self.window[usize::from(slot)].value = id;
        }
        id
    }

    /// The present address of the value.
    pub fn address(&self, id: ValueId) -> u32 {
        self.values[id as usize].address
    }

    /// Adds one wire or output that needs the value.
    pub fn retain(&mut self, id: ValueId) {
        self.values[id as usize].refs += 1;
    }

    /// Sets when the value is next read.
    pub fn set_next(&mut self, id: ValueId, next: u32) {
        self.values[id as usize].next = next;
    }

    /// Removes one wire or output that needs the value.
    #[inline]
    pub fn release(&mut self, id: ValueId) {
        if let Some(slot) = self.drop_ref(id) {
            self.free_slot(slot);
        }
    }

    /// Like [`Slots::release`], but returns the slot that became free instead of freeing it.
    #[inline]
    fn drop_ref(&mut self, id: ValueId) -> Option<u16> {
        let value = &mut self.values[id as usize];
        value.refs -= 1;
        if value.refs > 0 {
            return None;
        }
        let (address, home) = (value.address, value.home);
        value.next = std::mem::replace(&mut self.free_value, id);
        let Some(slot) = self.slot(address) else {
            if address != home {
                self.free_spill.push(address);
            }
            return None;
        };
        self.window[usize::from(slot)].value = NONE;
        (address != home).then_some(slot)
    }

    #[inline]
    fn free_slot(&mut self, slot: u16) {
        let Slot { read_by_and, written_by_and, .. } = self.window[usize::from(slot)];
        match read_by_and == self.now || written_by_and == self.now {
            true => self.pending.push(slot),
            false => self.free.push_back(slot),
        }
    }

    /// Ends the segment.
    pub fn end_segment(&mut self) {
        let segment = std::mem::take(&mut self.segment);
        if segment != Segment::default() {
            self.chunk.segments.push(segment);
            self.now += 1;
        }
        self.free.extend(self.pending.drain(..));
    }

    /// Adds `result = a ^ b` and returns the value of the result. `last` states which operands are
    /// released. The result goes to `home` if that is given and nothing reads its old value any
    /// more.
    pub fn xor(
        &mut self,
        [a, b]: [ValueId; 2],
        last: [bool; 2],
        next: u32,
        home: Option<u32>,
    ) -> ValueId {
        let slots = self.bring([a, b]);
        if last[0] {
            self.release(a);
        }
        if last[1] {
            self.release(b);
        }
        let home = home.filter(|home| self.may_replace(*home));
        let c = home.map_or_else(|| self.free_for_result(slots), |home| home as u16);
        for slot in [slots[0], slots[1], c] {
            self.window[usize::from(slot)].touched_by_xor = self.now;
        }
        self.chunk.xors.push(Xor { a: slots[0], b: slots[1], c });
        self.segment.xors += 1;
        self.insert(Value { address: u32::from(c), home: home.unwrap_or(NONE), refs: 1, next })
    }

    /// Adds `result = a & b` with `flags`, for the AND at `position`: see [`Slots::xor`].
    pub fn and(
        &mut self,
        [a, b]: [ValueId; 2],
        last: [bool; 2],
        next: u32,
        (flags, position): (u16, u32),
        home: Option<u32>,
    ) -> ValueId {
        let slots = self.bring([a, b]);
        // The result may replace an operand, unless an AND of the segment reads that operand too.
        let mut left = [None; 2];
        for i in 0..2 {
            left[i] = if last[i] { self.drop_ref([a, b][i]) } else { None };
        }
        let reusable = |slot: &u16| self.window[usize::from(*slot)].read_by_and != self.now;
        let home = home.filter(|home| self.may_replace(*home));
        let c = match (home, left.into_iter().flatten().find(reusable)) {
            (Some(home), _) => home as u16,
            (None, Some(slot)) => slot,
            (None, None) => self.free_for_result(slots),
        };
        for slot in slots {
            self.window[usize::from(slot)].read_by_and = self.now;
        }
        self.window[usize::from(c)].written_by_and = self.now;
        self.pending.extend(left.into_iter().flatten().filter(|&slot| slot != c));
        self.chunk.ands.push(And { a: slots[0], b: slots[1], c, flags });
        self.chunk.positions.push(position);
        self.segment.ands += 1;
        self.insert(Value { address: u32::from(c), home: home.unwrap_or(NONE), refs: 1, next })
    }

    /// Brings both values into the window and ends the segment if an XOR or AND that joined it
    /// would read them too early. Returns their slots.
    #[inline(always)] // it runs once for each gate
    fn bring(&mut self, ids: [ValueId; 2]) -> [u16; 2] {
        let [a, b] = ids.map(|id| self.address(id));
        if a.max(b) >= self.limit {
            self.reload_both(ids);
        }
        let slots = ids.map(|id| self.address(id) as u16);
        let [a, b] = slots.map(|slot| self.window[usize::from(slot)].written_by_and);
        if a == self.now || b == self.now {
            self.end_segment();
        }
        slots
    }

    /// Moves those of the values into the window that are in the spill area.
    #[cold]
    fn reload_both(&mut self, ids: [ValueId; 2]) {
        for id in ids {
            if self.address(id) >= self.limit {
                self.reload(id, ids);
            }
        }
    }

    /// Moves a value from the spill area into the window.
    fn reload(&mut self, id: ValueId, keep: [ValueId; 2]) {
        if self.free.is_empty() {
            self.make_space(keep.map(|id| self.address(id)));
        }
        let to = self.free.pop_front().expect("a slot was freed");
        if self.window[usize::from(to)].touched_by_xor == self.now {
            self.end_segment();
        }
        let Value { address: from, home, .. } = self.values[id as usize];
        self.push_move(from, u32::from(to));
        if from != home {
            self.free_spill.push(from);
        }
        self.values[id as usize].address = u32::from(to);
        self.window[usize::from(to)].value = id;
    }

    fn free_for_result(&mut self, keep: [u16; 2]) -> u16 {
        if self.free.is_empty() {
            self.make_space(keep.map(u32::from));
        }
        self.take_last().expect("a slot was freed") as u16
    }

    /// Frees slots, except those at the addresses `keep`.
    #[cold]
    fn make_space(&mut self, keep: [u32; 2]) {
        self.end_segment();
        if !self.free.is_empty() {
            return;
        }
        // Belady's rule: evict the values read latest, a sixteenth of the window at a time to
        // amortise the search.
        let values = &self.values;
        let mut candidates: Vec<(u32, u16)> = (0u16..=u16::MAX)
            .zip(self.window.iter())
            .filter(|(_, slot)| slot.value != NONE)
            .map(|(number, slot)| (number, &values[slot.value as usize]))
            .filter(|&(number, value)| value.home != u32::from(number))
            .filter(|&(number, _)| !keep.contains(&u32::from(number)))
            .map(|(number, value)| (value.next, number))
            .collect();
        let count = (self.limit as usize / 16).clamp(1, candidates.len());
        candidates.select_nth_unstable_by(count - 1, |x, y| y.cmp(x));
        for &(_, slot) in &candidates[..count] {
            self.evict(slot);
        }
    }

    fn evict(&mut self, slot: u16) {
        let id = std::mem::replace(&mut self.window[usize::from(slot)].value, NONE);
        let home = self.values[id as usize].home;
        self.values[id as usize].address = if home != NONE {
            home
        } else {
            let to = self.spill_address();
            self.push_move(u32::from(slot), to);
            to
        };
        self.free.push_back(slot);
    }

    fn push_move(&mut self, from: u32, to: u32) {
        self.chunk.moves.push(Move { from, to, invert: false });
        self.segment.moves += 1;
    }
}
