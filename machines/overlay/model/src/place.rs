//! Places of labels, and the places of the constants.

/// The place of a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Word of block RAM.
    BlockRam(u32),
    /// Label of DDR.
    Ddr(u32),
}

impl Place {
    /// The address in the paper's format: the lowest bit is the block RAM flag.
    pub fn address(self) -> u64 {
        match self {
            Place::BlockRam(at) => u64::from(at) << 1 | 1,
            Place::Ddr(at) => u64::from(at) << 1,
        }
    }
}

/// Place of the label of the public constant 0. No bit of this label is set, for either party.
pub const ZERO: Place = Place::Ddr(0);
/// Place of the label of the public constant 1: Δ for the garbler, and no bits set for the
/// evaluator.
pub const ONE: Place = Place::Ddr(1);
/// Number of labels in DDR that belong to constants.
pub const CONSTANTS: u32 = 2;
