//! `overlay_write` and `overlay_results`: hold results after they leave the cells, and write them.

use super::ports::PortCycle;
use super::{Garbles, Machine, Seen};
use crate::Place;

impl<G: Garbles> Machine<G> {
    /// Writes results of the oldest group, one to each bank of block RAM and one through each port
    /// of DDR. Offers the group's tables.
    pub(super) fn write(
        &mut self,
        ports: &mut PortCycle<G::Label>,
        table_ready: bool,
        seen: &mut Seen,
    ) {
        if !self.may_write() {
            return;
        }
        seen.writes = self.write_labels(ports);
        let (group, _) = &self.results[0];
        let all = (1_u32 << group.count) - 1;
        let offers = group.ands && !self.tabled;
        if offers {
            seen.tables = all;
        }
        let tabled = self.tabled || (offers && table_ready);
        seen.retires = match self.shape.serial {
            true => {
                self.written == all && (self.tabled || !group.ands) && self.waiting == [false; 2]
            }
            false => (self.written | seen.writes) == all && (tabled || !group.ands),
        };
        if !seen.retires {
            (self.written, self.tabled) = (self.written | seen.writes, tabled);
        }
    }

    /// Whether results may be written. A serial overlay writes only when the whole batch is in the
    /// cells.
    fn may_write(&self) -> bool {
        let is_within = self.left > 0 && !self.first;
        !self.results.is_empty() && (!self.shape.serial || (!is_within && self.operands.is_empty()))
    }

    /// Writes as many labels of the oldest group as possible. Returns the lanes whose labels were
    /// written, one bit for each.
    fn write_labels(&mut self, ports: &mut PortCycle<G::Label>) -> u32 {
        let (group, labels) = &self.results[0];
        let (mut banks, mut writes) = (0_u64, 0);
        for lane in (0..group.count).filter(|lane| self.written >> lane & 1 == 0) {
            match group.commands[lane].out {
                Place::BlockRam(at) => {
                    let bank = 1_u64 << (at % self.shape.banks);
                    if banks & bank == 0 {
                        banks |= bank;
                        writes |= 1 << lane;
                        self.ram[at as usize] = labels[lane].clone();
                    }
                }
                Place::Ddr(at) => {
                    if self.write_ddr(ports, at, &labels[lane]) {
                        writes |= 1 << lane;
                    }
                }
            }
        }
        writes
    }

    /// Retires the oldest group, and queues the group that leaves the cells.
    pub(super) fn clock_results(&mut self, retires: bool) {
        if retires {
            self.results.pop_front();
            (self.written, self.tabled) = (0, false);
        }
        let is_done = self.cells.front().is_some_and(|(due, ..)| *due == self.clock);
        if is_done && let Some((_, group, labels)) = self.cells.pop_front() {
            self.results.push_back((group, labels));
        }
    }
}
