//! How long rows are: by packing them.

use super::rows::RowBits;
use crate::haac::code::Code;
use crate::haac::encoding::{Encoder, Encoding};
use crate::haac::instruction::Instruction;

/// The lengths of rows in an encoding.
///
/// Memory: what the encoder holds.
#[derive(Debug)]
pub struct Packed {
    encoder: Encoder,
    bytes: Vec<u8>,
}

impl Packed {
    /// For the rows of `code`, from the first.
    pub fn new(code: &Code, encoding: Encoding) -> Packed {
        let encoder = Encoder::new(encoding, code.shape, code.first_output);
        Packed { encoder, bytes: Vec::new() }
    }
}

impl RowBits for Packed {
    #[inline]
    fn bits(&mut self, row: &[Instruction]) -> u32 {
        self.bytes.clear();
        // What cannot be packed is no row of this machine, which the model finds out before.
        self.encoder.row(row, &mut self.bytes).unwrap_or(0)
    }
}
