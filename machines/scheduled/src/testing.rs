//! Shared code of tests of scheduled machines in SystemVerilog.

use crate::Measured;
use halfgate_circuit::{Circuit, random};
use halfgate_scheduled_model::Code;
use halfgate_scheduled_model::check::Symbols;
use halfgate_scheduled_model::model::{Machine, Seen};

/// Compares the machine's events in each clock cycle, and its counters, with the model.
///
/// # Errors
/// Describes the first difference.
pub fn same_clocks(
    code: &Code,
    cycles: u64,
    seen: &[Seen],
    measured: Measured,
) -> Result<(), String> {
    let mut symbols = Symbols::new(&code.body, cycles);
    let mut model = Machine::new(code, cycles);
    let mut clock = 0;
    while model.clock(&mut symbols).expect("right code") {
        match seen.get(clock) {
            Some(rtl) if rtl == model.seen() => clock += 1,
            Some(rtl) => {
                let model = model.seen();
                return Err(format!("clock {clock}: the machine {rtl:?}, the model {model:?}"));
            }
            None => {
                return Err(format!("the machine stops after {clock} clocks, the model goes on"));
            }
        }
    }
    // The machine takes one more clock cycle to detect that it is done.
    if seen.len() != clock + 1 {
        return Err(format!("the model stops after {clock} clocks"));
    }
    match measured.agrees(&model.report()) {
        true => Ok(()),
        false => Err(format!("{measured:?}, the model {:?}", model.report())),
    }
}

/// Small circuits, each paired with several numbers of netlist cycles.
pub fn machines() -> impl Iterator<Item = (u64, Circuit)> {
    let count = random::machines().len();
    (0..count).flat_map(|index| {
        [1, 2, 20].map(|cycles| (cycles, random::machines().swap_remove(index).1))
    })
}
