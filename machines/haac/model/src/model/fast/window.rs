//! When labels are in their slots, and which bank accesses are taken.

use crate::model::config::Config;

/// Cycles between two calls of `refresh`: few enough for times of 30 bits, and very few in tests.
pub const REFRESH: u64 = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 28 };

/// Stored times up to this many cycles ahead of now count as future; all others count as past.
const TO_COME: u32 = 1 << 10;

/// For each slot of the window: the lap of the newest issued address, modulo 4, in the two highest
/// bits. Below it the cycle from which on the label can be used, modulo 2^30.
///
/// Two bits are enough: by interlock (b), the lap in a slot differs by at most one from the lap
/// that is read.
pub struct Slots {
    slots: Vec<u32>,
    window_bits: u32,
}

impl Slots {
    /// The state before the first issue.
    pub fn new(config: &Config, first_output: u32) -> Slots {
        let window_bits = config.window_bits;
        let lap = first_output >> window_bits;
        let empty = |slot: u32| {
            let before = slot >= config.shape.slot(first_output);
            lap.wrapping_sub(u32::from(before)) << 30
        };
        Slots { slots: (0..config.shape.window).map(empty).collect(), window_bits }
    }

    #[inline]
    pub fn index(&self, address: u32) -> usize {
        address as usize & (self.slots.len() - 1)
    }

    /// Loads an address's slot early, so that it is in the cache when needed.
    #[inline]
    pub fn touch(&self, address: u32) -> u32 {
        self.slots[self.index(address)]
    }

    /// The cycle from which on the label of `address` can be used, modulo 2^32. Exact if this cycle
    /// is after `now`, otherwise any past cycle. `None` if the label's instruction was not issued.
    #[inline]
    pub fn ready(&self, now: u32, address: u32) -> Option<u32> {
        let slot = self.slots[self.index(address)];
        match (slot >> 30).wrapping_sub(address >> self.window_bits) & 3 {
            0 => {
                let ahead = ((slot << 2).wrapping_sub(now << 2) as i32) >> 2;
                Some(now.wrapping_add_signed(ahead))
            }
            // A later wire of the slot was issued, so this wire was written long ago.
            1 => Some(now),
            _ => None,
        }
    }

    /// Records the issue of `address`, which can be used from `cycle` on.
    #[inline]
    pub fn issued(&mut self, address: u32, cycle: u32) {
        let index = self.index(address);
        self.slots[index] = (address >> self.window_bits) << 30 | cycle & (u32::MAX >> 2);
    }

    /// Sets all past times to the previous cycle. Left as they are, they would later count as
    /// future.
    pub fn refresh(&mut self, now: u32) {
        for slot in &mut self.slots {
            if (*slot << 2).wrapping_sub(now << 2) >= TO_COME << 2 {
                *slot = *slot & !(u32::MAX >> 2) | now.wrapping_sub(1) & (u32::MAX >> 2);
            }
        }
    }
}

/// For each cycle of a ring and each bank: in the two lowest bits the number of taken accesses,
/// above them the cycle, modulo 2^30.
pub struct Banks {
    taken: Vec<u32>,
    ring: u32,
    bank_bits: u32,
}

impl Banks {
    /// `ring` must be a power of two, larger than the longest latency.
    pub fn new(config: &Config, ring: usize) -> Banks {
        let bank_bits = config.banks.trailing_zeros();
        Banks { taken: vec![0; ring << bank_bits], ring: ring as u32 - 1, bank_bits }
    }

    /// Takes an access to the bank of `address` in `cycle` if fewer than `most` are taken.
    #[inline]
    pub fn take(&mut self, address: u32, window: u32, cycle: u32, most: u32) -> bool {
        let bank = address & (window - 1) & ((1 << self.bank_bits) - 1);
        let index = (cycle & self.ring) << self.bank_bits | bank;
        let fresh = cycle << 2;
        let at = &mut self.taken[index as usize];
        if *at & !3 != fresh {
            *at = fresh;
        }
        let free = *at & 3 < most;
        *at += u32::from(free);
        free
    }

    /// As [`Slots::refresh`].
    pub fn refresh(&mut self, now: u32) {
        for taken in &mut self.taken {
            if (*taken & !3).wrapping_sub(now << 2) >= TO_COME << 2 {
                *taken = now.wrapping_sub(1) << 2;
            }
        }
    }
}
