//! Which label is in which slot, and which ones the host keeps.

use super::item::Slot;
use super::lower::Step;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A wire that will be read again.
struct Home {
    slot: Option<Slot>,
    /// How often it is still read.
    left: u32,
    /// Whether the host has its label.
    is_known: bool,
    touched: u64,
}

/// All of them. Memory: some hundred bytes for each wire alive.
pub(super) struct Slots {
    free: BTreeSet<Slot>,
    homes: HashMap<u32, Home>,
    /// Wires in slots, by when they were used last.
    used: BTreeMap<u64, u32>,
    clock: u64,
    /// Wires whose labels the host has and that nobody reads any more.
    pub forgotten: Vec<u32>,
}

impl Slots {
    pub fn new(slots: Slot) -> Slots {
        Slots {
            free: (0..slots).collect(),
            homes: HashMap::new(),
            used: BTreeMap::new(),
            clock: 0,
            forgotten: Vec::new(),
        }
    }

    /// A wire whose label the host has.
    pub fn given(&mut self, wire: u32, left: u32) {
        if left > 0 {
            self.homes.insert(wire, Home { slot: None, left, is_known: true, touched: 0 });
        }
    }

    /// Its slot; it is loaded if it is in none. What is `pinned` stays where it is.
    pub fn bring(&mut self, wire: u32, pinned: &[u32], steps: &mut Vec<Step>) -> Slot {
        let slot = match self.homes[&wire].slot {
            Some(slot) => slot,
            None => {
                let slot = self.take(pinned, steps);
                steps.push(Step::Load { slot, wire });
                slot
            }
        };
        self.put(wire, slot);
        slot
    }

    /// Reads a wire; gives its slot if that was the last time.
    pub fn read(&mut self, wire: u32) -> Option<Slot> {
        let home = self.homes.get_mut(&wire).expect("a wire that is read is there");
        home.left -= 1;
        if home.left > 0 {
            return None;
        }
        let home = self.homes.remove(&wire)?;
        self.used.remove(&home.touched);
        self.free.extend(home.slot);
        if home.is_known {
            self.forgotten.push(wire);
        }
        home.slot
    }

    /// A slot for a wire that is made: one of `over`, whose labels are not wanted any more, or another.
    pub fn make(
        &mut self,
        wire: u32,
        left: u32,
        (over, pinned): (&[Slot], &[u32]),
        steps: &mut Vec<Step>,
    ) -> Slot {
        let slot = match over.iter().min() {
            Some(&slot) => {
                self.free.remove(&slot);
                slot
            }
            None => self.take(pinned, steps),
        };
        match left {
            0 => drop(self.free.insert(slot)),
            _ => {
                let home = Home { slot: None, left, is_known: false, touched: 0 };
                self.homes.insert(wire, home);
                self.put(wire, slot);
            }
        }
        slot
    }

    /// The slot of a wire whose label the host has not.
    pub fn unknown(&self, wire: u32) -> Option<Slot> {
        self.homes.get(&wire).filter(|home| !home.is_known).and_then(|home| home.slot)
    }

    /// From now on the host has its label.
    pub fn know(&mut self, wire: u32) {
        if let Some(home) = self.homes.get_mut(&wire) {
            home.is_known = true;
        }
    }

    fn put(&mut self, wire: u32, slot: Slot) {
        self.clock += 1;
        let home = self.homes.get_mut(&wire).expect("a wire that is read is there");
        if home.slot.is_some() {
            self.used.remove(&home.touched);
        }
        (home.slot, home.touched) = (Some(slot), self.clock);
        self.used.insert(self.clock, wire);
    }

    /// A free slot. If there is none, the label that was not used for the longest time goes back to the host.
    fn take(&mut self, pinned: &[u32], steps: &mut Vec<Step>) -> Slot {
        if let Some(slot) = self.free.pop_first() {
            return slot;
        }
        let mut used = self.used.iter();
        let (&touched, &wire) =
            used.find(|(_, wire)| !pinned.contains(wire)).expect("more slots than operands");
        self.used.remove(&touched);
        let home = self.homes.get_mut(&wire).expect("it is in a slot");
        let slot = home.slot.take().expect("it is in a slot");
        if !home.is_known {
            steps.push(Step::Read { slot, wire });
            home.is_known = true;
        }
        slot
    }
}
