//! Allocates label slots, and records which labels the host has.

use super::item::Slot;
use super::step::Step;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What is known about a wire that will be read again.
struct Home {
    slot: Option<Slot>,
    /// Number of remaining reads.
    left: u32,
    /// Whether the host has the wire's label.
    is_known: bool,
}

/// A slot's links in a ring of used slots, which is sorted from the least to the most recently used
/// slot. Slot n is at index n + 1; index 0 connects both ends.
#[derive(Clone, Copy, Default)]
struct Place {
    before: u32,
    behind: u32,
    /// Wire whose label is in the slot.
    wire: u32,
}

/// All slots. Memory: some fifty bytes per live wire, and sixteen per slot.
pub(super) struct Slots {
    free: BinaryHeap<Reverse<Slot>>,
    homes: FxHashMap<u32, Home>,
    ring: Vec<Place>,
    /// Wires that are not read any more, but whose labels the host still keeps.
    pub forgotten: Vec<u32>,
}

impl Slots {
    pub fn new(slots: Slot) -> Slots {
        Slots {
            free: (0..slots).map(Reverse).collect(),
            homes: FxHashMap::default(),
            ring: vec![Place::default(); slots as usize + 1],
            forgotten: Vec::new(),
        }
    }

    /// Adds a wire that is read `left` times and whose label the host has.
    pub fn given(&mut self, wire: u32, left: u32) {
        if left > 0 {
            self.homes.insert(wire, Home { slot: None, left, is_known: true });
        }
    }

    /// Returns the slot of a wire. If the label is in no slot, a step loads it first. Wires in
    /// `pinned` keep their slots.
    pub fn bring(&mut self, wire: u32, pinned: &[u32], steps: &mut VecDeque<Step>) -> Slot {
        let slot = match self.homes[&wire].slot {
            Some(slot) => {
                self.leave(slot);
                slot
            }
            None => {
                let slot = self.take(pinned, steps);
                steps.push_back(Step::Load { slot, wire });
                self.homes.get_mut(&wire).expect("it was there").slot = Some(slot);
                slot
            }
        };
        self.enter(slot, wire);
        slot
    }

    /// Counts a read of a wire. After the last read, returns the wire's slot, which the caller must
    /// [free](Slots::leave_over) or [reuse](Slots::make).
    pub fn read(&mut self, wire: u32) -> Option<Slot> {
        let home = self.homes.get_mut(&wire).expect("a wire that is read is there");
        home.left -= 1;
        if home.left > 0 {
            return None;
        }
        let home = self.homes.remove(&wire)?;
        if home.is_known {
            self.forgotten.push(wire);
        }
        home.slot.inspect(|slot| self.leave(*slot))
    }

    /// Allocates the slot of a result: `over` if it is `Some`, otherwise a free slot, for which a
    /// label may be spilled.
    pub fn make(
        &mut self,
        wire: u32,
        left: u32,
        (over, pinned): (Option<Slot>, &[u32]),
        steps: &mut VecDeque<Step>,
    ) -> Slot {
        let slot = over.unwrap_or_else(|| self.take(pinned, steps));
        match left {
            0 => self.leave_over(slot),
            _ => {
                self.homes.insert(wire, Home { slot: Some(slot), left, is_known: false });
                self.enter(slot, wire);
            }
        }
        slot
    }

    /// Frees a slot.
    pub fn leave_over(&mut self, slot: Slot) {
        self.free.push(Reverse(slot));
    }

    /// Returns the slot of a wire, if the host does not have the wire's label.
    pub fn unknown(&self, wire: u32) -> Option<Slot> {
        self.homes.get(&wire).filter(|home| !home.is_known).and_then(|home| home.slot)
    }

    /// Records that the host has the wire's label.
    pub fn know(&mut self, wire: u32) {
        if let Some(home) = self.homes.get_mut(&wire) {
            home.is_known = true;
        }
    }

    /// Marks a slot as used by `wire`, and as the most recently used slot.
    fn enter(&mut self, slot: Slot, wire: u32) {
        let (at, before) = (slot + 1, self.ring[0].before);
        self.ring[at as usize] = Place { before, behind: 0, wire };
        self.ring[before as usize].behind = at;
        self.ring[0].before = at;
    }

    fn leave(&mut self, slot: Slot) {
        let Place { before, behind, .. } = self.ring[slot as usize + 1];
        self.ring[before as usize].behind = behind;
        self.ring[behind as usize].before = before;
    }

    /// Returns a free slot. If there is none, the least recently used label is spilled to the host.
    fn take(&mut self, pinned: &[u32], steps: &mut VecDeque<Step>) -> Slot {
        if let Some(Reverse(slot)) = self.free.pop() {
            return slot;
        }
        let mut at = self.ring[0].behind;
        while pinned.contains(&self.ring[at as usize].wire) {
            at = self.ring[at as usize].behind;
            assert_ne!(at, 0, "more slots than operands");
        }
        let (slot, wire) = (at - 1, self.ring[at as usize].wire);
        self.leave(slot);
        let home = self.homes.get_mut(&wire).expect("it is in a slot");
        home.slot = None;
        if !home.is_known {
            steps.push_back(Step::Read { slot, wire });
            home.is_known = true;
        }
        slot
    }
}
