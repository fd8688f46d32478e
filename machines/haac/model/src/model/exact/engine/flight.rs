//! Instructions in an engine's stages.

use super::Queued;
use crate::instruction::{Instruction, Op};
use crate::model::config::Config;
use crate::model::exact::Cause;

/// One operand of an instruction in the stages.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its slot; 0 for the out-of-range queue.
    pub slot: u32,
    /// Its address, as derived from slot and output.
    pub address: u32,
    /// Parity of its lap.
    pub epoch: bool,
    /// The cycle of its bank access, once won.
    pub access: Option<u64>,
    /// Whether the cycle of the access is reached; from then on the bus may deliver the operand.
    pub accessed: bool,
    /// Whether the operand's latch holds the label.
    pub there: bool,
    /// The wire of the label in the latch.
    pub name: u32,
    /// Whether the label came by the last read of its wire from memory.
    pub last: bool,
}

impl Operand {
    /// Forgets the bank access that was won.
    pub fn read_again(&mut self) {
        (self.access, self.accessed) = (None, false);
    }
}

/// An instruction in the stages.
#[derive(Clone, Debug)]
pub struct Flight {
    pub instruction: Instruction,
    /// The address of its output.
    pub out: u32,
    /// The number of the AND.
    pub and: u64,
    /// One or two operands.
    pub operands: [Operand; 2],
    pub count: usize,
    /// The cycle in which the first of two operands was taken from the out-of-range queue.
    pub popped: Option<u64>,
}

impl Flight {
    /// Operands that window and bus have not delivered yet.
    pub fn missing(&mut self) -> impl Iterator<Item = &mut Operand> {
        let operands = self.operands[..self.count].iter_mut();
        operands.filter(|operand| operand.accessed && !operand.there)
    }

    pub(super) fn decode(queued: &Queued, config: &Config) -> Flight {
        let &Queued { instruction, out, and } = queued;
        let count = if instruction.op() == Op::Unary { 1 } else { 2 };
        let operand = |slot| {
            let address = config.operand(slot, out);
            let epoch = config.epoch(address);
            let (access, accessed, there) = (None, false, false);
            Operand { slot, address, epoch, access, accessed, there, name: 0, last: false }
        };
        let operands = [operand(instruction.a()), operand(instruction.b())];
        Flight { instruction, out, and, operands, count, popped: None }
    }

    pub(super) fn is_there(&self) -> bool {
        self.operands[..self.count].iter().all(|operand| operand.there)
    }
}

/// A stage: an instruction, or a gap and its cause.
#[derive(Clone, Debug)]
pub enum Stage {
    Gap(Cause),
    Full(Flight),
}

impl Stage {
    pub(super) fn is_gap(&self) -> bool {
        matches!(self, Stage::Gap(_))
    }

    pub(super) fn flight(&mut self) -> Option<&mut Flight> {
        match self {
            Stage::Gap(_) => None,
            Stage::Full(flight) => Some(flight),
        }
    }

    pub(super) fn out(&self) -> Option<u32> {
        match self {
            Stage::Gap(_) => None,
            Stage::Full(flight) => Some(flight.out),
        }
    }
}
