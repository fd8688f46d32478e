//! `overlay_execute`: the cells, and the groups in them.

use super::{Garbles, Group, Machine};
use crate::model::shape::AndCells;

impl<G: Garbles> Machine<G> {
    /// Returns the set of cells that the oldest group enters, if its operands are all there and the
    /// set has space.
    pub(super) fn free_set(&self) -> Option<usize> {
        let (group, operands) = self.operands.front()?;
        let all = group.operands();
        let set = if group.first { 0 } else { self.and_set };
        let is_free = !group.ands || self.busy[set] <= self.clock;
        let has_space = self.cells.len() + self.results.len() < self.shape.entries as usize;
        (operands.have & all == all && is_free && has_space).then_some(set)
    }

    /// Moves the oldest group into the set of cells `entering`.
    pub(super) fn clock_execute(&mut self, entering: Option<usize>) {
        if let Some(set) = entering
            && let Some((group, operands)) = self.operands.pop_front()
        {
            self.enter(group, &operands.labels, set);
        }
    }

    fn enter(&mut self, group: Group, operands: &[G::Label], set: usize) {
        self.entered += 1;
        let half_gates = match self.shape.and_cells {
            AndCells::Rows => false,
            AndCells::HalfGates => true,
            AndCells::Both => self.begin.half_gates,
        };
        let due = self.clock + if group.ands { self.shape.and_latency(half_gates) } else { 1 };
        if group.ands {
            if !half_gates {
                self.busy[set] = due;
            }
            self.and_set = (set + 1) % self.busy.len();
        }
        let gates = group.commands[..group.count].iter().zip(operands.chunks_exact(2)).enumerate();
        let labels = gates.map(|(lane, (command, ends))| {
            let [a, b, out] = command.invert;
            if group.ands {
                let own =
                    if self.begin.form.numbers() { command.number.into() } else { lane as u64 };
                self.garbles.and(&ends[0], &ends[1], command.invert, group.number + own)
            } else {
                self.garbles.xor(&ends[0], &ends[1], a ^ b ^ out)
            }
        });
        let labels = labels.collect();
        self.cells.push_back((due, group, labels));
    }
}
