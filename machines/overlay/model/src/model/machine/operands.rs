//! `overlay_read` and `overlay_operands`: read operands, and hold them until their group enters the
//! cells.

use super::ports::PortCycle;
use super::{Garbles, Group, Machine, Operands, Seen};
use crate::Place;
use crate::place::ONE;

/// A label from block RAM, with the number of its group and its operand.
pub(super) type FromRam<L> = (u64, usize, L);

impl<G: Garbles> Machine<G> {
    /// Reads operands of the current group, one from each bank of block RAM and one through each
    /// port of DDR. Returns the group if all its operands have been requested, and the labels that
    /// block RAM returns in the next cycle.
    pub(super) fn read(
        &mut self,
        ports: &mut PortCycle<G::Label>,
        seen: &mut Seen,
    ) -> (Option<Group>, Vec<FromRam<G::Label>>) {
        let mut from_ram = Vec::new();
        if !self.may_read() {
            return (None, from_ram);
        }
        let slot = self.entered + self.operands.len() as u64;
        let group = self.group();
        let (mut banks, mut known) = (0_u64, 0_u32);
        for read in (0..2 * group.count).filter(|read| self.served >> read & 1 == 0) {
            match group.operand(read) {
                place if self.shape.knows(place) => known |= 1 << read,
                Place::BlockRam(at) => {
                    let bank = 1_u64 << (at % self.shape.banks);
                    if banks & bank == 0 {
                        banks |= bank;
                        seen.serves |= 1 << read;
                        from_ram.push((slot, read, self.ram[at as usize].clone()));
                    }
                }
                Place::Ddr(at) => {
                    if self.read_ddr(ports, at, (slot, read)) {
                        seen.serves |= 1 << read;
                    }
                }
            }
        }
        let is_whole = self.words.len() >= self.needed();
        if is_whole && (self.served | seen.serves | known) == group.operands() {
            return (Some(group), from_ram);
        }
        self.served |= seen.serves;
        (None, from_ram)
    }

    /// Whether operands of the current group may be read. The first group of a batch waits until
    /// the batch before is written.
    fn may_read(&self) -> bool {
        let is_its_turn = match self.first {
            true => self.under_way == 0,
            false => !self.shape.serial || self.operands.is_empty(),
        };
        self.is_group_valid() && self.operands.len() < self.shape.slots as usize && is_its_turn
    }

    /// Gives the current group a slot, with the operands received so far and its constants.
    pub(super) fn send_operands(&mut self, group: Group) {
        let fresh = vec![self.garbles.blank(); 2 * self.shape.lanes as usize];
        let operands = Operands { labels: fresh, have: 0 };
        let mut own = std::mem::replace(&mut self.at_hand, operands);
        for read in (0..2 * group.count).filter(|read| self.shape.knows(group.operand(*read))) {
            own.have |= 1 << read;
            own.labels[read] = self.garbles.constant(group.operand(read) == ONE);
        }
        self.operands.push_back((group, own));
    }

    /// Stores operands from DDR and block RAM. Returns the ports that acknowledge a write.
    pub(super) fn clock_operands(
        &mut self,
        responses: [Option<G::Label>; 2],
        from_ram: Vec<FromRam<G::Label>>,
    ) -> [bool; 2] {
        let mut acked = [false; 2];
        for (port, response) in responses.into_iter().enumerate() {
            if let Some(label) = response {
                match self.ports[port].pop_front().expect("a response to a request") {
                    Some((slot, read)) => self.came(slot, read, label),
                    None => acked[port] = true,
                }
            }
        }
        for (slot, read, label) in std::mem::replace(&mut self.ram_came, from_ram) {
            self.came(slot, read, label);
        }
        acked
    }

    fn came(&mut self, slot: u64, read: usize, label: G::Label) {
        let operands = match slot.checked_sub(self.entered) {
            Some(at) if (at as usize) < self.operands.len() => &mut self.operands[at as usize].1,
            _ => &mut self.at_hand,
        };
        operands.labels[read] = label;
        operands.have |= 1 << read;
    }
}
