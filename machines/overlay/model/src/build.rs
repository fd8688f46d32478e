//! The parameters of an overlay's build on which its commands depend.

use super::batches::Cells;
use super::command::Form;
use std::fmt;

/// The build of an overlay. Each stream is made for one build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    /// Maximum gates of a batch, by kind.
    pub cells: Cells,
    /// Labels in block RAM.
    pub block_ram: u32,
    /// Layout of a command in registers.
    pub form: Form,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Build { cells: Cells { ands, xors }, block_ram, form } = self;
        write!(f, "{ands} AND and {xors} XOR cells, {block_ram} labels of block RAM, {form}")
    }
}
