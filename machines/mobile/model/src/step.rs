//! Steps of the chip: the next item on the link, and the wire of its label.

use super::item::{Item, Slot};

/// One step of the chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Loads the label of a wire into a slot. The wire is an input or flip-flop, or was spilled.
    Load {
        /// Slot to write.
        slot: Slot,
        /// The wire's number.
        wire: u32,
    },
    /// Reads a wire's label back to the host, because it is an output or is spilled.
    Read {
        /// Slot to read.
        slot: Slot,
        /// The wire's number.
        wire: u32,
    },
    /// An XOR.
    Xor(Item),
    /// The program's next AND, and its position in the body.
    And(Item, u32),
    /// No item: the host may drop the label that it keeps for this wire.
    Forget {
        /// The wire's number.
        wire: u32,
    },
}

impl Step {
    /// The item of this step, if it has one.
    pub fn item(self) -> Option<Item> {
        match self {
            Step::Load { slot, .. } => Some(Item::Load { slot }),
            Step::Read { slot, .. } => Some(Item::Read { slot }),
            Step::Xor(item) | Step::And(item, _) => Some(item),
            Step::Forget { .. } => None,
        }
    }
}
