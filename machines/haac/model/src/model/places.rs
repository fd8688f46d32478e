//! Where labels that leave the window are in memory.

use crate::code::{Code, OOR_LAST};
use crate::instruction::Instruction;
use crate::machine::Shape;
use rustc_hash::FxHashMap;
use std::io;

/// Where labels are, in labels from the start of their region.
#[derive(Clone, Debug, Default)]
pub enum Places {
    /// At their addresses, as the machine of `machine.md` has them.
    #[default]
    ByAddress,
    /// Inputs at their addresses, and live labels after them without gaps: in the order in which
    /// they are first read again, and those that are not read in program order. A form of the
    /// machine that exists in the models only.
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
        let mut places = FxHashMap::default();
        // A burst of inputs has no live labels.
        let mut next = code.first_output.next_multiple_of(4);
        for_each(code, |_, read| {
            for address in read.iter().filter(|&&address| address >= code.first_output) {
                places.entry(*address).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
            }
        })?;
        next = next.next_multiple_of(4);
        let read = places.len();
        for_each(code, |output, _| {
            if let Some(address) = output {
                places.entry(address).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
            }
        })?;
        debug_assert!(places.len() >= read);
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

/// Calls `each` for every instruction in program order, with its address if it is live, and the
/// addresses that it reads from memory.
fn for_each(code: &Code, mut each: impl FnMut(Option<u32>, &[u32])) -> io::Result<()> {
    let Shape { engines, .. } = code.shape;
    let mut oor: Vec<_> = code.oor.iter().map(|words| words.reader()).collect();
    let (mut rows, mut output, mut engine) = (code.rows.reader(), code.first_output, 0);
    let mut read = Vec::new();
    while let Some(bits) = rows.next()? {
        let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
        if !instruction.is_nop() {
            read.clear();
            for _ in 0..instruction.pops() {
                let Some(word) = oor[engine].next()? else { break };
                read.push(u32::from_le_bytes(word) & !OOR_LAST);
            }
            each(instruction.is_live().then_some(output), &read);
            output = code.shape.next_address(output);
        }
        engine = if engine + 1 == engines as usize { 0 } else { engine + 1 };
    }
    Ok(())
}
