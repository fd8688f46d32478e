//! Elimination of spent wires (HAAC, section 4.2.3). Instructions wait until their results leave
//! the window. Only then is it known whether the results are read from memory.

use crate::instruction::Instruction;
use crate::lower::streams::Streams;
use crate::lower::uses::NEVER;
use crate::machine::Shape;
use halfgate_circuit::Wire;
use std::collections::VecDeque;
use std::io;

/// The results in the window, and the instructions that made them.
pub(super) struct Spent {
    shape: Shape,
    /// For each slot whose label is the newest of its wire: the position at which the wire is read
    /// next. [`NEVER`] if the wire is not read again, or has a newer address.
    next_use: Vec<u32>,
    /// For each slot: the wire that `next_use` is about, unless the entry there is [`NEVER`].
    wires: Vec<Wire>,
    /// Instructions not written yet, including no-ops. Live bits are set for outputs only.
    waiting: VecDeque<Instruction>,
    /// Address of the first result in `waiting`.
    first: u32,
}

impl Spent {
    /// The state before the first instruction, whose result will have address `first`.
    pub fn new(shape: Shape, first: u32) -> Spent {
        Spent {
            shape,
            next_use: vec![NEVER; shape.window as usize],
            wires: vec![Wire::new(0); shape.window as usize],
            waiting: VecDeque::new(),
            first,
        }
    }

    /// Records that `address`, in the window, is the newest address of `wire`, which is read next
    /// at `position`.
    #[inline]
    pub fn name(&mut self, address: u32, wire: Wire, position: u32) {
        let slot = self.shape.slot(address) as usize;
        self.wires[slot] = wire;
        self.next_use[slot] = position;
    }

    /// Changes the next read of the wire whose newest address, in the window, is `address`.
    #[inline]
    pub fn set_next_use(&mut self, address: u32, position: u32) {
        self.next_use[self.shape.slot(address) as usize] = position;
    }

    /// The wire whose newest address is `address`, and the position at which it is read next.
    /// `None` if there is no such wire, or it is not read again.
    #[inline]
    pub fn reader(&self, address: u32) -> Option<(Wire, u32)> {
        let slot = self.shape.slot(address) as usize;
        let position = self.next_use[slot];
        (position != NEVER).then(|| (self.wires[slot], position))
    }

    /// Adds a place of a row that stays empty.
    #[inline]
    pub fn nop(&mut self) {
        self.waiting.push_back(Instruction::NOP);
    }

    /// Adds the next instruction. Its live bit must be set if its result is an output. If the
    /// result's address begins a half, call [`leave`](Spent::leave) first.
    #[inline]
    pub fn push(&mut self, instruction: Instruction) {
        self.waiting.push_back(instruction);
    }

    /// Moves the window on to `half`, the half of the next result. Writes the instructions whose
    /// results leave the window: results in halves before `half - 1`.
    pub fn leave(&mut self, half: u32, streams: &mut Streams) -> io::Result<()> {
        while let Some(&instruction) = self.waiting.front() {
            if instruction.is_nop() {
                streams.instruction(instruction)?;
            } else {
                if self.shape.half_of(self.first) + 1 >= half {
                    break;
                }
                let read = self.reader(self.first).is_some();
                streams.instruction(instruction.with_live(instruction.is_live() || read))?;
                self.first = self.shape.next_address(self.first);
            }
            self.waiting.pop_front();
        }
        Ok(())
    }

    /// Number of waiting instructions.
    #[cfg(test)]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Writes the remaining instructions: nothing reads their results any more.
    pub fn finish(&mut self, streams: &mut Streams) -> io::Result<()> {
        self.waiting.drain(..).try_for_each(|instruction| streams.instruction(instruction))
    }
}
