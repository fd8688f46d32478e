//! Selects and orders the inputs that get addresses.

use crate::lower::InputLayout;
use crate::lower::uses::{NEVER, Uses};
use halfgate_circuit::{Circuit, Wire};

/// The input bits and flip-flops that get addresses, in address order.
pub(super) fn inputs(circuit: &Circuit, uses: &Uses, layout: InputLayout) -> Vec<Wire> {
    let all = (0..circuit.first_gate_wire() as u32).map(Wire::new);
    match layout {
        InputLayout::Ports => all.collect(),
        InputLayout::FirstUse => {
            let first_use = |wire: &Wire| uses.inputs[wire.index()];
            let needed = |wire: &Wire| {
                let first = first_use(wire);
                first.position() != NEVER || first.is_output()
            };
            let mut inputs: Vec<Wire> = all.filter(needed).collect();
            inputs.sort_by_key(|wire| first_use(wire).position());
            inputs
        }
    }
}
