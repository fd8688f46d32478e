//! The window: slots with valid and epoch bits in banks, and who uses a bank when.

use crate::model::config::{BANK_ACCESSES, Config};

use super::mutation::Mutation;

/// A slot of the window.
#[derive(Clone, Copy, Default)]
struct Slot {
    valid: bool,
    /// The parity of the lap that it was written in.
    epoch: bool,
    /// The wire whose label it holds.
    name: u32,
}

/// A result: on the bus in one cycle, written into the window in the next.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// The address that the instruction was given.
    pub address: u32,
    /// The wire whose label it is.
    pub name: u32,
    /// The engine that computed it.
    pub engine: usize,
    /// Whether it goes to memory too.
    pub live: bool,
}

/// The slots and their banks.
pub struct Window {
    slots: Vec<Slot>,
    banks: usize,
    /// Accesses that are taken, for each cycle to come (a ring) and bank.
    taken: Vec<u32>,
    /// Cycles in the ring.
    ring: u64,
    /// Accesses that a bank has in a cycle.
    accesses: u32,
}

impl Window {
    /// An empty window.
    pub fn new(config: &Config, mutation: Option<Mutation>) -> Window {
        let ring = (u64::from(config.and.max(config.xor)) + 3).next_power_of_two();
        let banks = config.banks as usize;
        let more = mutation == Some(Mutation::ThirdBankAccess);
        Window {
            slots: vec![Slot::default(); config.shape.window as usize],
            banks,
            taken: vec![0; banks * ring as usize],
            ring,
            accesses: BANK_ACCESSES + u32::from(more),
        }
    }

    /// Takes an access to `bank` in `cycle`, if there is one left.
    pub fn take(&mut self, bank: usize, cycle: u64) -> bool {
        self.take_below(self.accesses, bank, cycle)
    }

    /// The same, but leaves one access to the loader.
    pub fn take_beside_loader(&mut self, bank: usize, cycle: u64) -> bool {
        self.take_below(self.accesses - 1, bank, cycle)
    }

    fn take_below(&mut self, most: u32, bank: usize, cycle: u64) -> bool {
        let index = (cycle % self.ring) as usize * self.banks + bank;
        let free = self.taken[index] < most;
        self.taken[index] += u32::from(free);
        free
    }

    /// Forgets what was taken in `cycle`, which is over.
    pub fn end_of(&mut self, cycle: u64) {
        let start = (cycle % self.ring) as usize * self.banks;
        self.taken[start..start + self.banks].fill(0);
    }

    /// Writes a label.
    pub fn write(&mut self, config: &Config, address: u32, name: u32) {
        let slot = config.shape.slot(address) as usize;
        self.slots[slot] = Slot { valid: true, epoch: config.epoch(address), name };
    }

    /// The label in `slot`, if it is of the lap with parity `epoch`.
    pub fn read(&self, slot: u32, epoch: bool, mutation: Option<Mutation>) -> Option<u32> {
        let slot = self.slots[slot as usize];
        let fits = slot.epoch == epoch || mutation == Some(Mutation::StaleEpoch);
        (slot.valid && fits).then_some(slot.name)
    }
}

impl super::Exact<'_> {
    /// Labels that were computed or loaded in the cycle before go into their slots.
    pub(super) fn write_window(&mut self) {
        for write in std::mem::take(&mut self.writing) {
            self.window.write(&self.config, write.address, write.name);
            self.counts.activity.window_writes += 1;
            self.counts.last_write = Some(self.now);
            if !write.live {
                self.halves.finish(write.address);
            }
        }
        for address in self.loader.take_written() {
            self.window.write(&self.config, address, address);
            self.counts.activity.window_writes += 1;
            self.counts.last_write = Some(self.now);
        }
    }

    /// Operands that won their banks in the cycle before look into their slots.
    pub(super) fn read_window(&mut self) {
        for engine in &mut self.engines {
            for operand in engine.accessing(self.now) {
                operand.accessed = true;
                let found = self.window.read(operand.slot, operand.epoch, self.mutation);
                operand.name = found.unwrap_or(operand.name);
                operand.there |= found.is_some();
            }
        }
    }

    /// What the bus carries reaches every operand that waits for it.
    pub(super) fn forward(&mut self, bus: &[Write]) {
        for (number, engine) in self.engines.iter_mut().enumerate() {
            for flight in engine.waiting() {
                for operand in flight.missing() {
                    let from = bus.iter().find(|write| {
                        self.config.shape.slot(write.address) == operand.slot
                            && self.config.epoch(write.address) == operand.epoch
                            && !(self.mutation == Some(Mutation::NoForwardAcross)
                                && write.engine != number)
                    });
                    if let Some(write) = from {
                        operand.name = write.name;
                        operand.there = true;
                        self.counts.activity.forwarded += 1;
                    }
                }
            }
        }
    }
}
