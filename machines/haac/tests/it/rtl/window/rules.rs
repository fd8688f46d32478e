//! The rules of the window, without its ports and pipelines.

use std::collections::BTreeMap;

/// The slot and lap that a read requests.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub slot: u32,
    pub epoch: bool,
}

/// A label on its way into the window.
#[derive(Clone, Copy)]
pub struct Write {
    pub slot: u32,
    pub epoch: bool,
    pub label: u128,
}

/// Slots, and the number of taken accesses of each bank in each future cycle.
pub struct Rules {
    banks: u32,
    slots: Vec<Option<(bool, u128)>>,
    taken: BTreeMap<(u64, u32), u32>,
}

impl Rules {
    pub fn new(window: u32, banks: u32) -> Rules {
        Rules { banks, slots: vec![None; window as usize], taken: BTreeMap::new() }
    }

    pub fn bank(&self, slot: u32) -> u32 {
        slot % self.banks
    }

    /// Takes one of `most` accesses to the bank of `slot` in `cycle`, if one is left.
    pub fn take(&mut self, slot: u32, cycle: u64, most: u32) -> bool {
        let taken = self.taken.entry((cycle, slot % self.banks)).or_default();
        let free = *taken < most;
        *taken += u32::from(free);
        free
    }

    /// Ends `cycle`.
    pub fn end_of(&mut self, cycle: u64) {
        self.taken.retain(|(at, _), _| *at > cycle);
    }

    pub fn write(&mut self, write: Write) {
        self.slots[write.slot as usize] = Some((write.epoch, write.label));
    }

    pub fn read(&self, wanted: Wanted) -> Option<u128> {
        let (epoch, label) = self.slots[wanted.slot as usize]?;
        (epoch == wanted.epoch).then_some(label)
    }
}
