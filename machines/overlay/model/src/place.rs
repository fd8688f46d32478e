//! Places of labels, and those of the constants.

/// Where a label is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At this word of block RAM.
    BlockRam(u32),
    /// At this label's place in DDR.
    Ddr(u32),
}

impl Place {
    /// The address as the paper sends it: its last bit is the flag that says block RAM.
    pub fn address(self) -> u64 {
        match self {
            Place::BlockRam(at) => u64::from(at) << 1 | 1,
            Place::Ddr(at) => u64::from(at) << 1,
        }
    }
}

/// Where the label of the public constant 0 is: no bits are set in it, whoever holds it.
pub const ZERO: Place = Place::Ddr(0);
/// The public constant 1: Δ for the garbler, and no bits for the evaluator.
pub const ONE: Place = Place::Ddr(1);
/// Labels in DDR that are no wire's: the constants.
pub const CONSTANTS: u32 = 2;
