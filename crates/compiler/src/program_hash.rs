//! The hash that both parties compare.

use std::fmt;

/// BLAKE3 over the canonical encoding of a program's gates in order, its flip-flops, and its
/// input and output layout with owners. The number of cycles is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProgramHash(pub [u8; 32]);

impl fmt::Display for ProgramHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ProgramHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProgramHash({self})")
    }
}
