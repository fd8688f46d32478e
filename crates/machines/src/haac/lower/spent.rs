//! Elimination of spent wires (HAAC, section 4.2.3): instructions wait until the window has left
//! their results, since only then it is known whether something reads them from memory.

use crate::haac::instruction::Instruction;
use crate::haac::lower::streams::Streams;
use crate::haac::lower::uses::NEVER;
use crate::haac::machine::Shape;
use std::collections::VecDeque;
use std::io;

/// The results in the window, and the instructions that made them.
pub(super) struct Spent {
    shape: Shape,
    /// For each slot: when the wire is read next of which the label there is the newest; [`NEVER`] if
    /// it is not read again, or has a newer address.
    next_use: Vec<u32>,
    /// Instructions not written yet, no-ops among them; live bits are set for outputs only.
    waiting: VecDeque<Instruction>,
    /// Address of the first result among `waiting`.
    first: u32,
    /// Half of the newest result.
    half: u32,
}

impl Spent {
    /// Before the first instruction, whose result will have address `first`.
    pub fn new(shape: Shape, first: u32) -> Spent {
        Spent {
            shape,
            next_use: vec![NEVER; shape.window as usize],
            waiting: VecDeque::new(),
            first,
            half: shape.half_of(first),
        }
    }

    /// Notes when the wire is read next whose newest address, in the window, is `address`.
    #[inline]
    pub fn set_next_use(&mut self, address: u32, position: u32) {
        self.next_use[self.shape.slot(address) as usize] = position;
    }

    /// A place in a row that stays empty.
    #[inline]
    pub fn nop(&mut self) {
        self.waiting.push_back(Instruction::NOP);
    }

    /// The next instruction. Its live bit says whether its result is an output. Must come after
    /// [`enter`](Spent::enter) for the half of its address.
    #[inline]
    pub fn push(&mut self, instruction: Instruction) {
        self.waiting.push_back(instruction);
    }

    /// The window moves on to `half`, the half of the next result: writes the instructions whose
    /// results it leaves.
    #[inline]
    pub fn enter(&mut self, half: u32, streams: &mut Streams) -> io::Result<()> {
        if half == self.half { Ok(()) } else { self.leave(half, streams) }
    }

    #[cold]
    fn leave(&mut self, half: u32, streams: &mut Streams) -> io::Result<()> {
        debug_assert_eq!(half, self.half + 1);
        self.half = half;
        self.write_up_to(half, streams)
    }

    /// Writes the instructions whose results are in halves before `half - 1`.
    fn write_up_to(&mut self, half: u32, streams: &mut Streams) -> io::Result<()> {
        while let Some(&instruction) = self.waiting.front() {
            if instruction.is_nop() {
                streams.instruction(instruction)?;
            } else {
                if self.shape.half_of(self.first) + 1 >= half {
                    break;
                }
                let slot = self.shape.slot(self.first) as usize;
                let read = self.next_use[slot] != NEVER;
                streams.instruction(instruction.with_live(instruction.is_live() || read))?;
                self.first = self.shape.next_address(self.first);
            }
            self.waiting.pop_front();
        }
        Ok(())
    }

    /// Writes what is left: nothing reads any more.
    pub fn finish(&mut self, streams: &mut Streams) -> io::Result<()> {
        self.waiting.drain(..).try_for_each(|instruction| streams.instruction(instruction))
    }
}
