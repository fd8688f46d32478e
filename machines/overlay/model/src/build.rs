//! The build of an overlay, as far as its commands depend on it.

use super::batches::Cells;
use super::command::Form;
use std::fmt;

/// What an overlay was built with: a stream is for one build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    /// How many gates of each kind are garbled side by side.
    pub cells: Cells,
    /// Labels in block RAM.
    pub block_ram: u32,
    /// How a command lies in registers.
    pub form: Form,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Build { cells: Cells { ands, xors }, block_ram, form } = self;
        write!(f, "{ands} AND and {xors} XOR cells, {block_ram} labels of block RAM, {form}")
    }
}
