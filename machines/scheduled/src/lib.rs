//! Shared code of the engines of scheduled machines, beside the [model](halfgate_scheduled_model):
//! the labels that outputs need ([`Kept`]), the number of netlist cycles for which a program is
//! scheduled ([`assumed_cycles`]), the counters of their hardware ([`Measured`]), and the output
//! of `halfgate simulate` ([`Found`]). Their SystemVerilog is in `rtl/`.

mod error;
mod found;
mod kept;
mod measured;
pub mod testing;

pub use error::RunError;
pub use found::Found;
pub use kept::Kept;
pub use measured::Measured;

use halfgate_circuit::Circuit;

/// Number of netlist cycles for which a program is scheduled while the actual number is unknown. It
/// is 64 for a sequential circuit whose file gives no number, because such a circuit seldom runs
/// for a single netlist cycle.
pub fn assumed_cycles(circuit: &Circuit) -> u64 {
    const MANY: u64 = 64;
    if circuit.is_sequential() && circuit.cycles == 1 { MANY } else { circuit.cycles }
}
