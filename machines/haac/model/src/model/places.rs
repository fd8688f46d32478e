//! Where labels that leave the window are in memory.

use crate::code::Code;
use crate::instruction::Instruction;
use rustc_hash::FxHashMap;
use std::io;

/// Where labels are, in labels from the start of their region.
#[derive(Clone, Debug, Default)]
pub enum Places {
    /// At their addresses, as the machine of `machine.md` has them.
    #[default]
    ByAddress,
    /// Inputs at their addresses, and live labels after them in program order, without gaps. A
    /// form of the machine that exists in the models only.
    Packed(Packed),
}

/// The places of live labels.
#[derive(Clone, Debug)]
pub struct Packed {
    places: FxHashMap<u32, u32>,
}

impl Places {
    /// Packed places for the live labels of `code`.
    ///
    /// Memory: a few words for each live label.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn packed(code: &Code) -> io::Result<Places> {
        // A burst of inputs has no live labels.
        let (mut address, mut next) = (code.first_output, code.first_output.next_multiple_of(4));
        let (mut places, mut rows) = (FxHashMap::default(), code.rows.reader());
        while let Some(bits) = rows.next()? {
            let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
            if instruction.is_live() {
                places.insert(address, next);
                next += 1;
            }
            if !instruction.is_nop() {
                address = code.shape.next_address(address);
            }
        }
        Ok(Places::Packed(Packed { places }))
    }

    /// The place of the label with this address.
    #[inline]
    pub fn of(&self, address: u32) -> u64 {
        match self {
            Places::ByAddress => address,
            Places::Packed(packed) => packed.places.get(&address).copied().unwrap_or(address),
        }
        .into()
    }
}
