//! How long rows are: as an encoding packs them.

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
}

impl Packed {
    /// For the rows of `code`, from the first.
    pub fn new(code: &Code, encoding: Encoding) -> Packed {
        let encoder = Encoder::new(encoding, code.shape, code.first_output);
        Packed { encoder }
    }
}

impl RowBits for Packed {
    #[inline]
    fn bits(&mut self, row: &[Instruction]) -> u32 {
        // What cannot be packed is no row of this machine, which the model finds out before.
        self.encoder.measure(row).unwrap_or(0)
    }
}
