//! The window: slots with valid and epoch bits in banks, and the reservations of bank accesses.

use crate::machine::Forwarding;
use crate::model::config::{BANK_ACCESSES, Config};

use super::engine::{Flight, Operand};
use super::mutation::Mutation;

/// A slot of the window.
#[derive(Clone, Copy, Default)]
struct Slot {
    valid: bool,
    /// Parity of the lap in which it was written.
    epoch: bool,
    /// The wire whose label it holds.
    name: u32,
}

/// A result: on the bus in one cycle, written into the window in the next.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// Address of the instruction's output.
    pub address: u32,
    /// The wire whose label the result is.
    pub name: u32,
    /// The engine that computed it.
    pub engine: usize,
    /// Whether the label is also written to memory.
    pub live: bool,
}

/// The slots and their banks.
pub struct Window {
    slots: Vec<Slot>,
    banks: usize,
    /// Number of reserved accesses, for each future cycle (a ring) and bank.
    taken: Vec<u32>,
    /// Length of the ring in cycles.
    ring: u64,
    /// Accesses per bank and cycle.
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

    /// Reserves an access to `bank` in `cycle`, if one is left.
    pub fn take(&mut self, bank: usize, cycle: u64) -> bool {
        self.take_below(self.accesses, bank, cycle)
    }

    /// As [`take`](Window::take), but leaves one access for the loader.
    pub fn take_beside_loader(&mut self, bank: usize, cycle: u64) -> bool {
        self.take_below(self.accesses - 1, bank, cycle)
    }

    fn take_below(&mut self, most: u32, bank: usize, cycle: u64) -> bool {
        let index = (cycle % self.ring) as usize * self.banks + bank;
        let free = self.taken[index] < most;
        self.taken[index] += u32::from(free);
        free
    }

    /// Clears the reservations of `cycle`, which has ended.
    pub fn end_of(&mut self, cycle: u64) {
        let start = (cycle % self.ring) as usize * self.banks;
        self.taken[start..start + self.banks].fill(0);
    }

    /// Writes a label.
    pub fn write(&mut self, config: &Config, address: u32, name: u32) {
        let slot = config.shape.slot(address) as usize;
        self.slots[slot] = Slot { valid: true, epoch: config.epoch(address), name };
    }

    /// The label in `slot`, if its lap has parity `epoch`.
    pub fn read(&self, slot: u32, epoch: bool, mutation: Option<Mutation>) -> Option<u32> {
        let slot = self.slots[slot as usize];
        let fits = slot.epoch == epoch || mutation == Some(Mutation::StaleEpoch);
        (slot.valid && fits).then_some(slot.name)
    }
}

impl super::Exact<'_> {
    /// Writes labels that were computed or loaded in the previous cycle into their slots.
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

    /// Reads the slots of operands that won their banks in the previous cycle.
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

    /// Delivers labels on the bus to all operands that wait for them.
    pub(super) fn forward(&mut self, bus: &[Write]) {
        let (config, mutation) = (&self.config, self.mutation);
        for (number, engine) in self.engines.iter_mut().enumerate() {
            let on_bus = |operand: &Operand| {
                bus.iter().find(|write| {
                    config.shape.slot(write.address) == operand.slot
                        && config.epoch(write.address) == operand.epoch
                        && !(mutation == Some(Mutation::NoForwardAcross) && write.engine != number)
                })
            };
            if config.forwarding == Forwarding::AfterRead {
                // From the next cycle on, the window has the label.
                let awaited = engine.reading().flat_map(Flight::missing);
                awaited.filter(|operand| on_bus(operand).is_some()).for_each(Operand::read_again);
            }
            for operand in engine.waiting().flat_map(Flight::missing) {
                if let Some(write) = on_bus(operand) {
                    operand.name = write.name;
                    operand.there = true;
                    self.counts.activity.forwarded += 1;
                }
            }
        }
    }
}
