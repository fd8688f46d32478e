//! The limits of a machine, and by how much a program exceeds one.

use std::fmt;

/// A limited resource of a machine. Displayed as the plural noun.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Resource {
    /// Gates of the program's body.
    Gates,
    /// Gates and flip-flops of the program's body, which take one slot each.
    Slots,
    /// Wires of the program's body.
    Wires,
    /// Words of a repeated schedule, the kernel: one for each clock cycle from one netlist
    /// cycle to the next.
    KernelWords,
    /// Words of the memory that holds which gate is evaluated in which clock cycle.
    GateWords,
    /// Banks of label memory.
    LabelBanks,
    /// Labels that a bank of label memory holds.
    BankWords {
        /// Number of the bank, from 0.
        bank: u32,
    },
    /// Labels that the input memory holds.
    InputWords,
    /// Input labels that are made before the first netlist cycle.
    InitialLabels,
    /// Input bits of a netlist cycle.
    InputBits,
    /// Output bits that are wires, which have a tag each.
    OutputLabels,
    /// Netlist cycles in progress at once.
    CyclesAtOnce,
    /// Netlist cycles for which a label is kept.
    CyclesForALabel,
    /// Flip-flops that each feed the next one.
    FlipFlopsInARow,
    /// ANDs in progress at once.
    AndsAtOnce,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Gates => "gates",
            Resource::Slots => "slots (flip-flops and gates)",
            Resource::Wires => "wires",
            Resource::KernelWords => "words of the kernel",
            Resource::GateWords => "words of the gate memory",
            Resource::LabelBanks => "label banks",
            Resource::BankWords { bank } => return write!(f, "words of label bank {bank}"),
            Resource::InputWords => "words of the input memory",
            Resource::InitialLabels => "labels that are made at the start",
            Resource::InputBits => "input bits",
            Resource::OutputLabels => "output labels",
            Resource::CyclesAtOnce => "netlist cycles at once",
            Resource::CyclesForALabel => "netlist cycles for a label",
            Resource::FlipFlopsInARow => "flip-flops in a row",
            Resource::AndsAtOnce => "ANDs at once",
        })
    }
}

/// A limit of a machine that a program exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the netlist needs {needed} {resource}, {} more than the {available} that the machine has",
    needed.saturating_sub(*available)
)]
pub struct Exceeded {
    /// The exceeded resource.
    pub resource: Resource,
    /// The amount that the program needs.
    pub needed: u64,
    /// The amount that the machine has.
    pub available: u64,
}

impl Exceeded {
    /// Checks that `needed` is at most `available`.
    ///
    /// # Errors
    /// If it is more.
    pub fn check(resource: Resource, needed: u64, available: u64) -> Result<(), Exceeded> {
        match needed <= available {
            true => Ok(()),
            false => Err(Exceeded { resource, needed, available }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_may_be_reached_and_not_exceeded() {
        let check = |needed| Exceeded::check(Resource::BankWords { bank: 3 }, needed, 8);
        assert_eq!(check(8), Ok(()));
        let error = check(10).unwrap_err();
        assert_eq!((error.needed, error.available), (10, 8));
        assert_eq!(
            error.to_string(),
            "the netlist needs 10 words of label bank 3, 2 more than the 8 that the machine has"
        );
    }
}
