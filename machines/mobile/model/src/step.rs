//! A step of the chip: what the link carries next, and for which wire.

use super::item::{Item, Slot};

/// What the chip does next, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The label of a wire that the host has goes into a slot: an input's, a flip-flop's, or one
    /// that came back.
    Load {
        /// Where to.
        slot: Slot,
        /// The wire's number.
        wire: u32,
    },
    /// A wire's label comes back: the host wants it in the end, or keeps it.
    Read {
        /// Where from.
        slot: Slot,
        /// The wire's number.
        wire: u32,
    },
    /// An XOR.
    Xor(Item),
    /// An AND, the next one of the program, and its place in the body.
    And(Item, u32),
    /// Nothing for the chip: a wire whose label the host had for it is not wanted any more.
    Forget {
        /// The wire's number.
        wire: u32,
    },
}

impl Step {
    /// What the link carries for it, if anything.
    pub fn item(self) -> Option<Item> {
        match self {
            Step::Load { slot, .. } => Some(Item::Load { slot }),
            Step::Read { slot, .. } => Some(Item::Read { slot }),
            Step::Xor(item) | Step::And(item, _) => Some(item),
            Step::Forget { .. } => None,
        }
    }
}
