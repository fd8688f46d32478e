//! What the engines of scheduled machines share, beside the [model](halfgate_scheduled_model):
//! which labels outputs are made of ([`Kept`]), for how many netlist cycles a program is scheduled
//! ([`assumed_cycles`]), what their hardware counts ([`Measured`]), and what `halfgate simulate`
//! prints ([`Found`]). Their SystemVerilog is in `rtl/`.

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

/// For how many netlist cycles a program is scheduled before it is known how many there are: files
/// that do not say so have one, and a sequential circuit seldom runs for one.
pub fn assumed_cycles(circuit: &Circuit) -> u64 {
    const MANY: u64 = 64;
    if circuit.is_sequential() && circuit.cycles == 1 { MANY } else { circuit.cycles }
}
