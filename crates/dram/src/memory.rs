//! A memory behind a machine with a clock of its own.

use crate::BURST;
use crate::address::Map;
use crate::configuration::Configuration;
use crate::error::DramError;
use crate::simulator::Simulator;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// Reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A burst is read.
    Read,
    /// A burst, or bytes of it, are written.
    Write,
}

/// A memory. It takes bursts, and says of each when it is done: a read when its data is at the
/// machine, a write when the controller has it. Bursts are done in any order.
///
/// A write of a burst is done early, since the controller holds it and answers later reads of it.
/// Writes of a burst that waits are merged with it, as are reads.
pub struct Dram {
    simulator: Simulator,
    map: Map,
    /// The memory's clock ticks `step` times in `per` cycles of the machine.
    step: u64,
    per: u64,
    phase: u64,
    now: u64,
    /// Cycles of the machine outside the devices.
    path: u64,
    bytes: u64,
    /// For each burst with requests, their tags in order.
    waiting: HashMap<(u64, Access), VecDeque<u32>>,
    /// Requests on the way back, with the cycle of their arrival.
    back: VecDeque<(u64, u32)>,
}

impl Dram {
    /// The memory that `configuration` describes, behind a machine whose clock has `mhz`.
    ///
    /// # Errors
    /// If this build has no simulator, or its file cannot be written.
    pub fn new(configuration: &Configuration, mhz: u32) -> Result<Dram, DramError> {
        let path = u64::from(configuration.controller.path_ns) * u64::from(mhz) / 1000;
        Ok(Dram {
            simulator: Simulator::new(configuration)?,
            map: Map::new(configuration),
            step: configuration.clock_mhz.into(),
            per: mhz.max(1).into(),
            phase: 0,
            now: 0,
            path,
            bytes: configuration.bytes(),
            waiting: HashMap::new(),
            back: VecDeque::new(),
        })
    }

    /// Bytes of the memory.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Shortens the way to the devices and back by some of the machine's cycles: those that the
    /// machine spends on it itself.
    pub fn shorten_path(&mut self, cycles: u64) {
        self.path = self.path.saturating_sub(cycles);
    }

    /// Whether the channel of an address takes another burst in this cycle.
    pub fn accepts(&self, address: u64, access: Access) -> bool {
        self.simulator.accepts(self.place(address), access == Access::Write)
    }

    /// Takes a burst, which must be [accepted](Dram::accepts).
    pub fn add(&mut self, address: u64, access: Access, tag: u32) {
        let place = self.place(address);
        self.waiting.entry((place, access)).or_default().push_back(tag);
        self.simulator.add(place, access == Access::Write);
    }

    /// Advances by one cycle of the machine, and calls `done` with the tag of every burst that is
    /// done in it.
    pub fn cycle(&mut self, mut done: impl FnMut(u32)) {
        let Dram { simulator, waiting, back, .. } = self;
        let due = self.now + self.path;
        self.phase += self.step;
        while self.phase >= self.per {
            self.phase -= self.per;
            simulator.tick(|place, is_write| {
                let access = if is_write { Access::Write } else { Access::Read };
                let Entry::Occupied(mut tags) = waiting.entry((place, access)) else { return };
                back.extend(tags.get_mut().pop_front().map(|tag| (due, tag)));
                if tags.get().is_empty() {
                    tags.remove();
                }
            });
        }
        while let Some((_, tag)) = back.pop_front_if(|(due, _)| *due <= self.now) {
            done(tag);
        }
        self.now += 1;
    }

    /// The simulator's address of the burst with this address.
    fn place(&self, address: u64) -> u64 {
        self.map.apply(address / BURST) * BURST
    }
}
