//! Compares the circuit with the processor in the clear, step by step, on random words, most of
//! which are instructions.

use crate::common::{beside::difference, is_missing, set};
use halfgate_mips::core::Core;
use halfgate_mips::isa::{InstructionSet, SETS};
use halfgate_mips::processor::Size;

fn in_lockstep(set: InstructionSet, size: Size, programs: u32, steps: usize) {
    check(Core::new(size, set), programs, steps);
}

fn check(core: Core, programs: u32, steps: usize) {
    let circuit = core.circuit().expect("Yosys reads the processor");
    assert_eq!(difference(&core, &circuit, programs, steps), None);
}

#[test]
fn the_full_set_is_in_lockstep() {
    if is_missing("yosys") {
        return;
    }
    let full = set("full");
    in_lockstep(full, Size { instructions: 32, data: 32 }, 60, 200);
    in_lockstep(full, Size { instructions: 64, data: 16 }, 20, 200);
}

#[test]
fn every_named_set_is_in_lockstep() {
    if is_missing("yosys") {
        return;
    }
    for set in SETS {
        in_lockstep(set, Size { instructions: 16, data: 32 }, 20, 100);
    }
}

/// The shallow processor has a different divider and different sign logic.
#[test]
fn a_shallow_processor_is_in_lockstep() {
    if is_missing("yosys") {
        return;
    }
    let size = Size { instructions: 32, data: 16 };
    check(Core { shallow: true, ..Core::new(size, set("full")) }, 60, 200);
}
