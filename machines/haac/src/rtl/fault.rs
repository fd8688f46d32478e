//! Faults for tests, which check that the machine claims no result after an error.

use super::image::seal;
use super::pace::Failure;
use crate::rtl::registers::{
    CONFIG_ENGINES, HEADER_INSTRUCTION_BURSTS, HEADER_MACHINE, HEADER_MAGIC, HEADER_VERSION, Part,
};
use halfgate_haac_model::model::layout::Region;

/// A fault of memory, program or machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The descriptor is missing.
    NoProgram,
    /// The descriptor has another version.
    OtherVersion,
    /// The descriptor is for a machine with one more engine.
    OtherConfiguration,
    /// A bit of the descriptor is flipped.
    CorruptDescriptor,
    /// A bit of the instructions is flipped, in this byte.
    CorruptInstructions(u64),
    /// A bit in the first byte of this engine's out-of-range words is flipped.
    CorruptWords(usize),
    /// The last burst of instructions is missing.
    Short,
    /// Memory fails.
    Memory(Failure),
    /// The machine is reset after this many cycles.
    ResetAfter(u64),
}

impl Fault {
    /// Applies the fault to a descriptor.
    pub(super) fn descriptor(self, bytes: &mut [u8]) {
        let mut add = |part: Part, what: u32| {
            let place = &mut bytes[part.offset..part.offset + part.bytes];
            let word = u32::from_le_bytes(place.try_into().expect("a word"));
            place.copy_from_slice(&word.wrapping_add(what).to_le_bytes());
        };
        match self {
            Fault::NoProgram => add(HEADER_MAGIC, 1),
            Fault::OtherVersion => add(HEADER_VERSION, 1),
            Fault::OtherConfiguration => add(HEADER_MACHINE, CONFIG_ENGINES.at(1)),
            Fault::Short => add(HEADER_INSTRUCTION_BURSTS, u32::MAX),
            Fault::CorruptDescriptor => {
                bytes[HEADER_INSTRUCTION_BURSTS.offset] ^= 1;
                return;
            }
            _ => return,
        }
        seal(bytes);
    }

    /// The byte with a flipped bit, and its region.
    pub(super) fn byte(self) -> Option<(Region, u64)> {
        match self {
            Fault::CorruptInstructions(byte) => Some((Region::Instructions, byte)),
            Fault::CorruptWords(engine) => Some((Region::Oor(engine), 0)),
            _ => None,
        }
    }

    pub(super) fn memory(self) -> Option<Failure> {
        match self {
            Fault::Memory(failure) => Some(failure),
            _ => None,
        }
    }
}
